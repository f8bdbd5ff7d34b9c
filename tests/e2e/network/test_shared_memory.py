"""Receivers on the player's host read raw blocks in shared memory."""

import json
import os
import pathlib
import resource
import unittest

from harness import WallTest, eventually
from test_content import pixels_of
from test_multicast import links_of

SIZE = (3840, 2160)
# As much as the shared memory of one stream, so that it does not fit beside the rest of the player.
AS_LIMIT = 67 * 4 * SIZE[0] * SIZE[1]


def names_for_memory(pid):
    """The names at which this process waits for memory."""
    files = {os.path.basename(os.path.realpath(file)) for file in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
    sockets = [line.split() for line in pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()[1:]]
    return [one[-1] for one in sockets if one[-1].startswith("@vitrail-") and f"socket:[{one[6]}]" in files]


class SharedMemory(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [160, 180]}

    def figures(self, number):
        windows = json.loads(self.vitrail("stats", "--json").stdout)["windows"]
        return next((window for window in windows if window["window"] == number), {})

    def wall(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        return pixels_of((self.folder / "wall.png").read_bytes())

    def shares_with(self, window, *receivers):
        links = links_of(self.figures(window))
        return sorted(name for name in links if links[name].get("shared_memory")) == sorted(receivers)

    def test_shows_the_same_pixels_as_over_tcp(self):
        film = self.clip(seconds=4, size="402x302", extra=("-pix_fmt", "yuv420p"))
        place = ("--paused", "--start", 2, "--place", "0,0,320x180", film)
        player, window = self.play("--codec", "raw+lz4", *place)
        eventually(lambda: self.shown(window) > 0, "the picture is shown")
        wanted = self.wall()
        self.vitrail("close", window)
        self.assertEqual(player.wait(30), 0, self.output(player))

        _, window = self.play("--codec", "raw", "--loop", *place[3:])
        eventually(lambda: self.shares_with(window, "node1", "node2"), "both receivers read the memory")
        self.wait_for_frames(window)
        self.assertIn("(memory)", self.vitrail("stats").stdout)
        self.vitrail("pause", window)
        self.vitrail("seek", window, 2)
        eventually(lambda: self.wall() == wanted, "both tiles show the picture")

    def test_a_receiver_that_dies_leaves_nothing_and_comes_back(self):
        _, window = self.play("--codec", "raw", "--loop", "--place", "0,0,320x180", self.clip())
        eventually(lambda: self.shares_with(window, "node1", "node2"), "both receivers read the memory")
        self.receivers["node2"].kill()
        self.receivers["node2"].wait()
        eventually(lambda: self.shares_with(window, "node1"), "the other receiver goes on")
        self.wait_for_frames(window)
        self.assertEqual(names_for_memory(self.receivers["node1"].pid), [])
        self.start_receiver("node2")
        eventually(lambda: self.shares_with(window, "node1", "node2"), "the new receiver reads the memory")
        self.wait_for_frames(window)

    def test_without_address_space_frames_go_over_tcp_and_why_says_so(self):
        film = self.clip(seconds=1, size="{}x{}".format(*SIZE), rate=5)
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (AS_LIMIT, AS_LIMIT))
        self.start("bplay", "--codec", "raw", "--loop", film, preexec_fn=limit)
        window = eventually(lambda: [w["window"] for w in self.state()["windows"]], "the window opens")[0]
        self.wait_for_frames(window)
        eventually(lambda: links_of(self.figures(window)).get("node1", {}).get("memory_trouble"), "the trouble is told")
        self.assertTrue(self.shares_with(window))
        self.assertIn("node1", self.vitrail("why", window).stdout)


if __name__ == "__main__":
    unittest.main()
