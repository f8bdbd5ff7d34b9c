"""Windows of one wall on another wall (vitrail bridge): real programs of both walls on loopback."""

import json
import signal
import socket
import unittest

from harness import EXIT_DONE, EXIT_FAILED, EXIT_USAGE, PATIENCE_S, Control, WallTest, eventually, free_port, key_named, run
from test_content import pixels_of
from test_sound import SoundTest

PLACE = ("--place", "0,0,320x180")
H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "24", "-bf", "2")
GRID = {"columns": 1, "rows": 1, "resolution": [320, 180]}


class FarWall(WallTest):
    """The other wall, which the tests of a bridge set up."""

    grid = GRID
    key = ""

    def runTest(self):
        pass

    def env(self, **more):
        return super().env(**({"VITRAIL_KEY": self.key} if self.key else {}), **more)


class BridgeTest(WallTest):
    grid = GRID
    key = ""
    far_key = ""
    far_class = FarWall

    def setUp(self):
        super().setUp()
        self.far = self.far_class()
        self.far.key = self.far_key
        self.far.setUp()
        self.addCleanup(self.far.doCleanups)

    def env(self, **more):
        return super().env(**({"VITRAIL_KEY": self.key} if self.key else {}), **more)

    def far_address(self):
        return f"127.0.0.1:{self.far.port}"

    def bridge(self, *windows):
        return self.start("vitrail-bridge", self.far_address(), *windows, "--json")

    def far_windows(self):
        return self.far.state()["windows"]

    def far_window(self):
        """The only window of the far wall, moved to where the near wall shows it."""
        number = eventually(lambda: [w["window"] for w in self.far_windows()], "the far wall has a window")[0]
        self.far.vitrail("place", number, "0,0,320x180")
        return number

    def picture(self, wall):
        wall.vitrail("snapshot", wall.folder / "wall.png")
        return pixels_of((wall.folder / "wall.png").read_bytes())

    def assert_same_pictures(self, what):
        """Both walls rest with the same picture, which is not black."""
        def same():
            near = self.picture(self)
            return max(near) > 100 and near == self.picture(self.far)
        eventually(same, what)

    def ended(self, bridge):
        """The figures of a bridge that ends."""
        bridge.send_signal(signal.SIGTERM)
        self.assertEqual(bridge.wait(PATIENCE_S), EXIT_DONE, self.output(bridge))
        return json.loads(self.output(bridge).splitlines()[-1])


