"""Recording the wall to a film or a stream, without effect on the wall."""

import array
import json
import resource
import signal
import socket
import statistics
import subprocess
import unittest

from harness import EXIT_DONE, EXIT_FAILED, EXIT_USAGE, NEVER_DROPPED, PATIENCE_S, WallTest, eventually, free_port, key_named, run

WIDTH, HEIGHT = 640, 180  # of the wall


def pixels_of(path, *more):
    """All frames of a film or PNG file, as R, G and B bytes."""
    result = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", path, *more, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                            capture_output=True, check=True)
    return result.stdout


def pictures_of(path, width=WIDTH, height=HEIGHT):
    raw = pixels_of(path, "-vsync", "passthrough")
    size = width * height * 3
    assert len(raw) % size == 0, (len(raw), size)
    return [raw[i:i + size] for i in range(0, len(raw), size)]


def cut(picture, x, y, width, height):
    rows = (picture[((y + row) * WIDTH + x) * 3:((y + row) * WIDTH + x + width) * 3] for row in range(height))
    return b"".join(rows)


def probe(path):
    """Frame times and the video stream as ffprobe reports them; None while there is no film."""
    result = subprocess.run(["ffprobe", "-loglevel", "error", "-of", "json", "-select_streams", "v", "-show_entries",
                             "packet=pts_time:stream=codec_name,width,height,r_frame_rate:format=duration", path],
                            capture_output=True, text=True, check=False)
    found = json.loads(result.stdout or "{}")
    return found if found.get("packets") else None


def times_of(path):
    return sorted(float(packet["pts_time"]) for packet in (probe(path) or {}).get("packets", []))


class RecordTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def record(self, *arguments, **options):
        return self.start("vitrail-recorder", *arguments, **options)

    def recorders(self):
        return self.state().get("recorders", [])

    def film(self):
        return self.folder / "film.mkv"

    def wait_for_pictures(self, count, path=None):
        eventually(lambda: len(times_of(path or self.film())) >= count, f"the film has {count} pictures")

    def assert_ends(self, process, code=EXIT_DONE):
        process.wait(PATIENCE_S)
        self.assertEqual(process.returncode, code, self.output(process))

    def still_wall(self):
        """Shows a paused window over both tiles; returns the picture of the wall."""
        _, number = self.play("test:320x180@30", "--place", "160,0")
        self.wait_for_frames(number)
        self.vitrail("pause", number)
        eventually(lambda: self.window(number).get("playback", {}).get("paused"), "it is paused")
        def rests():
            self.vitrail("snapshot", "a.png")
            self.vitrail("snapshot", "b.png")
            return (self.folder / "a.png").read_bytes() == (self.folder / "b.png").read_bytes()
        eventually(rests, "the wall rests")
        return number, pixels_of(self.folder / "b.png")


