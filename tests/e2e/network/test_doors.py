"""Every key at every door of a wall: ports and paths of the manager, film server, disk server, guest, WHIP, WHEP and the
receiver's role. What is expected comes from the table "Doors" of SECURITY.md; verbs are walked in test_rights."""

import hashlib
import json
import os
import re
import socket
import struct
import time
import unittest

from harness import BIN, PATIENCE_S, ROOT, Control, WallTest, authorization, eventually, key_named, proof
from web import WebSocket, request

SECRET = "open sesame, please"
TOKEN = "a token of its own"
FILM = "clip.mp4"
ENDED = "viewer/until-1"
OWN = "the door's own secret"
ROLES = ("viewer", "application", "presenter", "operator", "admin", "receiver", "metrics")
ASK, CHALLENGE, PROVE, WELCOME = range(1, 5)  # messages of disk servers
GUEST_S = 20


def table():
    """{door: who may enter} of the rows "| door | `key` … |" in SECURITY.md."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## Doors")[2].partition("\n## ")[0]
    return {door: set(re.findall(r"`([a-z ]+)`", keys)) for door, keys in re.findall(r"^\| ([^|]+) \| (`[^|]+) \|$", text, re.MULTILINE)}


def digest(key, method, path, challenge):
    """The answer to a challenge of HTTP or RTSP (Digest)."""
    md5 = lambda *words: hashlib.md5(":".join(words).encode()).hexdigest()
    realm, nonce = (re.search(f'{name}="([^"]+)"', challenge)[1] for name in ("realm", "nonce"))
    user, _, secret = key.rpartition(":")
    response = md5(md5(user, realm, secret), nonce, md5(method, path))
    return f'Digest username="{user}", realm="{realm}", nonce="{nonce}", uri="{path}", response="{response}"'


@unittest.skipUnless((BIN / "vitrail-whip").exists(), "was built without WebRTC")
class Doors(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    @property
    def manager_options(self):
        return ("--uploads", self.folder)

    def receiver_names(self):
        return []

    def env(self, **more):
        return super().env(VITRAIL_KEY=SECRET, VITRAIL_WHIP_TOKEN=TOKEN, **more)

    def port_of(self, process, file):
        eventually(lambda: file.exists() and file.read_text().strip() or process.poll() is not None, "it listens")
        self.assertIsNone(process.poll(), self.output(process))
        return int(file.read_text())

    def setUp(self):
        super().setUp()
        (self.folder / "films").mkdir()
        self.clip(f"films/{FILM}", seconds=1)
        files = {name: self.folder / f"{name}-port" for name in ("films", "http", "rtsp", "disk", "whip")}
        films = self.start("vitrail-server", "--films", self.folder / "films", "--listen", "127.0.0.1:0", "--port-file", files["films"],
                           "--http", "127.0.0.1:0", "--http-port-file", files["http"], "--rtsp", "127.0.0.1:0", "--rtsp-port-file",
                           files["rtsp"])
        (self.folder / "parts").mkdir()
        disk = self.start("vitrail-server", "--role", "disk", "--films", self.folder / "parts", "--listen", "127.0.0.1:0", "--port-file",
                          files["disk"])
        whip = self.start("vitrail-whip", "--manager", f"127.0.0.1:{self.port}", "--listen", "127.0.0.1:0", "--port-file", files["whip"])
        self.ports = {name: self.port_of({"disk": disk, "whip": whip}.get(name, films), file) for name, file in files.items()}
        recorder = self.start("vitrail-recorder", "http://127.0.0.1:0/whep", "--size", "64x36")
        says = lambda: re.search(r"page: http://127.0.0.1:(\d+)/#key=(\w+)", self.output(recorder))
        eventually(lambda: says() or recorder.poll() is not None, "the recorder says where it serves")
        self.ports["whep"], self.whep_token = says().groups()
        self.guest = None
        self.keys = {"nothing": "", "wrong": "a secret of nobody",
                     "wall": SECRET, "its own secret": OWN, "link": key_named(SECRET, "watch/wall/until-9999999999"),
                     **{name: key_named(SECRET, name) for name in (*ROLES, ENDED)}}

    # --- doors; each returns whether it opens to the key

    def asks_page(self, method, path, key, headers=None):
        """A request of the page, which proves the session of a control connection."""
        named = {"Tus-Resumable": "1.0.0", **(headers or {})}
        with WebSocket(self.page_port) as page:
            answer = page.hello(key)
            if "result" in answer:
                named["Authorization"] = authorization(answer["result"], method, path.partition("?")[0], 1)
            status, _, body = request(self.page_port, method, path, headers=named)
        self.assertIn(status, (200, 201, 204, 401, 403, 404, 503), body)  # 503: the wall has no receiver
        return status not in (401, 403)

    def bears(self, port, method, path, key, body=None, accepted=(200,), headers=None):
        named = {"Authorization": f"Bearer {key}"} if key else {}
        status, _, answer = request(port, method, path, body=body, headers={**named, **(headers or {})})
        self.assertIn(status, (401, 403, *accepted), answer)
        return status in accepted

    def joins(self, port, key, **hello):
        with Control(port, hello=False) as control:
            answer = control.hello(key, **hello)
            if "error" in answer:
                self.assertEqual(answer["error"]["data"]["name"], "unauthorized", answer)
            return "result" in answer

    def gets_film(self, key):
        path = f"/{FILM}"
        status, headers, _ = request(self.ports["http"], "GET", path)
        if status == 401 and key:
            challenge = headers["www-authenticate"]
            status, _, _ = request(self.ports["http"], "GET", path, headers={"Authorization": digest(key, "GET", path, challenge)})
        self.assertIn(status, (200, 401))
        return status == 200

    def plays_film(self, key):
        url = f"rtsp://127.0.0.1:{self.ports['rtsp']}/{FILM}"
        with socket.create_connection(("127.0.0.1", self.ports["rtsp"]), timeout=PATIENCE_S) as line:
            lines = line.makefile("r", encoding="utf-8", newline="")

            def describe(number, proven=""):
                line.sendall(f"DESCRIBE {url} RTSP/1.0\r\nCSeq: {number}\r\n{proven}\r\n".encode())
                status, challenge = int(lines.readline().split()[1]), ""
                while header := lines.readline().strip():
                    name, _, value = header.partition(":")
                    challenge = value if name.lower() == "www-authenticate" else challenge
                return status, challenge
            status, challenge = describe(1)
            if status == 401 and key:
                status, _ = describe(2, f"Authorization: {digest(key, 'DESCRIBE', url, challenge)}\r\n")
        self.assertIn(status, (200, 401))
        return status == 200

    def reads_parts(self, key):
        name, _, secret = key.rpartition(":")
        nonce = os.urandom(16).hex()
        with socket.create_connection(("127.0.0.1", self.ports["disk"]), timeout=PATIENCE_S) as line:
            answers = line.makefile("rb")

            def ask(kind, body):
                line.sendall(b"VTRD" + struct.pack("<BBHII", 1, kind, 0, 0, len(body)) + body)
                head = answers.read(16)
                if len(head) < 16:
                    return None, b""
                return head[5], answers.read(struct.unpack("<I", head[12:])[0])
            kind, body = ask(ASK, (nonce + name).encode() if secret else b"")
            if kind != CHALLENGE:
                return kind == WELCOME
            words = (name, nonce, body[:32].decode())
            return ask(PROVE, proof(secret, "vitrail peer", *words, "disk").encode())[0] == WELCOME

    def shares(self, key):
        if not self.guest or time.monotonic() > self.guest["ends"]:  # a guest waits for 30 s
            with Control(self.port, SECRET) as admin:
                self.guest = {**admin.call("invite")["result"], "ends": time.monotonic() + GUEST_S}
        secret = key.rpartition(":")[2][:32] if key != OWN else self.guest["secret"]
        with WebSocket(self.guest["port"], origin=f"http://127.0.0.1:{self.guest['port']}", subprotocol="vitrail-guest",
                       path="/guest") as page:
            page.send(json.dumps({"type": "hello", "secret": secret}))
            answer = page.receive()
            return answer is not None and json.loads(answer)["type"] == "ready"

    def doors(self):
        """Names as in the table."""
        sdp = {"Content-Type": "application/sdp"}
        return {
            "`/healthz`": lambda key: self.asks_page("GET", "/healthz", key),
            "`/control`": lambda key: "result" in self.hello_page(key),
            "manager, role `ui`": lambda key: self.joins(self.port, key),
            "manager, role `application`": lambda key: self.joins(self.port, key, role="application"),
            "manager, role `receiver`": lambda key: self.joins(self.port, key, role="receiver", name="node1", data_port=5001,
                                                               codecs=["dxt1"]),
            "`/preview`": lambda key: self.asks_page("GET", "/preview?source=none", key),
            "`/preview?window=`": lambda key: self.asks_page("GET", "/preview?window=1&page=1", key),
            "`/uploads`": lambda key: self.asks_page("POST", "/uploads", key, {"Upload-Length": "5", "Upload-Metadata": "filename YS5tcDQ="}),
            "`/metrics`, session": lambda key: self.asks_page("GET", "/metrics", key),
            "`/metrics`, `Bearer`": lambda key: self.bears(self.page_port, "GET", "/metrics", key),
            "`/api/list`": lambda key: self.bears(self.page_port, "POST", "/api/list", key, b"{}"),
            "`/api/event/NAME`": lambda key: self.bears(self.page_port, "POST", "/api/event/door", key, b"{}"),
            "`/api/events`": lambda key: self.opens_events(key),
            "film server, role `ui`": lambda key: self.joins(self.ports["films"], key),
            "film server, HTTP": self.gets_film,
            "film server, RTSP": self.plays_film,
            "disk server": self.reads_parts,
            "guest": self.shares,
            "`vitrail whip`": lambda key: self.bears(self.ports["whip"], "POST", "/whip", TOKEN if key == OWN else key, b"v=0\r\n",
                                                     (400,), sdp),
            "`vitrail cast`, WHEP": lambda key: self.bears(int(self.ports["whep"]), "POST", "/whep", self.whep_token if key == OWN else key,
                                                           b"v=0\r\n", (400, 503), sdp)}  # 503: nothing was recorded yet

    def hello_page(self, key):
        with WebSocket(self.page_port) as page:
            return page.hello(key)

    def opens_events(self, key):
        with socket.create_connection(("127.0.0.1", self.page_port), timeout=PATIENCE_S) as line:
            named = f"Authorization: Bearer {key}\r\n" if key else ""
            line.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self.page_port}\r\n{named}\r\n".encode())
            status = int(line.makefile("rb").readline().split()[1])
        self.assertIn(status, (200, 401, 403))
        return status == 200

    def test_each_key_at_each_door(self):
        doors, told = self.doors(), table()
        self.assertEqual(list(doors), list(told), "the table has these doors")
        for door, opens in doors.items():
            expected = set(self.keys) if told[door] == {"everybody"} else told[door]
            found = {name for name, key in self.keys.items() if opens(key)}
            with self.subTest(door=door):
                self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
