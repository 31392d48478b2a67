"""Nagios: the state of many hosts, in frames and by CGI programs in C; the daemon itself does not run."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server, write_lines

PACKAGES = ("nagios4-cgi", "nagios4-common", "php8.2-cli", "libgd3")

_SETTINGS = """log_file={state}/nagios.log
object_cache_file={state}/objects.cache
status_file={state}/status.dat
state_retention_file={state}/retention.dat
command_file={state}/nagios.cmd
temp_path={state}
log_archive_path={state}/archives
check_result_path={state}
lock_file={state}/nagios.lock
cfg_file={state}/objects.cache
"""
_COMMON = """define timeperiod {
	timeperiod_name	24x7
	alias	Always
	sunday	00:00-24:00
	}
define command {
	command_name	ping
	command_line	/bin/true
	}
define contactgroup {
	contactgroup_name	admins
	alias	Administrators
	members	desk
	}
define contact {
	contact_name	desk
	alias	Desk
	service_notification_period	24x7
	host_notification_period	24x7
	service_notification_commands	ping
	host_notification_commands	ping
	}
"""
_BEGAN = 1700000000  # when the daemon was last seen


def install(place: Place) -> str:
    place.apt(*PACKAGES[2:])
    place.unpack(*PACKAGES[:2])
    return place.apt_version("nagios4-cgi")


def fill(place: Place) -> dict[str, list[Record]]:
    hosts = _hosts(400)
    root = place.home / "root"
    site = place.state / "site"
    shutil.copytree(root / "usr/share/nagios4/htdocs", site, symlinks=True)
    shutil.copytree(root / "etc/nagios4/stylesheets", site / "stylesheets")
    shutil.copytree(root / "usr/lib/cgi-bin/nagios4", site / "cgi-bin")
    (place.state / "archives").mkdir()
    config = (root / "etc/nagios4/cgi.cfg").read_text()
    config = config.replace("/etc/nagios4/nagios.cfg", f"{place.state}/nagios.cfg")
    config = config.replace("url_html_path=/nagios4", "url_html_path=/")
    write_lines(place.state / "cgi.cfg", [config.replace("/usr/share/nagios4/htdocs", str(site))])
    write_lines(place.state / "nagios.cfg", [_SETTINGS.format(state=place.state)])
    write_lines(place.state / "objects.cache", [_COMMON, *_objects(hosts)])
    write_lines(place.state / "status.dat", _states(hosts))
    write_lines(place.state / "retention.dat", [])
    alerts = _alerts(hosts)
    lines = (f"[{_BEGAN + 60 * number}] {_log_line(each)}" for number, each in enumerate(alerts))
    write_lines(place.state / "nagios.log", lines)
    _write_frames(place)
    return {"hosts": hosts, "alerts": alerts}


def _hosts(count: int) -> list[Record]:
    rows: dict[str, Record] = {}
    for city in data.cities(3000):
        name = re.sub(r"[^a-z0-9]+", "-", city["name"].lower()).strip("-")
        if city["name"].isascii() and len(name) > 2:
            number = len(rows)
            rows[name] = {
                "host": name,
                "alias": f"{city['name']}, {city['country']}",
                "address": f"10.{number // 250}.{number % 250}.7",
                "group": city["country"],
            }
    return data.draw(list(rows.values()), count)


def _objects(hosts: list[Record]) -> Iterator[str]:
    for group in sorted({each["group"] for each in hosts}):
        members = ",".join(each["host"] for each in hosts if each["group"] == group)
        yield f"define hostgroup {{\n\thostgroup_name\t{group}\n\talias\tHosts of {group}\n\tmembers\t{members}\n\t}}"
    checks = "\tcheck_period\t24x7\n\tcheck_command\tping\n\tcontact_groups\tadmins\n\tnotification_period\t24x7\n\tmax_check_attempts\t3"
    for each in hosts:
        yield f"define host {{\n\thost_name\t{each['host']}\n\talias\t{each['alias']}\n\taddress\t{each['address']}\n{checks}\n\t}}"
    for each in hosts:
        yield f"define service {{\n\thost_name\t{each['host']}\n\tservice_description\tPING\n{checks}\n\t}}"


def _states(hosts: list[Record]) -> Iterator[str]:
    yield f"info {{\n\tcreated={_BEGAN}\n\tversion=4.4.6\n\t}}"
    yield f"programstatus {{\n\tnagios_pid=1\n\tdaemon_mode=1\n\tprogram_start={_BEGAN}\n\tenable_notifications=1\n\t}}"
    seen = f"\thas_been_checked=1\n\tlast_check={_BEGAN}\n\tlast_state_change={_BEGAN}\n\tchecks_enabled=1\n\tactive_checks_enabled=1"
    for number, each in enumerate(hosts):
        down = int(number % 40 == 0)
        yield f"hoststatus {{\n\thost_name={each['host']}\n\tcurrent_state={down}\n\tplugin_output=PING\n{seen}\n\t}}"
        yield (
            f"servicestatus {{\n\thost_name={each['host']}\n\tservice_description=PING\n\tcurrent_state={2 * down}\n"
            f"\tplugin_output=PING {'CRITICAL' if down else 'OK'}\n{seen}\n\t}}"
        )


def _alerts(hosts: list[Record]) -> list[Record]:
    """Every third host fell and came back, some of them twice."""
    fallen = hosts[::3] + hosts[::12]
    return [
        {"host": each["host"], "group": each["group"], "state": state} for each in fallen for state in ("DOWN", "UP")
    ]


def _log_line(record: Record) -> str:
    said = "PING CRITICAL - Packet loss = 100%" if record["state"] == "DOWN" else "PING OK - Packet loss = 0%"
    return f"HOST ALERT: {record['host']};{record['state']};HARD;3;{said}"


def _write_frames(place: Place) -> None:
    """Keep what its PHP pages say, which is the same for everybody."""
    site = place.state / "site"
    settings = site / "config.inc.php"
    settings.write_text(
        settings.read_text().replace("/cgi-bin/nagios4", "/cgi-bin").replace("/etc/nagios4", str(place.state))
    )
    for name in ("index", "side", "main", "map"):
        text = place.run("php", "-d", "display_errors=0", f"{name}.php", cwd=site)
        write_lines(site / f"{name}.html", [re.sub(r"\b(index|side|main|map)\.php", r"\1.html", text)])
    for path in site.rglob("*.php"):
        path.unlink()


def serve(place: Place) -> Server:
    server = cgi_server(place, place.state / "site")
    return Server(server.command, env={"NAGIOS_CGI_CONFIG": str(place.state / "cgi.cfg")})
