"""`python -m bench.realweb`: start, end, describe and check the web of real software."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from bench.install import Missing
from bench.realweb import web
from bench.realweb.check import check_site, survey
from bench.realweb.labelled import keep_pages
from bench.realweb.place import DOMAIN, PROXY_PORT
from bench.realweb.score import read_rows, score_forms
from bench.realweb.truth import FormPurpose, TrueSite, load_sites

# Every host, not only those of this web: pages name sites elsewhere, and nobody's server is asked. They answer 404.
OPTIONS = f"--connect-to '*=127.0.0.1:{PROXY_PORT}' --allow-private --delay 0"


def main() -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="python -m bench.realweb", description=__doc__)
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("names", nargs="*", help="programs, all of them where none is named; for score: files")
    parser.add_argument("--json", action="store_true", help="truth: as JSON")
    parser.add_argument("-o", "--output", default="pages.jsonl", help="pages: the file to write")
    options = parser.parse_args()
    try:
        return COMMANDS[options.command](options)
    except Missing as reason:
        print(reason, file=sys.stderr)
        return 1


def up(options: argparse.Namespace) -> int:
    """Install and fill what is not yet, and start everything."""
    began = time.monotonic()
    chosen = web.programs(options.names)
    ready = web.prepare(chosen, print)
    silent = web.start(ready, print)
    print(f"{len(ready) - len(silent)} of {len(chosen)} programs run after {time.monotonic() - began:.1f} s")
    return 0 if len(ready) == len(chosen) and not silent else 1


def down(options: argparse.Namespace) -> int:
    """End what was started."""
    web.stop(web.programs(options.names), print)
    return 0


def status(options: argparse.Namespace) -> int:
    """Print how each program is."""
    states = [web.state(program) for program in web.programs(options.names)]
    print(f"{'program':14} {'version':28} {'runs':5} {'MB':>5} {'records':>8} {'install s':>10} {'fill s':>7}")
    for each in states:
        print(
            f"{each.name:14} {each.version:28.28} {'yes' if each.running else 'no':5} {each.megabytes:5} "
            f"{each.records:8} {each.install_seconds:10} {each.fill_seconds:7}"
        )
    print(f"{'together':14} {'':28} {sum(each.running for each in states):<5} {sum(s.megabytes for s in states):5}")
    return 0


def urls(options: argparse.Namespace) -> int:
    """Print the entrances, and how Dowse is told where they are."""
    for site in load_sites(options.names):
        print(site.entrance)
    print(f"\ndowse find http://hub.{DOMAIN}/ {OPTIONS}")
    return 0


def truth(options: argparse.Namespace) -> int:
    """Print what is true."""
    sites = load_sites(options.names)
    if options.json:
        print(json.dumps([asdict(site) for site in sites], default=str, indent=1))
        return 0
    for site in sites:
        _print_truth(site)
    doors = [form for site in sites for form in site.doors]
    print(
        f"{len(sites)} sites, {sum(len(site.forms) for site in sites)} forms, {len(doors)} doors to databases "
        f"({sum(form.depth is not None for form in doors)} for a polite crawler), "
        f"{sum(base.count for site in sites for base in site.databases)} records"
    )
    return 0


def _print_truth(site: TrueSite) -> None:
    print(f"{site.entrance}  {site.software}: {site.about}")
    for database in site.databases:
        print(f"  {database.count:7} records of {database.name}: {database.path}")
    for form in site.forms:
        depths = f"{_depth(form.depth)}/{_depth(form.impolite_depth)}"
        print(f"  {form.purpose:12} {depths:5} {form.name:22} {form.page}{'  (browser)' if form.browser else ''}")
        for query in form.queries if form.purpose in (FormPurpose.DATABASE, FormPurpose.SITE_SEARCH) else ():
            print(f"{'':22} {query.send} -> {query.count}")


def _depth(depth: int | None) -> str:
    return "-" if depth is None else str(depth)


def check(options: argparse.Namespace) -> int:
    """Compare the truth with an independent crawl."""
    wrong = 0
    for site in load_sites(options.names):
        result = check_site(site)
        wrong += bool(result.faults)
        print(
            f"{site.name:14} {result.pages:5} pages politely, {result.impolite_pages:5} not, {result.forms:3} forms, "
            f"{result.queries:3} queries: {'wrong' if result.faults else 'holds'}"
        )
        for fault in result.faults:
            print(f"    {fault}")
    return 1 if wrong else 0


def show_forms(options: argparse.Namespace) -> int:
    """Describe the forms a visitor meets, for somebody who writes the truth."""
    for site in load_sites(options.names):
        for line in survey(site):
            print(line)
    return 0


def write_pages(options: argparse.Namespace) -> int:
    """Write pages with their labelled forms, for `dowse train forms --pages`."""
    files = [keep_pages(name, print) for name in options.names or web.NAMES]
    Path(options.output).write_text("".join(path.read_text(encoding="utf-8") for path in files), encoding="utf-8")
    return 0


def score(options: argparse.Namespace) -> int:
    """Compare exports of forms with the truth."""
    sites = load_sites()
    for path in options.names:
        result = score_forms(read_rows(Path(path)), sites)
        print(
            f"{path}: {result.found} of {result.wanted} doors found ({result.recall:.2f}), precision {result.precision:.2f}; "
            f"{result.claimed} rows claim to be doors, {result.unknown} rows match no true form"
        )
        for title, names in (("missed", result.missed), ("misjudged", result.misjudged), ("false", result.false_doors)):
            print(f"  {title}: {'; '.join(names) or 'none'}")
    return 0


COMMANDS = {
    "up": up,
    "down": down,
    "status": status,
    "urls": urls,
    "truth": truth,
    "check": check,
    "forms": show_forms,
    "pages": write_pages,
    "score": score,
}

if __name__ == "__main__":
    sys.exit(main())
