"""Films whose access units travel undecoded (--codec carried), against the same films sent as pixels."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading
import unittest

from harness import WallTest, eventually, free_port
from test_content import pixels_of

PLACE = ("--place", "0,0,320x180")
H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "24", "-bf", "2")
H265 = ("-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params", "log-level=0:keyint=24")


def running(pid):
    """Whether there is such a process that has not ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class CarriedTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [160, 180]}

    def wall(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        return pixels_of((self.folder / "wall.png").read_bytes())

    def picture_at(self, film, seconds, *options):
        """The wall with the film's picture at this time, sent as pixels."""
        player, window = self.play("--codec", "raw", "--paused", "--start", seconds, *(options or PLACE), film)
        eventually(lambda: self.shown(window) > 0, "the picture is shown")
        pixels = self.wall()
        self.vitrail("close", window)
        self.assertEqual(player.wait(30), 0, self.output(player))
        return pixels

    def sent(self):
        return [(window["codec"], window["frame_size"]) for window in self.state()["windows"]]

    def assert_wall(self, wanted, what):
        self.assertGreater(max(wanted), 100)
        eventually(lambda: max(abs(a - b) for a, b in zip(self.wall(), wanted)) <= 2, what)

    def decoders(self, *names):
        """The processes that decode for these receivers, or for all of this test."""
        receivers = {self.receivers[name].pid for name in names or self.receivers}
        found = set()
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                name, _, fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if name.endswith("(vitrail-decoder") and int(fields.split()[1]) in receivers:
                found.add(int(folder.name))
        return found

    def kill_decoders(self):
        killed = self.decoders()
        self.assertEqual(len(killed), 2)
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        return killed

    def lost(self):
        return [receiver.get("stats", {}).get("decoders_lost", 0) for receiver in self.state()["receivers"]]

    def slow_decoders(self, ended, *names):
        """Until ended, the decoders of these receivers run a small part of the time."""
        while not ended.is_set():
            decoders = self.decoders(*names)
            for stop, seconds in ((signal.SIGSTOP, 0.8), (signal.SIGCONT, 0.1)):
                for decoder in decoders:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(decoder, stop)
                ended.wait(seconds)

    def slow_down(self, *names):
        ended = threading.Event()
        slow = threading.Thread(target=self.slow_decoders, args=(ended, *names))
        slow.start()
        self.addCleanup(slow.join)
        self.addCleanup(ended.set)


class Carried(CarriedTest):
    def test_all_tiles_show_the_pictures_of_the_film(self):
        for codec, options in (("h264", H264), ("h265", H265)):
            film = self.clip(f"{codec}.mp4", extra=options)
            for seconds in (0, 0.7, 1.9):
                wanted = self.picture_at(film, seconds)
                player, window = self.play("--codec", "carried", "--paused", "--start", seconds, *PLACE, film)
                self.assert_wall(wanted, f"{codec} at {seconds} s")
                self.assertEqual(self.window(window)["codec"], codec)
                self.assertIn(codec, self.vitrail("ls").stdout)
                self.vitrail("close", window)
                self.assertEqual(player.wait(30), 0, self.output(player))

    def test_pause_seek_and_end(self):
        film = self.clip(seconds=3, extra=H264)
        places = {seconds: self.picture_at(film, seconds) for seconds in (2, 0.5, 2.99)}
        _, window = self.play("--codec", "carried", "--hold", *PLACE, film)
        self.wait_for_frames(window, 5)
        self.vitrail("pause", window)
        for seconds in (2, 0.5):
            self.vitrail("seek", window, seconds)
            self.assert_wall(places[seconds], f"the picture at {seconds} s")
        self.vitrail("resume", window)
        self.assert_wall(places[2.99], "the last picture stays")
        self.vitrail("resume", window)
        self.wait_for_frames(window, 5)

    def test_a_loop_loses_no_frame(self):
        film = self.clip(seconds=1, extra=H264)
        for transport in ("tcp", "udp"):
            _, window = self.play("--codec", "carried", "--loop", "--transport", transport, *PLACE, film)
            self.wait_for_frames(window, 90)
            self.assertEqual(self.window(window)["stats"]["dropped"]["incomplete"], 0)
            self.vitrail("close", window)

    def test_a_receiver_that_comes_back_is_in_step_before_the_next_key_picture(self):
        film = self.clip(seconds=60, rate=10, size="64x36", extra=("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g",
                                                                   "10000", "-bf", "2"))
        wanted = self.picture_at(film, 30)
        _, window = self.play("--codec", "carried", *PLACE, film)
        self.wait_for_frames(window, 5)
        self.end(self.receivers["node2"])
        self.start_receiver("node2")
        self.wait_for_receivers("node1", "node2")
        self.wait_for_frames(window, 5)
        self.vitrail("pause", window)
        self.vitrail("seek", window, 30)
        self.assert_wall(wanted, "both tiles show the picture")

    def test_a_paused_film_comes_back_with_its_receiver(self):
        film = self.clip(extra=H264)
        wanted = self.picture_at(film, 1.5)
        self.play("--codec", "carried", "--paused", "--start", 1.5, *PLACE, film)
        self.assert_wall(wanted, "the film is shown")
        self.end(self.receivers["node1"])
        self.start_receiver("node1")
        self.wait_for_receivers("node1", "node2")
        self.assert_wall(wanted, "the film is shown again")

    def test_killed_decoders_are_back_in_step_before_the_next_key_picture(self):
        film = self.clip(seconds=60, rate=10, size="64x36", extra=("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g",
                                                                   "10000", "-bf", "2"))
        wanted = self.picture_at(film, 30)
        for transport in ("tcp", "udp"):
            lost = self.lost()
            _, window = self.play("--codec", "carried", "--transport", transport, *PLACE, film)
            self.wait_for_frames(window, 5)
            killed = self.kill_decoders()
            self.wait_for_frames(window, 5)
            self.assertEqual(len(self.decoders() - killed), 2)
            self.vitrail("pause", window)
            self.vitrail("seek", window, 30)
            self.assert_wall(wanted, "both tiles show the picture")
            eventually(lambda before=lost: self.lost() == [count + 1 for count in before], "the losses are counted")
            self.vitrail("close", window)
            eventually(lambda: not self.decoders(), "the decoders end with the window")
        for receiver in self.receivers.values():
            self.assertEqual(self.output(receiver).count("lost its decoder"), 2)

    def test_a_paused_film_keeps_its_picture_without_its_decoders(self):
        film = self.clip(extra=H264)
        wanted, later = self.picture_at(film, 0.5), self.picture_at(film, 1.5)
        _, window = self.play("--codec", "carried", "--paused", "--start", 0.5, *PLACE, film)
        self.assert_wall(wanted, "the film is shown")
        self.kill_decoders()
        self.assert_wall(wanted, "the picture stays")
        self.vitrail("seek", window, 1.5)
        self.assert_wall(later, "both tiles show the next picture")

    def test_a_decoder_that_hangs_is_started_again_and_stops_no_other_window(self):
        film = self.clip(extra=H264)
        _, other = self.play("--codec", "carried", "--loop", "--place", "0,0,320x90", film)
        self.wait_for_frames(other, 5)
        decoders = self.decoders()
        player, window = self.play("--codec", "carried", "--loop", "--place", "0,90,320x90", film)
        self.wait_for_frames(window, 5)
        hanging = self.decoders() - decoders
        self.assertEqual(len(hanging), 2)
        for pid in hanging:
            os.kill(pid, signal.SIGSTOP)
        self.wait_for_frames(other, 5)
        self.assertTrue(all(map(running, hanging)), "the first decoders still hang")
        eventually(lambda: not any(map(running, hanging)), "they are ended")
        self.wait_for_frames(window, 5)
        eventually(lambda: self.lost() == [1, 1], "the losses are counted")
        self.assertNotIn("cannot send frames", self.output(player))

    def test_decoders_end_with_their_window_and_their_receiver(self):
        film = self.clip(extra=H264)
        _, window = self.play("--codec", "carried", "--loop", *PLACE, film)
        self.wait_for_frames(window, 5)
        decoders = self.decoders()
        self.assertEqual(len(decoders), 2)
        self.vitrail("close", window)
        eventually(lambda: not any(map(running, decoders)), "the decoders end with the window")
        _, window = self.play("--codec", "carried", "--loop", *PLACE, film)
        self.wait_for_frames(window, 5)
        decoders = self.decoders()
        self.assertEqual(len(decoders), 2)
        for receiver in self.receivers.values():
            receiver.kill()
        eventually(lambda: not any(map(running, decoders)), "the decoders end with the receivers")

    def test_moves_to_another_tile(self):
        film = self.clip(extra=H264)
        right = self.picture_at(film, 1.5, "--place", "160,0,160x90")
        _, window = self.play("--codec", "carried", "--paused", "--start", 1.5, "--place", "0,0,160x90", film)
        eventually(lambda: self.shown(window) > 0, "the picture is shown")
        self.vitrail("move", window, 160, 0)
        self.assert_wall(right, "the other tile shows the picture")


class CarriedOrBlocks(CarriedTest):
    def test_the_play_verb_and_saved_sessions_keep_the_choice(self):
        film = self.clip(extra=H264)
        self.vitrail("play", film, "--codec", "carried", "--loop")
        window = eventually(lambda: self.state()["windows"], "the window opens")[0]["window"]
        self.assertEqual(self.window(window)["codec"], "h264")
        self.vitrail("replace", window, "test:64x36@10")
        replaced = eventually(lambda: [one["window"] for one in self.state()["windows"] if one["window"] != window], "it is replaced")
        self.vitrail("replace", replaced[0], film, "--codec", "carried")
        eventually(lambda: [shown["codec"] for shown in self.state()["windows"]] == ["h264"], "the former window is closed")
        self.vitrail("session", "save", "one")
        self.vitrail("close", "all")
        self.vitrail("session", "restore", "one")
        eventually(lambda: [w["codec"] for w in self.state()["windows"]] == ["h264"], "the window is back")

    def test_auto_carries_what_receivers_can_show(self):
        film = self.clip(extra=H264)
        deep = self.clip("deep.mkv", extra=("-c:v", "libx264", "-pix_fmt", "yuv420p10le"))
        for content, codec, words in ((film, "h264", "sent undecoded"), (deep, "dxt1", "4:2:2; it is decoded here")):
            player, window = self.play("--codec", "auto", "--transport", "udp", "--hold", *PLACE, content)
            eventually(lambda: self.shown(window) > 0, f"{codec} is shown")
            self.assertEqual(self.window(window)["codec"], codec)
            self.assertIn(words, self.window(window)["codec_reason"])
            for verb in (("ls",), ("why", window)):
                self.assertIn(words, self.vitrail(*verb).stdout.replace("\n", " "))
            self.vitrail("close", window)
            self.assertEqual(player.wait(30), 0, self.output(player))
            self.assertIn(words, self.output(player).replace("\n", " "))
        self.vitrail("play", film, "--codec", "auto", "--transport", "udp", "--loop")
        window = eventually(lambda: self.state()["windows"], "the window opens")[0]
        self.assertEqual(window["codec"], "h264")

    def test_auto_decodes_here_when_receivers_are_too_slow(self):
        film = self.clip(extra=H264)
        player, window = self.play("--codec", "auto", "--loop", "--place", "0,0,160x90", film)
        eventually(lambda: self.shown(window) > 0, "the film is shown")
        self.assertEqual(self.window(window)["codec"], "h264")
        self.slow_down()
        window = eventually(lambda: [w for w in self.state()["windows"] if w["codec"] == "raw"], "the film is sent as pixels")[0]
        self.assertIn("in time; the film is decoded here", window["codec_reason"])
        before = self.shown(window["window"])
        eventually(lambda: self.shown(window["window"]) > before + 5, "the film goes on")
        self.assertIsNone(player.poll())

    def test_auto_sends_a_film_undecoded_again_when_other_receivers_show_it(self):
        player, window = self.play("--codec", "auto", "--loop", "--place", "0,0,160x90", self.clip(extra=H264))
        eventually(lambda: self.shown(window) > 0, "the film is shown")
        self.slow_down("node1")
        eventually(lambda: self.window(window)["codec"] == "raw", "the film is sent as pixels")
        self.assertIn("sent undecoded again after 1 min", self.window(window)["codec_reason"])
        self.vitrail("move", window, 160, 0)
        eventually(lambda: self.window(window)["codec"] == "h264", "the film is sent undecoded again")
        self.assertTrue(self.window(window)["codec_reason"].endswith("is sent undecoded"))
        self.assertIn("is sent undecoded again", self.output(player).replace("\n", " "))
        self.wait_for_frames(window)

    def test_the_codec_of_a_carried_film_in_a_group_can_be_changed(self):
        film = self.clip(extra=H264)
        windows = [self.play("--codec", "carried", "--loop", "--group", "pair", "--place", place, film)[1]
                   for place in ("0,0,160x90", "160,0,160x90")]
        for window in windows:
            self.wait_for_frames(window)
        self.vitrail("codec", windows[0], "raw")
        eventually(lambda: [self.window(window)["codec"] for window in windows] == ["raw", "h264"], "one codec is changed")
        for window in windows:
            self.wait_for_frames(window)
        groups = json.loads(self.vitrail("group", "--json").stdout)["groups"]
        self.assertEqual([(group["name"], sorted(group["windows"])) for group in groups], [("pair", windows)])

    def test_the_codec_of_a_carried_film_can_be_changed(self):
        film = self.clip(extra=H264)
        wanted = self.picture_at(film, 0.7)
        _, window = self.play("--codec", "carried", "--paused", "--start", 0.7, *PLACE, film)
        self.assert_wall(wanted, "the carried picture")
        self.vitrail("codec", window, "raw")
        eventually(lambda: [w["codec"] for w in self.state()["windows"]] == ["raw"], "the film is sent as pixels")
        self.assert_wall(wanted, "the same picture")
        self.vitrail("codec", self.state()["windows"][0]["window"], "auto")
        eventually(lambda: [w["codec"] for w in self.state()["windows"]] == ["h264"], "the film is sent undecoded again")
        self.assert_wall(wanted, "the same picture again")

    def test_the_codec_of_a_live_source_can_be_changed(self):
        port = free_port(kind=socket.SOCK_DGRAM)
        film = self.clip("live.ts", extra=H264)
        sender = subprocess.Popen(["ffmpeg", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy",
                                   "-f", "mpegts", f"udp://127.0.0.1:{port}"])
        self.addCleanup(sender.wait)
        self.addCleanup(sender.kill)
        player, window = self.play("--codec", "carried", *PLACE, f"udp://127.0.0.1:{port}")
        self.assertEqual(self.window(window)["codec"], "h264")
        self.vitrail("codec", window, "raw")
        window = eventually(lambda: [w["window"] for w in self.state()["windows"] if w["codec"] == "raw"], "it is sent as pixels")[0]
        eventually(lambda: self.shown(window) > 3, "its pictures are shown")
        self.assertIsNone(player.poll())

    def test_pictures_of_another_size_are_followed(self):
        parts = [self.clip(f"{size}.ts", seconds=1, size=size, extra=H264) for size in ("320x180", "160x180")]
        (self.folder / "list").write_text("".join(f"file '{part}'\n" for part in parts))
        film = self.folder / "film.ts"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", self.folder / "list",
                        "-c", "copy", film], check=True)
        walls = []
        for codec in ("raw", "carried"):
            player, window = self.play("--codec", codec, "--paused", "--start", 0.5, *PLACE, film)
            eventually(lambda: self.shown(window) > 0, "the first size is shown")
            before = self.wall()
            self.vitrail("seek", window, 1.5)
            eventually(lambda: self.sent()[0][1] == [160, 180], "the second size is sent")
            eventually(lambda: self.wall() != before, "the second size is shown")
            if walls:
                self.assert_wall(walls[0], "the picture of the second size")
            walls.append(self.wall())
            self.vitrail("close", "all")
            self.assertEqual(player.wait(30), 0, self.output(player))

    def test_a_list_changes_its_size_and_codec(self):
        films = [self.clip("one.mp4", seconds=1, extra=H264), self.clip("two.mkv", seconds=1, size="160x180", extra=H265)]
        self.play("--codec", "carried", "--loop", *PLACE, *films)
        for _ in range(2):
            for codec, size in (("h265", [160, 180]), ("h264", [320, 180])):
                eventually(lambda: self.sent() == [(codec, size)], f"{codec} is sent")

    def test_a_live_source_is_carried_and_its_next_sender_too(self):
        port = free_port(kind=socket.SOCK_DGRAM)
        sender = ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25",
                  "-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "12",
                  "-f", "mpegts", f"udp://127.0.0.1:{port}?pkt_size=1316"]
        window = None
        for _ in range(2):
            with subprocess.Popen(sender, stdin=subprocess.DEVNULL) as process:
                if window is None:
                    _, window = self.play("--codec", "carried", *PLACE, f"udp://127.0.0.1:{port}")
                self.wait_for_frames(window, 20)
                process.send_signal(signal.SIGTERM)
            eventually(lambda: self.window(window)["playback"].get("silent_since_s"), "the source is silent")
        self.assertEqual(self.window(window)["codec"], "h264")

    def test_what_must_be_decoded_is_refused_in_words(self):
        still = self.clip("still.png", seconds=1, rate=1)
        deep = self.clip("deep.mkv", extra=("-c:v", "libx264", "-pix_fmt", "yuv420p10le"))
        other = self.clip("other.avi", extra=("-c:v", "mpeg4"))
        for content, words in ((still, "still picture"), (deep, "8 bits"), (other, "mpeg4"), ("test:320x180", "test card")):
            player = self.start("bplay", "--codec", "carried", content)
            self.assertEqual(player.wait(30), 1)
            self.assertIn("--codec carried", self.output(player))
            self.assertIn(words, self.output(player))
        player = self.start("bplay", "--codec", "h264", other)
        self.assertEqual(player.wait(30), 2)


if __name__ == "__main__":
    unittest.main()
