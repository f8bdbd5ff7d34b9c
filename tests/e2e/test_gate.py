"""Strangers at the manager's ports: those who say nothing, nonsense, or too much."""

import json
import resource
import socket

from harness import EXIT_FAILED, Control, WallTest, eventually, run


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
        self.assertEqual(self.output(self.manager).count("was not let in"), 1, "one line a minute")


    def test_nobody_listens_to_the_world_without_a_token(self):
        env = {**self.env(), "VITRAIL_TOKEN": ""}
        for program, options in (("vitrail-manager", ("--wall", self.wall_file, "--page", "off", "--listen", "0.0.0.0:0")),
                                 ("vitrail-manager", ("--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "0.0.0.0:0")),
                                 ("vitrail-server", ("--films", self.folder, "--listen", "0.0.0.0:0"))):
            refused = run(program, *options, env=env)
            self.assertEqual(refused.returncode, EXIT_FAILED, refused.stdout)
            self.assertIn("--insecure", refused.stderr)


class Guesses(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return super().env(VITRAIL_TOKEN="open sesame", **more)

    def hello(self, token):
        with Control(self.port, hello=False) as control:
            return control.call("hello", role="ui", protocol=2, token=token)

    def test_they_are_one_line_in_the_log_and_lock_out_nobody(self):
        for i in range(10):
            self.assertEqual(self.hello(f"guess {i}")["error"]["data"]["name"], "unauthorized")
        self.assertIn("result", self.hello("open sesame"))
        self.assertEqual(self.output(self.manager).count("was not let in"), 1)

    def test_over_http(self):
        def ask(token):
            peer = socket.create_connection(("127.0.0.1", self.page_port), timeout=30)
            self.addCleanup(peer.close)
            peer.sendall(f"GET /preview HTTP/1.1\r\nHost: 127.0.0.1:{self.page_port}\r\nConnection: close\r\n"
                         f"Authorization: Bearer {token}\r\n\r\n".encode())
            return peer
        guesses = [ask(f"guess {i}") for i in range(30)]
        self.assertIn(b" 400 ", ask("open sesame").recv(1000), "it names no source")
        guesses[-1].setblocking(False)
        with self.assertRaises(BlockingIOError):
            guesses[-1].recv(1000)
        guesses[-1].settimeout(30)
        self.assertIn(b" 401 ", guesses[-1].recv(1000))


class FewDescriptors(WallTest):
    """As many as the manager needs for itself and little more."""

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