class Bridge(BridgeTest):
    def film(self, codec="dxt1", size="320x180"):
        name = f"{codec} {size}.vmov"
        self.vitrail("convert", self.clip(size=size), name, "--codec", codec)
        return self.folder / name

    def test_films_stand_on_both_walls_undecoded(self):
        for film, options, codec in ((self.film(), (), "dxt1"), (self.film("htj2k"), (), "htj2k"),
                                     (self.clip("carried.mp4", extra=H264), ("--codec", "carried"), "h264")):
            with self.subTest(codec):
                player, window = self.play(*options, "--loop", "--paused", "--start", 0.7, *PLACE, film)
                bridge = self.bridge(window)
                far = self.far_window()
                self.assert_same_pictures("the paused picture is on both walls")
                shown, original = self.far.window(far), self.window(window)
                for field in ("title", "codec", "frame_size"):
                    self.assertEqual(shown[field], original[field], field)
                self.vitrail("seek", window, 1.5)
                self.assert_same_pictures("the next picture is on both walls")
                self.vitrail("resume", window)
                self.far.wait_for_frames(far)
                self.vitrail("close", window)
                self.assertEqual(player.wait(PATIENCE_S), EXIT_DONE, self.output(player))
                eventually(lambda: not self.far_windows(), "the window is closed on the far wall")
                counts = self.ended(bridge)
                self.assertGreater(counts["sent"], 10)
                self.assertEqual(counts["received"], counts["sent"] + counts["dropped"])

    def test_a_small_window_of_the_far_wall_gets_only_the_resolutions_that_it_shows(self):
        _, window = self.play("--loop", *PLACE, self.film("htj2k", size="640x360"))
        bridge = self.bridge(window)
        far = self.far_window()

        def sent():
            with Control(self.far.port) as control:
                stats = control.call("stats")["result"]["windows"][0]["stats"]
            return stats["bytes_sent"], stats["frames_sent"]

        def bytes_a_frame():
            before = sent()
            self.far.wait_for_frames(far, 60)
            new_bytes, new_frames = (now - then for now, then in zip(sent(), before))
            return new_bytes / new_frames
        self.far.wait_for_frames(far)
        large = bytes_a_frame()
        self.far.vitrail("place", far, "0,0,80x45")
        eventually(lambda: bytes_a_frame() < large / 3, "a quarter of the width needs fewer bytes")
        self.assertEqual(self.far.window(far)["frame_size"], [640, 360])
        self.ended(bridge)

    def test_a_covered_window_of_pixels_is_whole_on_the_far_wall(self):
        _, window = self.play("test:320x180@30", "--codec", "raw", *PLACE)
        self.wait_for_frames(window)
        self.vitrail("pause", window)
        bridge = self.bridge("all")
        self.far_window()
        self.assert_same_pictures("the test card is on both walls")
        wanted = self.picture(self.far)
        self.play("test:64x64@5", "--codec", "raw", "--place", "0,0,320x180")
        eventually(lambda: len(self.far_windows()) == 2, "the window that came later is on the far wall, too")
        far = min(w["window"] for w in self.far_windows())
        self.vitrail("place", window, "160,90,32x18")
        self.far.vitrail("raise", far)
        eventually(lambda: self.picture(self.far) == wanted, "small and covered here, whole there")
        self.ended(bridge)

    def test_people_of_the_far_wall_pause_seek_and_point(self):
        _, window = self.play("--loop", *PLACE, self.clip(seconds=60))
        bridge = self.bridge(window)
        far = self.far_window()

        def playback(wall, number):
            return wall.window(number).get("playback", {})
        eventually(lambda: playback(self.far, far).get("duration_s") == 60, "the far wall knows the film's length")
        self.far.vitrail("pause", far)
        eventually(lambda: playback(self, window)["paused"], "paused from the far wall")
        eventually(lambda: playback(self.far, far)["paused"], "the far wall knows")
        self.far.vitrail("seek", far, 41.5)
        for wall, number in ((self, window), (self.far, far)):
            eventually(lambda: abs(playback(wall, number)["position_s"] - 41.5) < 0.1, "both walls are there")
        self.assert_same_pictures("and show the same picture")
        eventually(lambda: self.far.window(far)["input"], "it takes input")
        self.far.vitrail("place", far, "80,0,160x90")
        with Control(self.far.port) as control:
            for kind in ("down", "up"):  # the film's middle by the strip at its lower edge
                self.assertIn("result", control.call("input", window=far, type=kind, button=0, at=[160, 89]))
        eventually(lambda: abs(playback(self, window)["position_s"] - 30) < 1, "a click there comes to the same pixel here")
        self.far.vitrail("resume", far)
        eventually(lambda: not playback(self, window)["paused"], "it goes on")
        self.ended(bridge)

    def test_a_far_wall_that_dies_holds_no_button_down_here(self):
        _, window = self.play("--loop", *PLACE, self.film())
        bridge = self.bridge(window)
        far = self.far_window()
        eventually(lambda: self.far.window(far)["input"], "it takes input")
        with Control(self.far.port) as control:
            self.assertIn("result", control.call("input", window=far, type="down", button=0, at=[10, 10]))
        eventually(lambda: "driver" in self.window(window), "the bridge drives the window")
        self.far.manager.kill()
        eventually(lambda: "driver" not in self.window(window), "the bridge has left the window")
        self.ended(bridge)

    def test_a_window_whose_stream_changes_keeps_its_place(self):
        large = self.clip("large.mp4", size="320x180")
        small = self.clip("small.mp4", size="256x144", seconds=60)
        _, window = self.play("--codec", "raw", *PLACE, large, small)
        bridge = self.bridge(window)
        far = self.far_window()
        eventually(lambda: self.far.window(far)["frame_size"] == [256, 144], "the second film is on the far wall")
        self.vitrail("codec", window, "dxt1")
        eventually(lambda: self.far.window(far)["codec"] == "dxt1", "the codec has changed on the far wall")
        self.vitrail("pause", window)
        self.assert_same_pictures("both walls show the same picture")
        self.assertEqual(self.far.window(far)["rect"], [0, 0, 320, 180])
        self.ended(bridge)

    def test_a_far_wall_that_hangs_does_not_slow_the_near_wall(self):
        _, window = self.play("--loop", *PLACE, self.film())
        bridge = self.bridge("all")
        far = self.far_window()
        self.far.wait_for_frames(far)
        for process in (*self.far.receivers.values(), self.far.manager):
            process.send_signal(signal.SIGSTOP)
        dropped = self.window(window)["stats"]["frames_dropped"]
        self.wait_for_frames(window, 60)
        self.assertLess(self.window(window)["stats"]["frames_dropped"] - dropped, 30)
        for process in (*self.far.receivers.values(), self.far.manager):
            process.send_signal(signal.SIGCONT)
        self.far.wait_for_receivers("node1")
        self.far.wait_for_frames(self.far_window())
        self.assertGreater(self.ended(bridge)["dropped"], 0)

    def test_a_bridged_window_does_not_come_back(self):
        _, window = self.play("--paused", *PLACE, self.film())
        bridge = self.bridge(window)
        far = self.far_window()
        back = self.far.start("vitrail-bridge", f"127.0.0.1:{self.port}", far)
        self.assertEqual(back.wait(PATIENCE_S), EXIT_FAILED)
        self.assertIn(f"window {far} is itself shown by a bridge (vitrail-bridge from test)", self.output(back))
        everything = self.far.start("vitrail-bridge", f"127.0.0.1:{self.port}", "all")
        eventually(lambda: "it is not passed on" in self.output(everything), "it says what it leaves out")
        self.assertEqual([w["window"] for w in self.state()["windows"]], [window])
        itself = run("vitrail", "bridge", f"127.0.0.1:{self.port}", "all", env=self.env())
        self.assertEqual(itself.returncode, EXIT_FAILED)
        self.assertIn("is this wall itself", itself.stderr)
        self.ended(bridge)

    def test_the_far_wall_comes_back(self):
        _, window = self.play("--paused", "--start", 0.7, *PLACE, self.film())
        bridge = self.bridge(window)
        self.far_window()
        self.assert_same_pictures("before")
        self.far.manager.kill()
        for receiver in self.far.receivers.values():
            receiver.kill()
        eventually(lambda: "lost the far wall" in self.output(bridge), "the bridge says so")
        self.far.start_manager()
        self.far.start_receiver("node1")
        self.far.wait_for_receivers("node1")
        self.far_window()
        self.assert_same_pictures("the paused picture is back")
        self.assertIn("reconnected to the far wall", self.output(bridge))
        self.ended(bridge)

    def test_the_far_wall_keeps_the_picture_while_the_near_wall_is_away(self):
        _, window = self.play("--paused", "--start", 0.7, *PLACE, self.film())
        bridge = self.bridge(window)
        far = self.far_window()
        self.assert_same_pictures("before")
        self.manager.kill()
        self.manager.wait()
        before = self.picture(self.far)
        self.assertGreater(max(before), 100, "the far wall shows the last picture")
        self.start_manager()
        self.wait_for_receivers("node1")
        eventually(lambda: self.window(window), "the window is back on the near wall")
        self.vitrail("seek", window, 1.5)
        self.assert_same_pictures("the bridge passes frames on again")
        self.assertNotEqual(self.picture(self.far), before)
        self.assertEqual([w["window"] for w in self.far_windows()], [far])
        self.ended(bridge)

    def test_it_ends_when_its_window_is_closed_on_the_far_wall(self):
        _, window = self.play("--paused", *PLACE, self.film())
        bridge = self.bridge(window)
        self.far.vitrail("close", self.far_window())
        self.assertEqual(bridge.wait(PATIENCE_S), EXIT_DONE, self.output(bridge))
        self.assertIn("was closed on the far wall", self.output(bridge))
        self.assertTrue(self.window(window), "the near wall keeps its window")

    def test_it_waits_for_a_named_window_that_this_wall_has_closed(self):
        _, kept = self.play("--paused", *PLACE, self.film())
        _, closed = self.play("--paused", "--place", "320,0,320x180", self.film("htj2k"))
        bridge = self.bridge(kept, closed)
        shown = eventually(lambda: len(windows := self.far_windows()) == 2 and windows, "both are shown")
        far = {window["title"]: window["window"] for window in shown}
        self.far.vitrail("close", far[self.window(closed)["title"]])
        eventually(lambda: "was closed on the far wall" in self.output(bridge), "the bridge knows")
        self.vitrail("close", kept)
        eventually(lambda: not self.far_windows(), "the far wall is empty")
        self.picture(self.far)
        self.assertIsNone(bridge.poll(), self.output(bridge))
        self.ended(bridge)

    def test_mistakes_are_explained(self):
        refused = run("vitrail", "bridge", self.far_address(), "7", env=self.env())
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("there is no window 7", refused.stderr)
        absent = run("vitrail", "bridge", "127.0.0.1:1", "all", env=self.env())
        self.assertEqual(absent.returncode, EXIT_FAILED)
        self.assertIn("the other wall at 127.0.0.1:1", absent.stderr)


