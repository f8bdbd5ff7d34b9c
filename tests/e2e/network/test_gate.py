"""Unauthenticated peers at the manager's ports: silent ones, and those that send nonsense or too much."""

import json
import os
import resource
import socket

from harness import EXIT_FAILED, Control, WallTest, authorization, eventually, run


class Gate(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def connect(self, port=0):
        peer = socket.create_connection(("127.0.0.1", port or self.port), timeout=30)
        self.addCleanup(peer.close)
        return peer

    def open_many(self, count):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
        return [self.connect() for _ in range(count)]

    def test_idle_connections_keep_nobody_out(self):
        self.open_many(1500)
        for _ in range(5):
            self.open_many(100)
            with Control(self.port) as control:
                self.assertEqual(len(control.call("list")["result"]["receivers"]), 1)

    def test_an_http_request_is_over_before_its_body(self):
        for verb in ("POST", "GET", "OPTIONS"):
            peer = self.connect()
            peer.sendall(verb[:1].encode())
            answer = json.loads(peer.makefile().readline())
            self.assertIn("hello first", answer["error"]["message"])
            self.assertEqual(peer.recv(100), b"")
        self.assertEqual(self.output(self.manager).count("was refused"), 1, "one line a minute")


    def test_nobody_listens_to_the_world_without_a_key(self):
        env = {**self.env(), "VITRAIL_KEY": ""}
        for program, options in (("vitrail-manager", ("--wall", self.wall_file, "--page", "off", "--listen", "0.0.0.0:0")),
                                 ("vitrail-manager", ("--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "0.0.0.0:0")),
                                 ("vitrail-server", ("--films", self.folder, "--listen", "0.0.0.0:0"))):
            refused = run(program, *options, env=env)
            self.assertEqual(refused.returncode, EXIT_FAILED, refused.stdout)
            self.assertIn("--insecure", refused.stderr)


class Guesses(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return super().env(VITRAIL_KEY="open sesame, please", **more)

    def connect(self):
        peer = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.addCleanup(peer.close)
        return peer

    def guess(self):
        with Control(self.port, hello=False) as control:
            control.call("challenge", nonce=os.urandom(16).hex())
            return control.call("hello", role="ui", protocol=3, proof=os.urandom(32).hex())

    def test_they_are_one_line_in_the_log_and_lock_out_nobody(self):
        for _ in range(10):
            self.assertEqual(self.guess()["error"]["data"]["name"], "unauthorized")
        with Control(self.port, hello=False) as control:
            self.assertIn("result", control.hello("open sesame, please"))
        self.assertEqual(self.output(self.manager).count("was refused"), 1)

    def test_a_thousand_of_them_do_not_disturb_a_film(self):
        wall = Control(self.port, hello=False)
        self.addCleanup(wall.close)
        wall.hello("open sesame, please")
        wall.call("play", media=["test:64x64@30"])

        def shown():
            windows = wall.call("list")["result"]["windows"]
            return sum(window.get("stats", {}).get("frames_shown", 0) for window in windows)

        eventually(shown, "the film plays")
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
        for _ in range(1000):
            peer = self.connect()
            peer.sendall(b"".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": params}).encode() + b"\n"
                                  for i, (method, params) in enumerate((
                                      ("challenge", {"nonce": "0" * 32}),
                                      ("hello", {"role": "ui", "protocol": 3, "proof": os.urandom(32).hex()})))))
        peer.setblocking(False)
        self.assertNotIn(b"unauthorized", self.there(peer), "it is answered late")
        before = shown()
        eventually(lambda: shown() > before + 30, "it goes on")
        self.assertEqual(self.output(self.manager).count("was refused"), 1)

    @staticmethod
    def there(peer):
        try:
            return peer.recv(4096)
        except BlockingIOError:
            return b""

    def test_over_http(self):
        def ask(proof):
            peer = socket.create_connection(("127.0.0.1", self.page_port), timeout=30)
            self.addCleanup(peer.close)
            peer.sendall(f"GET /preview HTTP/1.1\r\nHost: 127.0.0.1:{self.page_port}\r\nConnection: close\r\n"
                         f"Authorization: {proof}\r\n\r\n".encode())
            return peer
        with Control(self.port, hello=False) as control:
            welcome = control.hello("open sesame, please")["result"]
            guesses = [ask(f"Vitrail {welcome['client']} {i} {os.urandom(32).hex()}") for i in range(30)]
            right = ask(authorization(welcome, "GET", "/preview", 1))
            self.assertIn(b" 400 ", right.recv(1000), "it names no source")
        guesses[-1].setblocking(False)
        with self.assertRaises(BlockingIOError):
            guesses[-1].recv(1000)
        guesses[-1].settimeout(30)
        self.assertIn(b" 401 ", guesses[-1].recv(1000))


class FewDescriptors(WallTest):
    """A limit of descriptors that is only a little above the manager's own need."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    most = 64

    def start(self, program, *arguments, **options):
        if program == "vitrail-manager":
            options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (self.most, self.most))
        return super().start(program, *arguments, **options)

    def test_it_is_said_and_new_clients_are_let_in(self):
        idle = [socket.create_connection(("127.0.0.1", self.port), timeout=30) for _ in range(200)]
        for peer in idle:
            self.addCleanup(peer.close)
        eventually(lambda: "LimitNOFILE" in self.output(self.manager), "the log says what to do")
        with Control(self.port) as control:
            self.assertEqual(len(control.call("list")["result"]["receivers"]), 1)
        self.assertEqual(self.output(self.manager).count("LimitNOFILE"), 1)
