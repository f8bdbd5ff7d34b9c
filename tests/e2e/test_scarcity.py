"""Descriptors are used up at one process: it refuses in words what it has no room for, all that plays goes
on, and once there is room again it takes what it refused."""

import os
import resource
import socket
import unittest

from harness import Control, WallTest, eventually


class ScarcityTest(WallTest):
    """A film plays on both tiles all the time."""

    grid = {"columns": 2, "rows": 1, "resolution": [320, 180], "mullion": [8, 0]}

    def setUp(self):
        super().setUp()
        self.player, self.number = self.play("test:648x180@30", "--place", "0,0,648x180")
        self.wait_for_frames(self.number)

    def goes_on(self, *processes):
        self.wait_for_frames(self.number, more=30)
        for process in (self.manager, self.player, *self.receivers.values(), *processes):
            self.assertIsNone(process.poll(), self.output(process))

    def connect(self, port, count):
        peers = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(count)]
        for peer in peers:
            self.addCleanup(peer.close)
        return peers


class Descriptors(ScarcityTest):
    def leave(self, process, count):
        """So many descriptors and no more."""
        numbers = [int(name) for name in os.listdir(f"/proc/{process.pid}/fd")]
        free = [n for n in range(max(numbers) + count + 2) if n not in numbers]
        before = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (free[count], before[1]))
        return lambda: resource.prlimit(process.pid, resource.RLIMIT_NOFILE, before)

    def test_of_the_manager(self):
        with Control(self.port) as control:
            give_back = self.leave(self.manager, 2)
            peers = self.connect(self.port, 50)
            eventually(lambda: "LimitNOFILE" in self.output(self.manager), "the log says what to do")
            refused = control.call("play", media=["test:64x64"])
            self.assertIn("error", refused)
            self.assertIn("too many open files", refused["error"]["message"].lower())
            self.goes_on()
            give_back()
            for peer in peers:
                peer.close()
            number = control.call("play", media=["test:64x64"])["result"]["window"]
            self.wait_for_frames(number)
        self.goes_on()


if __name__ == "__main__":
    unittest.main()