class Regions(BridgeTest):
    def region(self, *region):
        return self.start("vitrail-bridge", self.far_address(), *region, "--json")

    def test_a_part_of_the_wall_is_a_window_of_the_far_wall(self):
        self.play("--paused", "--codec", "raw", "--place", "0,0,320x180", self.clip())
        bridge = self.region("--rect", "80,45,160x90", "--codec", "raw")
        far = self.far_window()
        self.far.vitrail("place", far, "80,45,160x90")
        self.assertEqual(self.far.window(far)["frame_size"], [160, 90])

        def inside(picture):
            return b"".join(picture[3 * (320 * y + 80):3 * (320 * y + 240)] for y in range(45, 135))
        eventually(lambda: max(inside(self.picture(self))) > 100
                   and inside(self.picture(self)) == inside(self.picture(self.far)), "both walls show the same there")
        self.assertGreater(self.ended(bridge)["sent"], 0)

    def test_a_click_in_the_wall_comes_to_the_window_at_that_place(self):
        _, window = self.play("--loop", "--place", "80,45,160x90", self.clip(seconds=60))
        bridge = self.region("wall")
        far = self.far_window()
        eventually(lambda: self.far.window(far)["input"], "it takes input")
        with Control(self.far.port) as control:
            for at in ([10, 170], [160, 134]):  # no window; the film's middle by the strip at its lower edge
                for kind in ("down", "up"):
                    self.assertIn("result", control.call("input", window=far, type=kind, button=0, at=at))
        eventually(lambda: abs(self.window(window)["playback"]["position_s"] - 30) < 5, "the film is at its middle")
        self.ended(bridge)
        eventually(lambda: "driver" not in self.window(window), "nobody drives the film")

    def test_the_whole_wall_ends_when_people_close_it(self):
        bridge = self.region("wall")
        far = self.far_window()
        self.assertEqual(self.far.window(far)["frame_size"], [320, 180])
        self.far.vitrail("close", far)
        self.assertEqual(bridge.wait(PATIENCE_S), EXIT_DONE, self.output(bridge))
        self.assertIn("was closed on the far wall", self.output(bridge))

    def test_what_a_bridge_shows_is_black_in_a_region(self):
        _, window = self.play("--paused", "--codec", "raw", "--place", "0,0,320x180", self.clip())
        there = self.bridge(window)
        self.far_window()
        self.assert_same_pictures("the film is on both walls")
        back = self.far.start("vitrail-bridge", f"127.0.0.1:{self.port}", "wall", "--json")
        returned = eventually(lambda: [w["window"] for w in self.state()["windows"] if w["window"] != window],
                              "the far wall is a window here")[0]
        self.vitrail("place", returned, "0,0,320x180")
        eventually(lambda: max(self.picture(self)) == 0, "without the film that came from here")
        self.assertGreater(max(self.picture(self.far)), 100, "which is still there")
        self.ended(there)
        back.send_signal(signal.SIGTERM)
        self.assertEqual(back.wait(PATIENCE_S), EXIT_DONE, self.far.output(back))

    def test_a_wrong_choice_is_explained(self):
        for wrong in (["all", "--rect", "0,0,10x10"], [], ["wall", "3"], ["all", "--codec", "raw"], ["--rect", "0,0,10"]):
            with self.subTest(wrong):
                refused = run("vitrail-bridge", self.far_address(), *wrong, env=self.env())
                self.assertEqual(refused.returncode, EXIT_USAGE, refused.stderr)
        outside = run("vitrail-bridge", self.far_address(), "--rect", "5000,0,10x10", env=self.env())
        self.assertEqual(outside.returncode, EXIT_FAILED)
        self.assertIn("lies outside the wall of 320×180 pixels", outside.stderr)


