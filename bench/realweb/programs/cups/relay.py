"""Pass requests on to a daemon behind a socket that answers to no other name than localhost: PORT SOCKET."""

import socket
import sys
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Local(HTTPConnection):
    """A connection to a socket in the file system."""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(sys.argv[2])


class Relay(BaseHTTPRequestHandler):
    """Asks the daemon what it is asked itself."""

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kept = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "connection")}
        connection = Local("localhost")
        connection.request(self.command, self.path, body, kept)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        self.send_response(answer.status)
        for key, value in answer.getheaders():
            if key.lower() not in ("connection", "content-length", "transfer-encoding", "keep-alive", "date", "server"):
                self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Relay).serve_forever()
