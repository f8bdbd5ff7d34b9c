"""No secret that people give to a wall is seen where others can read it.

A wall with a standby runs with a secret in every place where people may put one. Then everything that the programs print,
write, answer and show to other users of the machine is searched for the secrets. In the end all programs crash.
"""

import base64
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import socket
import stat
import subprocess
import unittest

from harness import Control, WallTest, eventually, free_port, key_named, run
from web import request

PLACES = ("key", "password", "camera", "token", "desktop", "s3", "wrong", "stream", "hook", "header")


class Secrets(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def setUp(self):
        self.secret = {place: f"{place}{os.urandom(12).hex()}" for place in PLACES}
        self.secret["signature"] = base64.b64encode(os.urandom(32)).decode()
        self.printed = {}  # by what printed it
        # As on a machine that keeps dumps.
        before = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, before)
        super().setUp()
        self.operator = key_named(self.secret["key"], "operator")
        self.secret["operator"] = self.operator.partition(":")[2]
        self.standby = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "off",
                                  "--state", self.folder / "second", "--standby-of", f"127.0.0.1:{self.port}")
        eventually(lambda: "standing by for" in self.output(self.standby), "the standby follows")
        # Connections are accepted and never answered, so that programs stay that have passwords.
        self.silent = socket.create_server(("127.0.0.1", free_port()))
        self.addCleanup(self.silent.close)
        self.address = "127.0.0.1:{}".format(self.silent.getsockname()[1])

    @property
    def wall_keys(self):
        files = {"secret_file": str(self.file("signature", "whsec_" + self.secret["signature"])),
                 "headers_file": str(self.file("header", "X-Token: " + self.secret["header"]))}
        return {"webhooks": [{"name": "desk", "url": f"http://127.0.0.1:1/{self.secret['hook']}", "on": ["window_opened"], **files}]}

    def file(self, name, text):
        path = self.folder / "given" / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
            path.chmod(0o600)
        return path

    def env(self, **more):
        key_file = self.file("key", self.secret["key"])
        return super().env(**{"VITRAIL_KEY_FILE": str(key_file), "AWS_ACCESS_KEY_ID": "somebody",
                              "AWS_SECRET_ACCESS_KEY": self.secret["s3"], "AWS_ENDPOINT_URL": "http://127.0.0.1:1", **more})

    def start(self, program, *arguments, **options):
        return super().start(program, *arguments, cwd=self.folder, **options)

    def say(self, *words, **env):
        """Runs a command, whether it succeeds or not, and keeps what it prints."""
        done = run("vitrail", *words, env=self.env(**env), cwd=self.folder)
        self.printed[" ".join(map(str, words))] = done.stdout + done.stderr
        return done

    def ours(self):
        """The processes of this wall."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and str(self.folder).encode() in (entry / "environ").read_bytes():
                    yield entry
            except OSError:
                continue

    def urls(self):
        camera, token, desktop = (self.secret[place] for place in ("camera", "token", "desktop"))
        return (f"rtsp://ann:{camera}@{self.address}/door", f"http://{self.address}/film.mp4?token={token}",
                f"vnc://ann:{desktop}@{self.address}", "s3://films/film.mkv", f"https://ann:{camera}@127.0.0.1:1/film.mp4")

    def use(self):
        """Uses each secret, rightly and wrongly."""
        self.say("user", "add", "ann", "--role", "viewer", "--password-file", self.file("password", self.secret["password"]))
        self.say("ls", VITRAIL_KEY_FILE=str(self.file("operator", self.operator)))
        self.say("ls", "--json", VITRAIL_KEY_FILE=str(self.file("wrong", self.secret["wrong"])))
        for number, url in enumerate(self.urls()):
            self.say("source", "save", url, "--title", f"source {number}")
        with Control(self.port, self.secret["key"]) as control:
            for number, url in enumerate(self.urls()):  # not answered before the player gives up
                control.send(json.dumps({"jsonrpc": "2.0", "id": 100 + number, "method": "play",
                                         "params": {"media": [url]}}) + "\n")
            self.start("vitrail-recorder", f"rtmp://ann:{self.secret['camera']}@{self.address}/live/{self.secret['stream']}")
            self.start("vitrail-recorder", f"srt://{self.address}?streamid=publish:{self.secret['stream']}")
            eventually(lambda: {"bplay", "vitrail-recorde", "vitrail-hooks"} <= self.look().keys(), "all these programs run")
            # Programs hide passwords in their arguments right after their start.
            eventually(lambda: not any(secret in line for line in self.look().values() for secret in self.secret.values()),
                       "no argument shows a secret")
        for words in (("play", self.urls()[-1]), ("play", "rtsp://ann:" + self.secret["camera"] + "@127.0.0.1:1/door"),
                      ("ls", "--json"), ("stats", "--json"), ("source", "ls", "--json"), ("user", "list"), ("history",),
                      ("journal",), ("journal", "--json"), ("webhooks",), ("webhooks", "test"), ("why",), ("logs",), ("session", "save", "all"), ("doctor",)):
            self.say(*words)

    @staticmethod
    def read(path):
        try:
            return path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""

    def look(self):
        """Keeps the processes' environments, which end with them. Returns {program: its arguments}."""
        seen = {}
        for entry in self.ours():
            name, line = self.read(entry / "comm").strip(), self.read(entry / "cmdline")
            seen[name] = seen.get(name, "") + line
            # Programs have this secret from the environment in which the test starts them.
            self.printed[f"the environment of {entry.name}, {name}"] = self.read(entry / "environ").replace(self.secret["s3"], "")
        return seen

    def answers(self):
        for method, path, role in (("GET", "/metrics", "metrics"), ("POST", "/api/list", "viewer"),
                                   ("POST", "/api/sources", "viewer"), ("POST", "/api/journal", "admin")):
            headers = {"Authorization": f"Bearer {key_named(self.secret['key'], role)}", "Content-Type": "application/json"}
            status, _, body = request(self.page_port, method, path, body=b"{}" if method == "POST" else None, headers=headers)
            self.assertEqual(status, 200, (path, body))
            yield path, body.decode(errors="replace")

    def files(self):
        """{path: text} of all files of this wall, except those with the secrets that this test gives to the programs."""
        given = self.folder / "given"
        return {path: self.read(path) for path in self.folder.rglob("*")
                if path.is_file() and given not in path.parents and path != self.wall_file}

    def dumps(self):
        return [path for path in self.folder.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]

    def crash(self):
        """Makes all programs of the wall crash, and those that they start again."""
        for entry in self.ours():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(entry.name), signal.SIGABRT)
        return not list(self.ours())

    def test_crashes_leave_no_memory_behind(self):
        self.start("bplay", "test:320x180")
        self.start("vitrail-recorder", self.folder / "wall.mkv")
        self.start("vitrail-convert", f"http://{self.address}/film.mp4", self.folder / "film.vmov")
        programs = {"vitrail-manager", "vitrail-receive", "vitrail-recorde", "vitrail-hooks", "vitrail-convert", "bplay"}
        eventually(lambda: programs <= self.look().keys(), "all these programs run")
        # Programs set the limit right after their start.
        eventually(lambda: all(re.search(r"Max core file size +[01] ", self.read(entry / "limits")) for entry in self.ours()),
                   "no program may be dumped")
        eventually(self.crash, "all programs crash")
        self.assertEqual(self.dumps(), [])
        # This machine writes dumps to the working folder, or gives them to a program that the limit stops, too.
        subprocess.run(["sh", "-c", "kill -ABRT $$"], cwd=self.folder, check=False)
        if not self.dumps():
            self.skipTest("this machine writes no dumps to the working folder: only limits were checked")

    def test_a_whole_run(self):
        self.use()
        self.printed |= dict(self.answers())
        for place, secret in self.secret.items():
            for where, text in self.printed.items():
                self.assertNotIn(secret, text, f"the {place} in {where}")
            for path, text in self.files().items():
                if secret not in text:
                    continue
                # A saved source keeps its password, readable by this user only.
                self.assertIn(place, ("camera", "token"), path)
                self.assertEqual(path.name, "urls.json", place)
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)


if __name__ == "__main__":
    unittest.main()
