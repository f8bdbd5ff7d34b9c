"""A bridge between two walls that loses the way to one of them: each wall and the bridge is a host of its own."""

import json
import signal
import sys
import time
import unittest

from harness import EXIT_DONE, PATIENCE_S, eventually
from test_content import pixels_of
from test_hosts import DESK, HEAD, NODE, HostsTest

FAR, BRIDGE = DESK, NODE  # the near wall is HEAD
SWITCH_PORTS = {HEAD: "m1", FAR: "m3"}  # of Network.switch


class BridgeCuts(HostsTest):
    managers = {HEAD: "127.0.0.1:7440", BRIDGE: f"{HEAD}:7440", FAR: "127.0.0.1:7440"}

    def start_wall(self):
        for at in (HEAD, FAR):
            wall = self.folder / f"{at}.json"
            wall.write_text(json.dumps({"name": at, "grid": {"columns": 1, "rows": 1, "resolution": [320, 180]}, "transport": "udp",
                                        "lost": "last"}))
            self.says(self.start(at, "vitrail-manager", "--wall", wall, "--listen", self.listen, "--page", "off"), "ready")
            self.start(at, "vitrail-receiver", "--name", "node1", "--display", "null")
            eventually(lambda at=at: all(r["connected"] for r in self.state(at)["receivers"]), "the receiver is connected")
        self.start(HEAD, "bplay", "--codec", "raw", "--place", "0,0,320x180", "test:320x180@30")
        self.bridge = self.start(BRIDGE, "vitrail-bridge", f"{FAR}:7440", "all", "--json")
        eventually(lambda: self.state(FAR)["windows"], "the window is on the far wall")
        self.vitrail("place", self.window(FAR)["window"], "0,0,320x180", at=FAR)
        self.shows_more()

    def window(self, at):
        windows = json.loads(self.vitrail("stats", "--json", at=at))["windows"]
        self.assertEqual(len(windows), 1)
        return windows[0]

    def far_frames(self):
        return self.window(FAR).get("stats", {}).get("frames_submitted", 0)

    def shows_more(self):
        before = self.far_frames()
        eventually(lambda: self.far_frames() > before, "the far wall gets frames")

    def picture(self, at):
        file = self.folder / f"{at}.png"
        self.vitrail("snapshot", file, at=at)
        return pixels_of(file.read_bytes())

    def cut(self, host, wanted):
        self.network.ip("-n", self.network.switch, "link", "set", SWITCH_PORTS[host], "down" if wanted else "up")

    def cut_and_heal(self, host, is_known):
        self.cut(host, True)
        eventually(lambda: is_known(self.bridge.log.read_text(encoding="utf-8")), "the bridge says that the way is lost")
        self.assertGreater(max(self.picture(FAR)), 100, "the far wall keeps the last picture")
        self.assertIsNone(self.bridge.poll())
        before = self.far_frames()
        self.cut(host, False)
        began = time.monotonic()
        eventually(lambda: self.far_frames() > before, "the far wall gets frames again")
        print(f"{self.id()}: frames come again {time.monotonic() - began:.2f} s after the network is back", file=sys.stderr)
        self.in_step()

    def in_step(self):
        self.vitrail("pause", self.window(HEAD)["window"])
        eventually(lambda: max(self.picture(HEAD)) > 100 and self.picture(HEAD) == self.picture(FAR), "both walls show the same picture")
        self.bridge.send_signal(signal.SIGTERM)
        self.assertEqual(self.bridge.wait(PATIENCE_S), EXIT_DONE)

    def test_the_near_wall_is_away(self):
        self.cut_and_heal(HEAD, lambda said: "lost the manager" in said)

    def test_the_far_wall_is_away(self):
        self.cut_and_heal(FAR, lambda said: "lost the far wall" in said)


if __name__ == "__main__":
    unittest.main()
