"""Turns displays on and off: by commands, and a projector that the test plays."""

import hashlib
import json
import os
import socketserver
import threading

from harness import EXIT_FAILED, WallTest, eventually

PASSWORD = "secret"


class Projector(socketserver.ThreadingTCPServer):
    """Speaks PJLink with a password. After "on" it reports once that it is warming up."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Conversation)
        self.answers = ["0"]  # to queries; the last one is repeated
        self.password = PASSWORD
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()

    def answer(self, command):
        if command == "%1POWR ?":
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.answers = {"%1POWR 1": ["3", "1"], "%1POWR 0": ["0"]}[command]
        return "OK"


class Conversation(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(b"PJLINK 1 498e4a67\r")
        digest = hashlib.md5(("498e4a67" + self.server.password).encode()).hexdigest()
        expected, received = digest, b""
        while data := self.request.recv(4096):
            received += data
            while b"\r" in received:
                line, received = received.split(b"\r", 1)
                command = line.decode()
                if not command.startswith(expected):
                    self.request.sendall(b"PJLINK ERRA\r")
                    return
                self.request.sendall(f"%1POWR={self.server.answer(command[len(expected):])}\r".encode())
                expected = ""  # only the first command has the digest


class IdlePower(WallTest):
    """Displays are off while nothing is shown."""

    grid = {"columns": 1, "rows": 1, "resolution": [64, 64]}
    manager_options = ("--launch", "--display", "null")

    def receiver_names(self):
        return []

    @property
    def wall_keys(self):
        display = self.folder / "display"
        return {"power_idle_min": 0.02, "receivers": [{"name": "node1"}],
                "power": {"on": ["sh", "-c", f"echo is on > {display}"], "off": ["sh", "-c", f"echo is off > {display}"],
                          "status": ["cat", str(display)], "status_on": "is on"}}

    def display(self):
        file = self.folder / "display"
        return file.read_text().strip() if file.exists() else ""

    def test_the_next_window_turns_them_on(self):
        self.wait_for_receivers("node1")
        eventually(lambda: self.display() == "is off", "nothing is shown")
        eventually(lambda: "1; the next window turns them on" in self.vitrail("status").stdout, "the status says why")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager()
        self.play("test:64x64@10")
        eventually(lambda: self.display() == "is on", "a window is shown")
        self.assertNotIn("the next window", self.vitrail("status").stdout)


class Power(WallTest):
    """The manager starts the receivers: node1 has commands, node2 a projector, and node3 a command that hangs."""

    grid = {"columns": 3, "rows": 1, "resolution": [64, 64]}
    manager_options = ("--launch", "--display", "null")

    def setUp(self):
        self.projector = Projector()
        self.addCleanup(self.projector.end)
        super().setUp()
        self.wait_for_receivers("node1", "node2", "node3")

    def receiver_names(self):
        return []

    @property
    def wall_keys(self):
        (self.folder / "password").write_text(PASSWORD + "\n")
        return {
            "power": self.commands(f"cat {self.folder}/display"),
            "receivers": [
                {"name": "node1"},
                {"name": "node2", "power": {"pjlink": "127.0.0.1", "port": self.projector.server_address[1],
                                            "password_file": str(self.folder / "password")}},
                {"name": "node3", "power": self.commands(f"echo $$ > {self.folder}/pid; sleep 1000; true")}]}

    def commands(self, status):
        return {"on": ["sh", "-c", f"echo is on > {self.folder}/display"],
                "off": ["sh", "-c", f"echo is off > {self.folder}/display"],
                "status": ["sh", "-c", status], "status_on": "is on"}

    def displays(self, *arguments, **options):
        """The power by tile that `vitrail power` prints."""
        result = json.loads(self.vitrail("--json", "power", *arguments, **options).stdout)
        return {display["tile"]: display["power"] for display in result["displays"]}

    def test_displays_are_turned_on_and_off(self):
        self.assertEqual(self.displays("on", "node1", "node2"), {"c1r1": "on", "c2r1": "on"})
        self.assertEqual((self.folder / "display").read_text(), "is on\n")
        self.assertEqual(self.projector.answers, ["1"])
        self.assertEqual(self.displays("status", "c2r1", "node1"), {"c1r1": "on", "c2r1": "on"})

        self.assertEqual(self.displays("off", "c2r1"), {"c2r1": "off"})
        self.assertEqual(self.displays("status", "node1", "node2"), {"c1r1": "on", "c2r1": "off"})
        receivers = {receiver["name"]: receiver for receiver in self.state()["receivers"]}
        self.assertEqual(receivers["node2"]["power"], [{"tile": "c2r1", "power": "off"}])
        self.assertNotIn("power", receivers["node3"])
        self.assertRegex(self.vitrail("power", "status", "node1").stdout, r"(?m)^c1r1 +node1 +on *$")

    def test_what_is_not_known_is_told(self):
        self.projector.password = "another"
        failed = self.vitrail("power", "status", "node2", expect=EXIT_FAILED)
        self.assertRegex(failed.stdout, "c2r1 +node2 +unknown +projector 127.0.0.1: .*password")
        self.assertIn("'nowhere'", self.vitrail("power", "on", "nowhere", expect=EXIT_FAILED).stderr)

    def test_a_command_that_hangs_is_ended(self):
        failed = self.vitrail("power", "status", "node3", expect=EXIT_FAILED)
        self.assertRegex(failed.stdout, "c3r1 +node3 +unknown +.*did not end within 10 s")
        pid = int((self.folder / "pid").read_text())
        eventually(lambda: not os.path.exists(f"/proc/{pid}"), "the command has ended")
        self.assertEqual(self.displays("on", "node1"), {"c1r1": "on"})
