"""One port for the whole web: nginx tells the virtual hosts apart."""

from __future__ import annotations

import os
from pathlib import Path

from bench.install import find_nginx
from bench.realweb.place import HOME, PROXY_PORT, Place, Server

_CONFIG = """
{user}
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/error.log warn;
events {{ worker_connections 2048; }}
http {{
  access_log off;
  default_type text/html;
  charset utf-8;
  types {{ text/html html htm; text/plain txt; text/css css; text/javascript js; application/json json;
           image/png png; image/svg+xml svg; image/jpeg jpg; }}
  server_names_hash_bucket_size 128;
  client_body_temp_path {home}/t1; proxy_temp_path {home}/t2; fastcgi_temp_path {home}/t3;
  uwsgi_temp_path {home}/t4; scgi_temp_path {home}/t5;
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header Connection "";
  proxy_read_timeout 60s;
  server {{ listen 127.0.0.1:{port} default_server; return 404; }}
{hosts}
}}
"""
_PASS = "  server {{ listen 127.0.0.1:{port}; server_name {host}; location / {{ proxy_pass http://127.0.0.1:{to}; }} }}"
_FILES = "  server {{ listen 127.0.0.1:{port}; server_name {host}; root {folder}; index index.html; }}"


def write_config(servers: list[tuple[Place, Server]]) -> Path:
    """Write nginx's configuration for these programs."""
    home = HOME / "proxy"
    home.mkdir(parents=True, exist_ok=True)
    hosts = []
    for place, server in servers:
        pattern = _FILES if server.folder else _PASS
        hosts.append(pattern.format(port=PROXY_PORT, host=place.host, to=place.port, folder=server.folder))
    user = "user root;" if os.geteuid() == 0 else ""  # the worker must read the folders, wherever they lie
    config = home / "nginx.conf"
    config.write_text(_CONFIG.format(user=user, home=home, port=PROXY_PORT, hosts="\n".join(hosts)))
    return config


def proxy_command(config: Path) -> tuple[str, ...]:
    """Return the command that runs nginx in the foreground."""
    return (find_nginx(), "-p", str(config.parent), "-c", str(config), "-e", str(config.parent / "error.log"))
