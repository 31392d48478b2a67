"""nginx on loopback, one worker on one core, answering every virtual host from a folder."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.install import Missing, find_nginx
from bench.places import SCRATCH, empty_folder
from bench.timing import SERVER_CORE, pin

# Crawlers that cannot be told where a name lives use this server as their HTTP proxy: nginx takes the host from the
# request line (RFC 9112, section 3.2.2), so they get the same files.
CONFIG = """
{user}
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/error.log warn;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  default_type text/html;
  types {{ text/html html; text/plain txt; }}
  charset utf-8;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 60s;
  keepalive_requests 1000000;
  open_file_cache max=20000 inactive=600s;
  open_file_cache_valid 600s;
  client_body_temp_path {home}/t1; proxy_temp_path {home}/t2; fastcgi_temp_path {home}/t3;
  uwsgi_temp_path {home}/t4; scgi_temp_path {home}/t5;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {folder}/$host;
    index index.html;
  }}
}}
"""


@contextmanager
def serve_pages(folder: str) -> Iterator[int]:
    """Serve a page set; gives the port."""
    home = empty_folder(SCRATCH / "nginx")
    port = free_port()
    config = home / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # the worker must read the checkout, wherever it lies
    config.write_text(CONFIG.format(home=home, port=port, folder=folder, user=user))
    command = [*pin(SERVER_CORE), find_nginx(), "-p", str(home), "-c", str(config), "-e", str(home / "error.log")]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, server, home)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, server: subprocess.Popen[bytes], home: Path) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        if server.poll() is not None:
            break
        time.sleep(0.05)
    said = (home / "error.log").read_text().strip() if (home / "error.log").exists() else ""
    raise Missing(f"nginx did not start: {said.splitlines()[-1] if said else 'no reason given'}")
