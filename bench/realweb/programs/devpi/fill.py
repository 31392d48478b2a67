"""Upload a small source distribution for each project, then wait until all can be found; run by the program's own Python."""

import base64
import io
import json
import sys
import tarfile
import time
import urllib.request
import uuid

server = f"http://127.0.0.1:{sys.argv[1]}"


def call(method, path, body=None, headers=None):
    request = urllib.request.Request(server + path, data=body, method=method, headers=headers or {})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.read()


def send(path, fields, name, content):
    border = uuid.uuid4().hex
    parts = [
        f'--{border}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    head = f'--{border}\r\nContent-Disposition: form-data; name="content"; filename="{name}"\r\n\r\n'
    body = b"".join([*parts, head.encode(), content, f"\r\n--{border}--\r\n".encode()])
    call("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={border}"})


def pack(project):
    made = io.BytesIO()
    text = f"Metadata-Version: 1.1\nName: {project['name']}\nVersion: {project['version']}\n".encode()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        member = tarfile.TarInfo(f"{project['name']}-{project['version']}/PKG-INFO")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    return made.getvalue()


login = json.dumps({"user": "root", "password": "loopback"}).encode()
token = json.loads(call("POST", "/+login", login, {"Content-Type": "application/json"}))["result"]["password"]
secret = base64.b64encode(f"root:{token}".encode()).decode()
index = json.dumps({"type": "stage", "bases": [], "volatile": True, "acl_upload": [":ANONYMOUS:"]}).encode()
call("PUT", "/root/science", index, {"Content-Type": "application/json", "X-Devpi-Auth": secret})
with open(sys.argv[2], encoding="utf-8") as lines:
    projects = [json.loads(line) for line in lines]
for project in projects:
    known = {
        ":action": "file_upload",
        "protocol_version": "1",
        "filetype": "sdist",
        "metadata_version": "1.1",
        **project,
    }
    send("/root/science/", known, f"{project['name']}-{project['version']}.tar.gz", pack(project))
until = time.monotonic() + 240
while (
    projects[-1]["name"].encode() not in call("GET", f"/+search?query={projects[-1]['name']}")
    and time.monotonic() < until
):
    time.sleep(1)
