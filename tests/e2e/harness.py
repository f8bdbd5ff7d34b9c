"""A wall of real programs on loopback for the end-to-end tests.

Every program is ended by its handle, ports are chosen by the system (or by free_port), and nothing sleeps for a fixed time:
`eventually` waits for a condition.
"""

import hashlib
import hmac
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("VITRAIL_BIN", ROOT / "build" / "bin"))
# Sanitizers slow everything down.
PATIENCE_S = float(os.environ.get("VITRAIL_TEST_PATIENCE_S", "30"))

# Reasons for which no frame may be dropped while managers and nodes come and go, however slow the machine; other
# drops mean lateness. With ThreadSanitizer, layouts are late too.
NEVER_DROPPED = ("incomplete", "lost") if "thread" in os.environ.get("VITRAIL_SANITIZE", "") else ("old_epoch", "incomplete", "hidden", "lost")

EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_NO_MANAGER, EXIT_NOT_WHOLE = 0, 1, 2, 3, 4


def eventually(condition, what, seconds=PATIENCE_S):
    """Waits for the first true value of the condition; fails the test at the timeout."""
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        value = condition()
        if value:
            return value
        now = time.monotonic()
        if now > deadline:
            raise AssertionError(f"not in {seconds} s: {what}")
        # Conditions that run processes take half of the time, not all of it.
        time.sleep(min(0.5, max(0.02, now - began)))


def free_port(host="127.0.0.1", kind=socket.SOCK_STREAM):
    """A port for a program that cannot choose one. Systems choose ports from 32768, so no other connection gets this one."""
    for port in random.sample(range(10000, 32768), 100):
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise AssertionError(f"no port is free on {host}")


def run(program, *arguments, env=None, stdin=subprocess.DEVNULL, cwd=None, timeout=PATIENCE_S):
    """Runs one of Vitrail's programs to its end."""
    options = {"input": stdin} if isinstance(stdin, (bytes, str)) else {"stdin": stdin}
    return subprocess.run([BIN / program, *map(str, arguments)], env=env, cwd=cwd, timeout=timeout,
                          capture_output=True, text=not isinstance(stdin, bytes), check=False, **options)


def proof(secret, *words):
    """The function P of PROTOCOL.md ("Proofs")."""
    return hmac.new(secret.encode(), "\n".join(words).encode(), hashlib.sha256).hexdigest()


def key_named(secret, name):
    """The key for this name, derived from the wall's key, as text."""
    return f"{name}:{proof(secret, 'vitrail key', name)}"


def say_hello(call, key="", role="ui", **params):
    """Authenticates with `key` (text) and sends hello by `call`. The result includes the secret for the session's HTTP requests."""
    name, _, secret = key.rpartition(":")
    named = {"key": name} if name else {}
    if not secret:
        return call("hello", role=role, protocol=3, **named, **params)
    nonce = os.urandom(16).hex()
    answer = call("challenge", nonce=nonce, **named)
    if "error" in answer:
        return answer
    words = (name, nonce, answer["result"]["nonce"])
    peer_proof = proof(secret, "vitrail peer", *words, role)
    reported = call("hello", role=role, protocol=3, proof=peer_proof, **named, **params)
    if "result" in reported:
        assert answer["result"]["proof"] == proof(secret, "vitrail listener", *words)
        reported["result"]["session"] = proof(secret, "vitrail session", *words)
    return reported


def authorization(welcome, method, path, number):
    """The Authorization header of one HTTP request of this session."""
    words = ("vitrail request", method, path, str(number))
    return f"Vitrail {welcome['client']} {number} {proof(welcome['session'], *words)}"


