"""Receivers on the player's host read raw blocks in shared memory, and --codec auto chooses this."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

from cut_wall import CutWall
from harness import WallTest, eventually
from machines import why_not
from test_content import pixels_of
from test_multicast import links_of

SIZE = (3840, 2160)
# As much as the shared memory of one stream, so that it does not fit beside the rest of the player.
AS_LIMIT = 67 * 4 * SIZE[0] * SIZE[1]
NOBODY = 65534


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

    # --- --codec auto

    def codec(self, window):
        return self.window(window)["codec"]

    def test_auto_chooses_memory_and_says_so(self):
        film = self.clip("film.avi", extra=("-c:v", "mpeg4", "-pix_fmt", "yuv420p"))
        _, window = self.play("--codec", "auto", "--loop", "--place", "0,0,320x180", film)
        eventually(lambda: self.codec(window) == "raw", "pixels are sent as they are")
        eventually(lambda: self.shares_with(window, "node1", "node2"), "both receivers read the memory")
        self.wait_for_frames(window)
        reason = self.window(window)["codec_reason"]
        self.assertIn("decoded here", reason)
        self.assertIn("memory", reason)
        for verb in (("ls",), ("why", window)):
            self.assertIn("host's memory", self.vitrail(*verb).stdout.replace("\n", " "))

    def test_auto_decodes_a_film_once_for_several_receivers(self):
        film = self.clip(extra=("-c:v", "libx264", "-pix_fmt", "yuv420p"))
        _, window = self.play("--codec", "auto", "--loop", "--place", "0,0,160x180", film)
        self.wait_for_frames(window, 60)
        self.assertEqual(self.codec(window), "h264")
        self.vitrail("place", window, "0,0,320x180")
        eventually(lambda: self.codec(window) == "raw", "the film is decoded once")
        eventually(lambda: self.shares_with(window, "node1", "node2"), "both receivers read the memory")
        self.assertIn("once", self.window(window)["codec_reason"])
        self.wait_for_frames(window)
        self.assertEqual(self.codec(window), "raw")

    @unittest.skipIf(os.getuid() != 0, "needs root, to run a receiver as another user")
    def test_auto_encodes_for_a_receiver_of_another_user(self):
        self.receivers["node1"].terminate()
        self.receivers["node1"].wait()
        self.start("vitrail-receiver", "--manager", f"127.0.0.1:{self.port}", "--name", "node1", "--display=null", user=NOBODY)
        self.wait_for_receivers("node1")
        film = self.clip("film.avi", extra=("-c:v", "mpeg4", "-pix_fmt", "yuv420p"))
        _, window = self.play("--codec", "auto", "--loop", "--place", "0,0,160x180", film)
        told = lambda: "cannot read this host's memory" in self.window(window)["codec_reason"]
        eventually(lambda: self.codec(window) == "dxt1" and told(), "pixels are encoded, and the reason is told")
        self.wait_for_frames(window)


@unittest.skipIf(why_not(), why_not())
class MemoryAcrossHosts(unittest.TestCase):
    """A film whose pictures are grey, each with another brightness: a wall that mixes frames has two of them."""

    FPS = 5

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="vitrail-test-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.wall = CutWall(folder)
        self.addCleanup(self.wall.end)
        self.wall.start_manager("first", self.wall.first)
        for name, machine in (("node1", self.wall.first), ("node2", self.wall.second), ("node3", self.wall.first)):
            self.wall.start(name, machine, "vitrail-receiver", "--manager", f"{self.wall.first}:7440", "--name", name,
                            "--display=null")
        eventually(lambda: len(self.wall.shown()) == 3, "all receivers are connected")

    def vitrail(self, *words):
        done = self.wall.machines.run("vitrail", "--manager", f"{self.wall.first}:7440", *words, at=self.wall.first,
                                      env={**self.wall.env, "XDG_STATE_HOME": str(self.wall.folder / "console")})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def window(self):
        return (json.loads(self.vitrail("ls", "--json"))["windows"] or [{}])[0]

    def greys(self, left, right):
        """The brightness of the window's pixels, which lie in these columns of the wall."""
        picture = self.wall.folder / "wall.png"
        self.vitrail("snapshot", str(picture))
        rows = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", picture, "-vf", f"crop={right - left}:160:{left}:10",
                               "-f", "rawvideo", "-pix_fmt", "gray", "-"], check=True, capture_output=True).stdout
        return rows

    def test_a_receiver_of_another_host_ends_it_in_one_swap_and_later_it_is_back(self):
        film = self.wall.folder / "film.avi"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"color=black:size=320x180:rate={self.FPS}",
                        "-vf", "geq=lum='40+mod(N,8)*24':cb=128:cr=128", "-t", "8", "-c:v", "mpeg4", "-pix_fmt", "yuv420p",
                        film], check=True)
        self.wall.start("player", self.wall.first, "bplay", "--manager", f"{self.wall.first}:7440", "--codec", "auto",
                        "--loop", "--place", "0,0,320x180", film)
        eventually(lambda: self.window().get("codec") == "raw", "the receiver on this host reads memory")
        number = str(self.window()["window"])
        self.vitrail("place", number, "160,0,320x180")
        seen = set()

        def gone_over():
            greys = self.greys(170, 470)
            if not seen and min(greys) < 20:
                return False  # the second tile does not show the window yet
            self.assertLessEqual(max(greys) - min(greys), 10, "the wall mixes frames")
            seen.add(greys[0] // 24)
            return self.window()["codec"] == "dxt1"
        eventually(gone_over, "pixels are encoded for the other host")
        self.assertIn("'node2'", self.window()["codec_reason"])
        eventually(lambda: gone_over() and len(seen) > 2, "the film goes on")
        self.vitrail("place", number, "0,0,320x180")
        eventually(lambda: self.window()["codec"] == "raw", "memory is used again")


if __name__ == "__main__":
    unittest.main()
