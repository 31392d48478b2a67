"""Serve a folder of files and the CGI programs (RFC 3875) of its `cgi-bin`: PORT FOLDER."""

import os
import subprocess
import sys
from email.parser import BytesHeaderParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit


class FilesAndPrograms(SimpleHTTPRequestHandler):
    """Files; and programs with their Status and Location, which the standard library's handler does not heed."""

    def do_GET(self):
        if self.path.startswith("/cgi-bin/"):
            self.answer_with_program(b"")
        else:
            super().do_GET()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/cgi-bin/"):
            self.answer_with_program(body)
        else:
            self.send_error(405)

    def answer_with_program(self, body):
        """Run a program and pass on what it says."""
        parts = urlsplit(self.path)
        name, _, rest = parts.path.removeprefix("/cgi-bin/").partition("/")
        program = os.path.join(os.getcwd(), "cgi-bin", os.path.basename(unquote(name)))
        if not os.path.isfile(program):
            self.send_error(404)
            return
        env = self.environment(
            parts.query, f"/cgi-bin/{name}", f"/{unquote(rest)}" if parts.path.count("/") > 2 else ""
        )
        done = subprocess.run(
            [program], input=body, env=env | {"SCRIPT_FILENAME": program}, capture_output=True, check=False
        )
        sys.stderr.write(done.stderr.decode("utf-8", "replace"))
        head, content = split_answer(done.stdout)
        said = BytesHeaderParser().parsebytes(head)
        status = said.get("Status", "302 Found" if "Location" in said else "200 OK").split()[0]
        self.send_response(int(status))
        for key, value in said.items():
            if key.lower() not in ("status", "content-length"):
                self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def environment(self, query, script, rest):
        """Return what a program is told about the request."""
        host = self.headers.get("Host", "localhost")
        told = {f"HTTP_{key.upper().replace('-', '_')}": value for key, value in self.headers.items()}
        return {
            **os.environ,
            **told,
            "GATEWAY_INTERFACE": "CGI/1.1",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "SERVER_SOFTWARE": "cgi_server",
            "SERVER_NAME": host.split(":")[0],
            "SERVER_PORT": "80",
            "REMOTE_ADDR": "127.0.0.1",
            "REQUEST_METHOD": self.command,
            "REQUEST_URI": self.path,
            "QUERY_STRING": query,
            "SCRIPT_NAME": script,
            "PATH_INFO": rest,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": self.headers.get("Content-Length", ""),
        }


def split_answer(said):
    """Return head and content of what a program wrote; lines end with or without a carriage return."""
    ends = [(said.find(mark), len(mark)) for mark in (b"\r\n\r\n", b"\n\n")]
    place, length = min((end for end in ends if end[0] >= 0), default=(len(said), 0))
    return said[:place], said[place + length :]


if __name__ == "__main__":
    os.chdir(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), FilesAndPrograms).serve_forever()