class FarSound(FarWall, SoundTest):
    """The other wall, with loudspeakers."""


class Sounding(BridgeTest, SoundTest):
    far_class = FarSound

    def test_sound_is_heard_on_the_far_wall_at_its_own_volume(self):
        _, window = self.play("--loop", *PLACE, self.film())
        bridge = self.bridge(window)
        far = self.far_window()
        self.far.heard(0.4, "the film's tone")
        self.heard(0.4, "also here")
        self.vitrail("mute", window)
        self.heard(0, "muted here")
        self.far.heard(0.4, "not there")
        self.far.vitrail("volume", far, 0.5)
        self.far.heard(0.2, "half as loud there")
        self.vitrail("pause", window)
        self.far.heard(0, "a pause")
        self.vitrail("resume", window)
        self.far.heard(0.2, "it goes on")
        self.ended(bridge)

    def test_a_region_has_the_sound_of_its_windows_as_this_wall_plays_it(self):
        _, window = self.play("--loop", *PLACE, self.film())
        bridge = self.bridge("wall")
        self.far_window()
        self.far.heard(0.4, "the film's tone")
        self.vitrail("volume", window, 0.5)
        self.far.heard(0.2, "half as loud there, too")
        self.vitrail("mute", window)
        self.far.heard(0, "muted there, too")
        self.ended(bridge)