class Pictures(RecordTest):
    def test_the_film_of_a_paused_window_is_what_a_snapshot_shows(self):
        number, wall = self.still_wall()
        reported = self.vitrail("record", self.film(), "--codec", "ffv1", "--seconds", 1, "--fps", 20)
        self.assertIn("film.mkv: 1.00 s", reported.stdout)
        found = probe(self.film())
        self.assertEqual((found["streams"][0]["codec_name"], found["streams"][0]["width"], found["streams"][0]["height"]),
                         ("ffv1", WIDTH, HEIGHT))
        self.assertAlmostEqual(float(found["format"]["duration"]), 1, delta=0.051)
        times = times_of(self.film())
        self.assertEqual(times, sorted(set(times)))
        self.assertTrue(all(abs(time * 20 - round(time * 20)) < 0.03 for time in times), times)
        self.assertEqual(pictures_of(self.film())[-1], wall)

        part = self.folder / "part.mkv"
        self.vitrail("record", part, "--codec", "ffv1", "--seconds", 0.5, "--rect", "170,20,300,100")
        self.assertEqual(pictures_of(part, 300, 100)[-1], cut(wall, 170, 20, 300, 100))

        of_window = self.folder / "window.mkv"
        self.vitrail("record", of_window, "--codec", "ffv1", "--seconds", 0.5, "--window", number)
        self.assertEqual(pictures_of(of_window, 320, 180)[-1], cut(wall, 160, 0, 320, 180))

    def test_a_layout_that_changes_is_in_the_film(self):
        number, _ = self.still_wall()
        recorder = self.record(self.film(), "--codec", "ffv1", "--fps", 20)
        self.wait_for_pictures(5)
        self.vitrail("move", number, 300, 0)
        eventually(lambda: self.state()["settled"], "the layout is shown")
        self.wait_for_pictures(len(times_of(self.film())) + 40)
        self.vitrail("snapshot", "moved.png")
        recorder.send_signal(signal.SIGINT)
        self.assert_ends(recorder)
        pictures = pictures_of(self.film())
        self.assertEqual(pictures[-1], pixels_of(self.folder / "moved.png"))
        self.assertNotEqual(pictures[0], pictures[-1])

    def test_h264_is_what_one_gets_without_asking(self):
        _, number = self.play("test:320x180@30")
        self.wait_for_frames(number)
        for name in ("film.mkv", "film.mp4", "film.ts"):
            self.vitrail("record", name, "--seconds", 1, "--size", "320x90")
            stream = probe(self.folder / name)["streams"][0]
            self.assertEqual((stream["codec_name"], stream["width"], stream["height"]), ("h264", 320, 90))
            self.assertGreater(len(set(pictures_of(self.folder / name, 320, 90))), 2, "the film moves")

    def test_an_empty_wall_is_black(self):
        self.vitrail("record", "film.mkv", "--codec", "ffv1", "--seconds", 0.3)
        self.assertEqual(set(pictures_of(self.film())[-1]), {0})


