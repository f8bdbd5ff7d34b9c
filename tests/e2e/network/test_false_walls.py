"""Bridges to walls that lie, flood or hang (vitrail bridge): the far wall is a program of the test."""

import json
import pathlib
import signal
import socket
import socketserver
import threading
import time
import unittest

from harness import EXIT_DONE, EXIT_FAILED, PATIENCE_S, eventually, run
from test_bridge import PLACE, BridgeTest
from web import serve

MOST_RESIDENT_KB = 400_000
OPENED = {"stream": 7, "window": 7, "secret": "00000000000000aa", "codec": "dxt1"}


class FalseWall(socketserver.StreamRequestHandler):
    """A manager that accepts every application. `answers` has its results by method; None: it does not answer."""

    answers = {"hello": {"protocol": 3, "version": "1", "wall": "false"}, "open_stream": OPENED}
    peers = []

    def handle(self):
        self.peers.append(self)
        for line in self.rfile:
            request = json.loads(line)
            if "id" not in request or "method" not in request:
                continue
            result = {"wall_ns": time.monotonic_ns()} if request["method"] == "clock" else self.answers.get(request["method"], {})
            if result is not None:
                self.tell(id=request["id"], result=result)
            if request["method"] == "open_stream":
                self.opened()

    def opened(self):
        """Called after a stream was opened."""

    def tell(self, **message):
        self.wfile.write((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())

    def event(self, kind, **more):
        self.tell(method="event", params={"stream": OPENED["stream"], "type": kind, **more})


class FalseWalls(BridgeTest):
    def far_wall(self, **replaced):
        """Starts a false wall in place of the far one; returns the class of its connections."""
        handler = type("Handler", (FalseWall,), {"peers": [], **replaced})
        self.false = serve(self, socketserver.ThreadingTCPServer, handler).server_address[1]
        return handler

    def far_address(self):
        return f"127.0.0.1:{self.false}"

    def film(self):
        return self.play("--loop", *PLACE, self.clip(seconds=60))[1]

    def assert_unharmed(self, window, bridge):
        """The near wall plays on, and the bridge runs in bounded memory and ends as always."""
        self.wait_for_frames(window, 10)
        self.assertIsNone(bridge.poll(), self.output(bridge))
        status = pathlib.Path(f"/proc/{bridge.pid}/status").read_text(encoding="utf-8")
        self.assertLess(int(status.partition("VmRSS:")[2].split()[0]), MOST_RESIDENT_KB)
        return self.ended(bridge)

    def test_a_wall_that_never_answers_is_named(self):
        self.far_wall(answers={"hello": None})
        refused = run("vitrail-bridge", self.far_address(), "all", env=self.env())
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn(f"the other wall at {self.far_address()}", refused.stderr)

    def test_a_wall_that_answers_nonsense(self):
        self.far_wall(answers={**FalseWall.answers, "open_stream": {"stream": "seven", "secret": [1], "codec": "x" * 5000}})
        window = self.film()
        bridge = self.bridge(window)
        eventually(lambda: "cannot be opened on the far wall" in self.output(bridge), "the bridge says so")
        counts = self.assert_unharmed(window, bridge)
        self.assertEqual(counts["sent"], 0)
        self.assertLessEqual(counts["received"] - counts["dropped"], 1, "the newest picture waits")

    def test_a_wall_that_names_receivers_that_are_not_there(self):
        def opened(peer):
            route = {"receiver": "nowhere", "host": "127.0.0.1", "port": 9, "rects": [[0, 0, 1, 1]], "reduction": 0}
            for epoch in range(1, 500):
                peer.tell(method="routes", params={"stream": 7, "epoch": epoch, "frame": 0, "visible": True,
                                                   "rect": [0, 0, 9 + epoch, 9], "routes": [route]})
        self.far_wall(opened=opened)
        window = self.film()
        self.assert_unharmed(window, self.bridge(window))

    def test_a_wall_that_floods(self):
        quiet = threading.Event()

        def opened(peer):
            for number in range(20_000):
                peer.event("loop", value=1)
                peer.event("seek", value=number % 60)
                peer.tell(method="event", params={"stream": 4_000_000, "type": "pause"})
            quiet.set()
        wall = self.far_wall(opened=opened)
        window = self.film()
        bridge = self.bridge(window)
        self.assertTrue(quiet.wait(PATIENCE_S), "the far wall has sent all of it")

        def paused():
            wall.peers[-1].event("pause")
            return self.window(window)["playback"]["paused"]
        eventually(paused, "what is asked afterwards still comes to this wall")
        self.vitrail("resume", window)
        self.assert_unharmed(window, bridge)

    def test_a_wall_that_closes_each_connection(self):
        wall = self.far_wall(opened=lambda peer: peer.connection.shutdown(socket.SHUT_RDWR))
        window = self.film()
        bridge = self.bridge(window)
        eventually(lambda: len(wall.peers) > 3, "the bridge tries again and again")
        self.wait_for_frames(window, 10)
        bridge.send_signal(signal.SIGTERM)
        self.assertEqual(bridge.wait(PATIENCE_S), EXIT_DONE, self.output(bridge))


if __name__ == "__main__":
    unittest.main()