class FarAway(BridgeTest):
    def test_a_bridge_far_away_gets_all_frames_and_this_wall_does_not_wait_for_it(self):
        data, path = (free_port(kind=socket.SOCK_DGRAM) for _ in range(2))
        self.start("vitrail", "impair", "--listen", f"127.0.0.1:{path}", "--to", f"127.0.0.1:{data}", "--delay", "150ms")
        _, window = self.play("--transport", "udp", "--place", "0,0,64x64", "test:64x64@30")
        bridge = self.bridge(window, "--data-port", data, "--announce-port", path)
        self.far.wait_for_frames(self.far_window())

        def sent(wall):
            with Control(wall.port) as control:
                return control.call("stats")["result"]["windows"][0]["stats"]
        near, far = sent(self), sent(self.far)
        self.wait_for_frames(window, 150)
        near_frames, far_frames = (after["frames_sent"] - before["frames_sent"]
                                   for after, before in ((sent(self), near), (sent(self.far), far)))
        self.assertGreater(far_frames, 0.6 * near_frames)  # both walls report once a second
        self.assertLess(sent(self)["delay_ms"], 150, "this wall does not wait")
        self.assertGreaterEqual(self.ended(bridge)["way_ms"], 150)


class Silent(BridgeTest):
    def test_a_wall_without_loudspeakers_says_that_it_passes_no_sound_on(self):
        bridge = self.bridge("all")
        eventually(lambda: "plays no sound" in self.output(bridge), "the bridge says so")
        self.ended(bridge)