class Heard(RecordTest):
    """A film that flashes and beeps for a tenth of every second."""

    wall_keys = {"audio": {"receiver": "node1"}}
    FPS = 60
    RATE = 48000
    TONE_HZ = 1000

    def env(self, **more):
        return super().env(SDL_AUDIODRIVER="dummy", **more)

    def flashes(self):
        clip = self.folder / "flashes.mkv"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi",
                        "-i", "color=black:size=320x180:rate=30,drawbox=c=white:t=fill:enable='lt(mod(t,1),0.1)'",
                        "-f", "lavfi", "-i", f"aevalsrc=0.8*sin(2*PI*{self.TONE_HZ}*t)*lt(mod(t\\,1)\\,0.1):s={self.RATE}",
                        "-t", "60", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", clip], check=True)
        _, number = self.play("--loop", clip)
        self.wait_for_frames(number)
        return number

    def sound_of(self, path):
        """The film's samples, from its time 0 on."""
        raw = subprocess.run(["ffmpeg", "-loglevel", "error", "-copyts", "-i", path, "-vn", "-ac", "1", "-ar", str(self.RATE),
                              "-af", "aresample=async=1:first_pts=0", "-f", "f32le", "-"],
                             capture_output=True, check=True).stdout
        return array.array("f", raw)

    @staticmethod
    def beginnings(times, loud):
        """The times at which it becomes loud, or bright, after a pause."""
        found, last = [], float("-inf")
        for time, one in zip(times, loud):
            if one and time - last > 0.3:
                found.append(time)
            last = time if one else last
        return found[1:]  # the first one may be cut off

    def tones(self, path):
        samples = self.sound_of(path)
        return self.beginnings((i / self.RATE for i in range(len(samples))), (abs(one) > 0.05 for one in samples))

    def flashes_seen(self, path):
        pictures = pictures_of(path, 64, 18)
        return self.beginnings(times_of(path), (sum(picture) / len(picture) > 60 for picture in pictures))

    def offset_of(self, path):
        """The delay of the sound after the picture; if there are too few flashes or tones, what was found."""
        flashes, tones = self.flashes_seen(path), self.tones(path)
        if len(flashes) < 3 or not tones:
            return f"flashes at {flashes}, tones at {tones}"
        return statistics.median(min((tone - flash for tone in tones), key=abs) for flash in flashes)

    def assert_in_time(self, path, make):
        """One of several recordings must be in sync: a busy machine shows frames late, and the film records that."""
        offsets = []
        for _ in range(4):
            make()
            offsets.append(self.offset_of(path))
            # The begin of a flash is known to one frame.
            if isinstance(offsets[-1], float) and abs(offsets[-1]) < 0.020 + 1 / self.FPS:
                return
        self.fail(f"{path}: {offsets}")

    def test_the_sound_is_in_time_with_the_picture(self):
        number = self.flashes()
        self.vitrail("volume", number, 0.5)
        for name in ("film.mkv", "film.mp4", "film.webm"):
            def record(to=name):
                self.vitrail("record", to, "--seconds", 6, "--fps", self.FPS, "--size", "64x18")
            if name == "film.webm":  # its encoder may drop such short flashes
                record()
            else:
                self.assert_in_time(self.folder / name, record)
            samples = self.sound_of(self.folder / name)
            self.assertAlmostEqual(len(samples) / self.RATE, 6, delta=0.1)
            begins = [int(tone * self.RATE) + self.RATE // 50 for tone in self.tones(self.folder / name)]
            bursts = [samples[begin:begin + self.RATE // 20] for begin in begins if begin < len(samples) - self.RATE // 20]
            # A busy machine may leave a gap in one of the bursts.
            self.assertAlmostEqual(statistics.median(max(burst) for burst in bursts), 0.4, delta=0.06)
            crossings = [sum(1 for a, b in zip(burst, burst[1:]) if a < 0 <= b) for burst in bursts]
            self.assertAlmostEqual(statistics.median(crossings) * 20, self.TONE_HZ, delta=40)

    def test_what_is_muted_or_elsewhere_is_not_in_it(self):
        number = self.flashes()
        self.vitrail("move", number, 320, 0)
        self.vitrail("record", "film.mkv", "--seconds", 1.5, "--rect", "0,0,320,180")
        self.assertLess(max(self.sound_of(self.film())), 0.01)
        self.vitrail("mute", number)
        self.vitrail("record", "film.mkv", "--seconds", 1.5)
        self.assertLess(max(self.sound_of(self.film())), 0.01)

    def test_who_looks_on_hears_it(self):
        self.flashes()
        seen = self.folder / "seen.ts"

        def look_on():
            url = f"udp://127.0.0.1:{free_port(kind=socket.SOCK_DGRAM)}"
            # A player that misses the first key frame shows nothing until the next one.
            player = subprocess.Popen(["ffmpeg", "-loglevel", "error", "-y", "-i", url, "-t", "8", "-c", "copy", "-copyts", seen],
                                      stdin=subprocess.DEVNULL)
            self.addCleanup(player.wait)
            self.addCleanup(player.kill)
            caster = self.record("--live", url, "--fps", str(self.FPS), "--size", "64x18")
            self.assertEqual(player.wait(PATIENCE_S), 0)
            caster.send_signal(signal.SIGINT)
            self.assert_ends(caster)

        self.assert_in_time(seen, look_on)


class Endings(RecordTest):
    def film_that_plays(self):
        _, number = self.play("test:320x180@30", "--place", "160,0")
        self.wait_for_frames(number)
        return number

    def test_ctrl_c_and_sigterm_leave_a_whole_film(self):
        self.film_that_plays()
        for one in (signal.SIGINT, signal.SIGTERM):
            self.film().unlink(missing_ok=True)
            recorder = self.record(self.film(), "--codec", "ffv1")
            self.wait_for_pictures(10)
            recorder.send_signal(one)
            self.assert_ends(recorder)
            self.assertGreaterEqual(len(pictures_of(self.film())), 10)
            self.assertIn("pictures", self.output(recorder))

    def test_a_killed_recorder_leaves_what_it_had(self):
        number = self.film_that_plays()
        for name in ("film.mkv", "film.mp4"):
            recorder = self.record(self.folder / name)
            self.wait_for_pictures(60, self.folder / name)
            recorder.kill()
            recorder.wait()
            self.assertGreaterEqual(len(pictures_of(self.folder / name)), 60)
        eventually(lambda: not self.recorders(), "the manager has forgotten it")
        self.wait_for_frames(number)

    def test_it_ends_with_the_wall(self):
        self.film_that_plays()
        recorder = self.record(self.film(), "--codec", "ffv1")
        self.wait_for_pictures(5)
        self.manager.terminate()
        self.assert_ends(recorder)
        self.assertGreaterEqual(len(pictures_of(self.film())), 5)

    def test_it_goes_on_while_the_manager_is_away(self):
        self.film_that_plays()
        recorder = self.record(self.film(), "--codec", "ffv1")
        self.wait_for_pictures(5)
        self.manager.kill()
        self.manager.wait()
        eventually(lambda: "lost the manager" in self.output(recorder), "it says so")
        self.manager = self.start_manager()
        self.wait_for_receivers(*self.receivers)
        eventually(self.recorders, "it is back")
        self.wait_for_pictures(len(times_of(self.film())) + 30)
        recorder.send_signal(signal.SIGINT)
        self.assert_ends(recorder)
        pictures = pictures_of(self.film())
        self.assertTrue(all(any(picture) for picture in pictures[5:]), "never black")
        self.assertGreater(len(set(pictures[-25:])), 2, "and it moves")

    def test_a_full_disk_ends_it_and_the_film_is_there_up_to_then(self):
        self.film_that_plays()
        limit = 300_000
        recorder = self.record(self.film(), "--codec", "ffv1",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assert_ends(recorder, EXIT_FAILED)
        self.assertIn("film.mkv: File too large", self.output(recorder))
        self.assertGreater(len(times_of(self.film())), 2)


class Mistakes(RecordTest):
    def refused(self, *arguments):
        return self.vitrail("record", *arguments, expect=EXIT_FAILED).stderr

    def test_what_cannot_be_is_said_in_words(self):
        self.assertIn("no window 77", self.refused("film.mkv", "--window", 77))
        self.assertFalse(self.film().exists())
        self.assertIn("outside the wall of 640×180 pixels", self.refused("film.mkv", "--rect", "9000,0,10,10"))
        self.assertIn("unknown kind of file", self.refused("film.nothing"))
        self.assertIn("no encoder 'nothing'", self.refused("film.mkv", "--codec", "nothing"))
        self.assertIn("No such file or directory", self.refused(self.folder / "no" / "film.mkv"))
        for words in (("film.mkv", "--rect", "1,2"), ("film.mkv", "--size", "0x0"), ("film.mkv", "--fps", "0"),
                      ("foo://127.0.0.1:9",), ()):
            self.assertEqual(run("vitrail", "record", *words).returncode, EXIT_USAGE, words)
        self.assertEqual(run("vitrail", "cast", "film.mkv").returncode, EXIT_USAGE)

    def test_no_more_than_eight_at_a_time(self):
        for i in range(8):
            self.record(self.folder / f"{i}.mkv", "--rect", "0,0,64,64", "--fps", 1)
        eventually(lambda: len(self.recorders()) == 8, "eight record")
        self.assertIn("8 clients already record the wall", self.refused("film.mkv"))


class Unnoticed(RecordTest):
    """The wall continues, whatever happens to a recorder."""

    def dropped(self, number):
        return self.window(number)["stats"]["dropped"]

    def test_a_recorder_is_no_receiver_of_the_wall(self):
        _, number = self.play("test:320x180@30")
        self.wait_for_frames(number)
        before = self.state()
        self.record(self.film(), "--rect", "10,20,200,100", "--size", "100x50")
        eventually(self.recorders, "it is listed")
        state = self.state()
        self.assertEqual([r["name"] for r in state["receivers"]], [r["name"] for r in before["receivers"]])
        self.assertEqual(state["wall"], before["wall"])
        one = self.recorders()[0]
        self.assertEqual((one["rect"], one["size"], one["host"]), ([10, 20, 200, 100], [100, 50], "127.0.0.1"))
        self.assertRegex(self.vitrail("status").stdout, r"RECORDER +HOST +AT +SIZE\n.* 127.0.0.1 +10,20 200×100 +100×50")

    def test_a_recorder_that_stands_still_and_is_killed(self):
        _, number = self.play("test:320x180@30", "--place", "160,0")
        self.wait_for_frames(number)
        before = self.dropped(number)
        recorder = self.record(self.film(), "--codec", "ffv1")
        self.wait_for_pictures(10)
        self.wait_for_frames(number, more=30)
        recorder.send_signal(signal.SIGSTOP)
        self.wait_for_frames(number, more=90)
        recorder.send_signal(signal.SIGCONT)
        self.wait_for_pictures(len(times_of(self.film())) + 30)
        recorder.send_signal(signal.SIGSTOP)
        eventually(lambda: not self.recorders(), "the manager gives it up")
        recorder.kill()
        self.wait_for_frames(number, more=30)
        after = self.dropped(number)
        for cause in NEVER_DROPPED:
            self.assertEqual(after[cause], before[cause], cause)
        links = json.loads(self.vitrail("stats", number, "--json").stdout)
        self.assertNotIn("recorder", json.dumps(links))


class Casts(RecordTest):
    def setUp(self):
        super().setUp()
        _, number = self.play("test:320x180@30", "--place", "160,0")
        self.wait_for_frames(number)

    def watch(self, *source):
        """Starts a player that ends after ten frames."""
        player = subprocess.Popen(["ffmpeg", "-loglevel", "error", *source, "-frames:v", "10", "-f", "null", "-"],
                                  stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(player.stderr.close)
        self.addCleanup(player.wait)
        self.addCleanup(player.kill)
        return player

    def assert_seen(self, player):
        self.assertEqual(player.wait(PATIENCE_S), 0, "it has seen ten pictures")

    def test_udp(self):
        url = f"udp://127.0.0.1:{free_port(kind=socket.SOCK_DGRAM)}"
        player = self.watch("-i", url)
        caster = self.record("--live", url)
        self.assert_seen(player)
        caster.send_signal(signal.SIGINT)
        self.assert_ends(caster)

    def test_rtsp(self):
        url = f"rtsp://127.0.0.1:{free_port()}/wall"
        player = self.watch("-rtsp_flags", "listen", "-i", url)
        caster = self.record("--live", url, "--log-level", "info")
        self.assert_seen(player)
        eventually(lambda: "trying again" in self.output(caster), "the player has gone")
        caster.send_signal(signal.SIGINT)
        self.assert_ends(caster)

    def test_where_nobody_answers_it_tries_again_with_growing_pauses(self):
        port = free_port()
        caster = self.record("--live", f"tcp://127.0.0.1:{port}")
        eventually(lambda: "trying again in 1.0 s" in self.output(caster), "it tries again")
        self.assertIn(f"tcp://127.0.0.1:{port}: Connection refused; trying again in 0.5 s", self.output(caster))
        self.assert_seen(self.watch("-listen", "1", "-i", f"tcp://127.0.0.1:{port}"))
        caster.send_signal(signal.SIGINT)
        self.assert_ends(caster)

    def test_a_camera_that_is_not_there(self):
        caster = self.record("--live", "v4l2:/dev/video-none")
        eventually(lambda: "v4l2:/dev/video-none: No such file or directory" in self.output(caster), "it says so")


class WithKey(RecordTest):
    """Clients that may view the wall may record it."""

    KEY = "open sesame, please"

    def env(self, **more):
        return super().env(**{"VITRAIL_KEY": self.KEY, **more})

    def record_as(self, role):
        return run("vitrail", "record", "film.mkv", "--seconds", 0.2, cwd=self.folder,
                   env=self.env(VITRAIL_KEY=key_named(self.KEY, role)))

    def test_a_viewer_may_and_a_receiver_may_not(self):
        self.assertEqual(self.record_as("viewer").returncode, EXIT_DONE)
        refused = self.record_as("receiver")
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("does not allow the role 'recorder'", refused.stderr)


if __name__ == "__main__":
    unittest.main()