class Control:
    """A control connection: one JSON object per line."""

    def __init__(self, port, key="", hello=True):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.next_id = 0
        if hello:
            answer = self.hello(key, name="test")
            assert "result" in answer, answer

    def hello(self, key="", **params):
        return say_hello(self.call, key, **params)

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def receive(self):
        """The next message, or None if the manager closed the connection."""
        line = self.lines.readline()
        return json.loads(line) if line else None

    def call(self, method, **params):
        self.next_id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}) + "\n")
        while True:
            message = self.receive()
            assert message is not None, f"the manager closed the connection on {method}"
            if message.get("method") == "ping":
                self.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}) + "\n")
            elif message.get("id") == self.next_id:
                return message

    def close(self):
        self.lines.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class WallTest(unittest.TestCase):
    """Before each test, starts a manager and one receiver without a display for each tile of `grid`."""

    manager_options = ()
    grid = {"columns": 2, "rows": 2, "resolution": [320, 180], "mullion": [8, 8]}
    wall_keys = {}  # further keys of the wall file
    logs = None  # folder for the programs' output; default: the test's folder

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.wall_file = self.folder / "wall.json"
        self.wall_file.write_text(json.dumps({"name": "test", "grid": self.grid, **self.wall_keys}))
        self.port = 0
        self.page_port = 0
        self.receivers = {}
        self.manager = self.start_manager()
        for name in self.receiver_names():
            self.start_receiver(name)
        self.wait_for_receivers(*self.receivers)

    def receiver_names(self):
        return [f"node{i + 1}" for i in range(self.grid["columns"] * self.grid["rows"])]

    def start(self, program, *arguments, **options):
        """Starts a program that runs until the end of the test; its output goes to a file with its name."""
        logs = self.logs or self.folder
        log = open(logs / f"{program}.{len(os.listdir(logs))}.log", "w+", encoding="utf-8")
        process = subprocess.Popen([BIN / program, *map(str, arguments)], stdout=log, stderr=log,
                                   env=self.env(), stdin=options.pop("stdin", subprocess.DEVNULL), **options)
        process.log = log
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        process.log.close()

    @staticmethod
    def output(process):
        process.log.flush()
        return pathlib.Path(process.log.name).read_text(encoding="utf-8")

    def start_manager(self, *more):
        port_file = self.folder / "port"
        page_port_file = self.folder / "page-port"
        port_file.unlink(missing_ok=True)
        manager = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", f"127.0.0.1:{self.port}",
                             "--port-file", port_file, "--page", f"127.0.0.1:{self.page_port}",
                             "--page-port-file", page_port_file, *self.manager_options, *more)
        eventually(lambda: port_file.exists() and port_file.read_text().strip() or manager.poll() is not None,
                   "the manager listens")
        self.assertIsNone(manager.poll(), self.output(manager))
        self.port = int(port_file.read_text())
        self.page_port = int(page_port_file.read_text())
        return manager

    def start_receiver(self, name):
        self.receivers[name] = self.start("vitrail-receiver", "--manager", f"127.0.0.1:{self.port}", "--name", name,
                                          "--display=null")
        return self.receivers[name]

    def env(self, **more):
        return {**os.environ, "VITRAIL_MANAGER": f"127.0.0.1:{self.port}", "XDG_STATE_HOME": str(self.folder),
                "HOME": str(self.folder), "NO_COLOR": "1", **more}

    def vitrail(self, *arguments, expect=EXIT_DONE):
        result = run("vitrail", *arguments, env=self.env(), cwd=self.folder)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def state(self):
        """The output of `vitrail ls --json`, without a process for each call."""
        env = self.env()
        key_file = env.get("VITRAIL_KEY_FILE")
        key = env.get("VITRAIL_KEY") or (pathlib.Path(key_file).read_text(encoding="utf-8").strip() if key_file else "")
        with Control(self.port, key) as control:
            return control.call("list")["result"]

    def window(self, number):
        found = [w for w in self.state()["windows"] if w["window"] == number]
        return found[0] if found else None

    def shown(self, number):
        window = self.window(number)
        return (window or {}).get("stats", {}).get("frames_shown", 0)

    def wait_for_receivers(self, *names):
        def here():
            receivers = {r["name"]: r["connected"] for r in self.state()["receivers"]}
            return all(receivers.get(name) for name in names)
        eventually(here, f"{names} connected")

    def wait_for_frames(self, number, more=10):
        before = self.shown(number)
        eventually(lambda: self.shown(number) >= before + more, f"window {number} shows {more} more frames")

    def play(self, *arguments):
        """Starts bplay; returns (process, window number) when its window is open."""
        before = {w["window"] for w in self.state()["windows"]}
        player = self.start("bplay", *arguments)

        def opened():
            if player.poll() is not None:
                raise AssertionError("bplay ended: " + self.output(player))
            return [w["window"] for w in self.state()["windows"] if w["window"] not in before]
        return player, eventually(opened, "bplay opens its window")[0]

    def clip(self, name="clip.mp4", seconds=2, size="320x180", rate=30, extra=()):
        path = self.folder / name
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                        f"testsrc2=size={size}:rate={rate}", "-t", str(seconds), *extra, path], check=True)
        return path