class WithKeys(BridgeTest):
    key = "open sesame, please"
    far_key = "another wall's key"
    near_key_file = ""

    def key_file(self, name, key):
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(key, encoding="utf-8")
        return path

    def env(self, **more):
        if not self.near_key_file:
            return super().env(**more)
        return {**WallTest.env(self, **more), "VITRAIL_KEY_FILE": self.near_key_file}

    def refused(self, key, *more):
        self.near_key_file = str(self.key_file("near.key", key))
        result = run("vitrail-bridge", self.far_address(), "all", *more, env=self.env())
        self.assertEqual(result.returncode, EXIT_FAILED)
        return result.stderr

    def test_each_wall_has_its_key(self):
        self.play("test:64x64@5")
        viewer = key_named(self.key, "viewer")
        of_application = self.key_file("far.key", key_named(self.far_key, "application"))
        text = self.refused(viewer)
        self.assertIn(f"the other wall at {self.far_address()}", text)
        self.assertIn("--key-file FILE", text)
        text = self.refused(key_named(self.far_key, "viewer"), "--key-file", of_application)
        self.assertIn(f"this wall at 127.0.0.1:{self.port}", text)

        self.near_key_file = str(self.key_file("near.key", viewer))
        bridge = self.bridge("all", "--key-file", of_application)
        self.far_window()
        self.ended(bridge)

    def test_the_key_of_the_near_wall_decides_what_people_of_the_far_wall_may_do(self):
        _, window = self.play("--loop", *PLACE, self.clip(seconds=60))
        of_application = self.key_file("far.key", key_named(self.far_key, "application"))
        for right, allowed in (("viewer", False), ("application", False), ("operator", True)):
            with self.subTest(right):
                self.near_key_file = str(self.key_file("near.key", key_named(self.key, right)))
                bridge = self.bridge(window, "--key-file", of_application)
                self.near_key_file = ""
                far = self.far_window()
                eventually(lambda: "playback" in self.far.window(far), "the far wall knows what plays")
                self.assertEqual(self.far.window(far)["playback"]["live"], not allowed, "what cannot be paused is live")
                eventually(lambda: self.far.window(far)["input"] == allowed, "input is only for those who may")
                self.far.vitrail("pause", far)
                if allowed:
                    eventually(lambda: self.window(window)["playback"]["paused"], "paused")
                else:
                    eventually(lambda: "pause of the far wall is not carried out" in self.output(bridge), "it says so")
                    self.assertFalse(self.window(window)["playback"]["paused"])
                self.ended(bridge)

    def test_the_key_of_the_near_wall_decides_about_input_in_a_region(self):
        of_application = self.key_file("far.key", key_named(self.far_key, "application"))
        for right, allowed in (("viewer", False), ("operator", True)):
            with self.subTest(right):
                self.near_key_file = str(self.key_file("near.key", key_named(self.key, right)))
                bridge = self.bridge("wall", "--key-file", of_application)
                self.near_key_file = ""
                far = self.far_window()
                self.assertEqual(self.far.window(far)["input"], allowed)
                self.ended(bridge)
                eventually(lambda: not self.far_windows(), "the window is closed")


if __name__ == "__main__":
    unittest.main()
