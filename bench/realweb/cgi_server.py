"""Serve a folder of files and its CGI programs: PORT FOLDER."""

import os
import sys
from http.server import CGIHTTPRequestHandler, ThreadingHTTPServer


class Handler(CGIHTTPRequestHandler):
    """Files, and programs in /cgi-bin."""

    have_fork = False  # programs are started with subprocess: threads and fork do not mix


os.chdir(sys.argv[2])
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
