"""GStreamer pipelines that end on a wall. Skipped without GStreamer, and with sanitizers, because GStreamer's programs are
built without them."""

import array
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import BIN, WallTest, eventually
from test_content import pixels_of

PLUGINS = pathlib.Path(BIN).parent / "sail" / "bindings" / "gstreamer"


@unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "GStreamer's programs are built without sanitizers")
@unittest.skipUnless(shutil.which("gst-launch-1.0") and (PLUGINS / "libgstvitrail.so").exists(), "no GStreamer here")
class GStreamerTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return super().env(GST_PLUGIN_PATH=str(PLUGINS), GST_REGISTRY=str(self.folder / "registry"), **more)

    def launch(self, pipeline):
        """Starts gst-launch-1.0; returns (process, window number) when its window is open."""
        process = subprocess.Popen(["gst-launch-1.0", *pipeline.split()], env=self.env(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def opened():
            if process.poll() is not None:
                raise AssertionError("the pipeline ended: " + process.stdout.read())
            return [window["window"] for window in self.state()["windows"]]
        return process, eventually(opened, "the pipeline's window")[0]


class GStreamer(GStreamerTest):
    def colour_of_the_wall(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        return tuple(pixels_of((self.folder / "wall.png").read_bytes(), crop="crop=1:1:160:90"))

    def test_it_says_what_it_is(self):
        reported = subprocess.run(["gst-inspect-1.0", "vitrailsink"], env=self.env(), capture_output=True, text=True,
                              check=True).stdout
        for word in ("Sink/Video", "manager", "title", "codec", "transport", "place", "delay-ms", "UYVY", "I422_10LE"):
            self.assertIn(word, reported)

    def test_every_format_is_seen_on_the_wall(self):
        for codec, form in (("dxt1", "I420"), ("dxt1", "UYVY"), ("dxt1", "BGRx"), ("htj2k", "I422_10LE"),
                            ("dxt5", "RGBA")):
            with self.subTest(codec=codec, format=form):
                process, number = self.launch(
                    f"videotestsrc pattern=red is-live=true ! video/x-raw,format={form},width=320,height=180 ! "
                    f"vitrailsink title=red codec={codec} place=0,0,320x180")
                self.wait_for_frames(number, 5)
                red, green, blue = self.colour_of_the_wall()
                self.assertGreater(red, 240)
                self.assertLess(max(green, blue), 16)
                self.assertEqual(self.window(number)["title"], "red")
                process.terminate()
                process.wait()
                eventually(lambda: not self.state()["windows"], "the window goes with the pipeline")

    def test_the_end_of_a_film_is_the_end_of_the_pipeline(self):
        process, _ = self.launch("videotestsrc num-buffers=30 ! video/x-raw,width=320,height=180 ! vitrailsink")
        self.assertEqual(process.wait(30), 0)

    def test_caps_may_change_while_it_plays(self):
        first, second = ("videotestsrc pattern=blue num-buffers=20 ! video/x-raw,format=I420,width=320,height=180",
                         "videotestsrc pattern=red ! video/x-raw,format=BGRx,width=160,height=90")
        _, number = self.launch(f"concat name=join ! vitrailsink place=0,0,320x180 {first},framerate=10/1 ! join. "
                                f"{second},framerate=10/1 ! join.")
        eventually(lambda: self.window(number)["frame_size"] == [160, 90], "the second film is in the first one's place")
        eventually(lambda: self.colour_of_the_wall()[0] > 240, "and seen")
        self.assertEqual(len(self.state()["windows"]), 1)

    def test_a_still_picture_follows_its_window(self):
        _, number = self.launch("videotestsrc pattern=blue is-live=true ! "
                                "video/x-raw,width=320,height=180,framerate=1/100 ! vitrailsink place=320,0,320x180")
        eventually(lambda: self.shown(number) >= 1, "the picture is there")
        self.vitrail("move", number, "0", "0")
        eventually(lambda: self.colour_of_the_wall()[2] > 240, "it is seen at its new place")

    def test_who_closes_the_window_ends_the_pipeline(self):
        process, number = self.launch("videotestsrc is-live=true ! video/x-raw,width=320,height=180 ! vitrailsink")
        self.wait_for_frames(number, 5)
        self.vitrail("close", number)
        self.assertNotEqual(process.wait(30), 0)
        self.assertIn("closed on the wall", process.stdout.read())

    def test_wrong_wishes_are_told(self):
        # gst-launch waits for ever after an error that comes before its main loop runs. A live source negotiates later.
        for wish, words in (("place=12", "place"), ("codec=mpeg", "mpeg"), ("transport=pigeon", "pigeon"),
                            ("manager=127.0.0.1:1", "127.0.0.1:1")):
            reported = subprocess.run(["gst-launch-1.0", "videotestsrc", "is-live=true", "!", "vitrailsink", wish],
                                  env=self.env(), capture_output=True, text=True, timeout=60, check=False)
            self.assertNotEqual(reported.returncode, 0, wish)
            self.assertIn(words, reported.stderr)


class Sound(GStreamerTest):
    """SDL's "disk" driver writes a receiver's output to a file."""

    wall_keys = {"audio": {"receiver": "node1"}}
    RATE = 48000
    TONE_HZ = 500

    def env(self, **more):
        return super().env(SDL_AUDIODRIVER="disk", SDL_DISKAUDIOFILE=str(self.folder / "heard.raw"), **more)

    def heard(self):
        """The last quarter of a second of the left loudspeaker."""
        file = self.folder / "heard.raw"
        size = 2 * 4 * self.RATE // 4
        if not file.exists() or file.stat().st_size < size:
            return []
        whole = file.stat().st_size // 8 * 8
        with file.open("rb") as values:
            values.seek(whole - size)
            return array.array("f", values.read(size))[::2]

    def loudness(self):
        return max(self.heard(), default=-1)

    def has_tone(self):
        samples = self.heard()
        crossings = sum(1 for a, b in zip(samples, samples[1:]) if a < 0 <= b)
        return abs(crossings * 4 - self.TONE_HZ) < 24 and abs(max(samples) - 0.5) < 0.05

    def test_it_says_what_it_is(self):
        reported = subprocess.run(["gst-inspect-1.0", "vitrailaudiosink"], env=self.env(), capture_output=True, text=True,
                              check=True).stdout
        for word in ("Sink/Audio", "S16LE", "F32LE", "interleaved"):
            self.assertIn(word, reported)

    def test_the_sound_of_a_pipeline_is_heard_in_its_window(self):
        for form, live in (("F32LE,rate=44100,channels=1", "true"), ("S16LE,rate=48000,channels=2", "false")):
            with self.subTest(format=form, live=live):
                process, number = self.launch(
                    f"videotestsrc is-live={live} ! video/x-raw,width=320,height=180 ! vitrailsink "
                    f"audiotestsrc is-live={live} freq={self.TONE_HZ} volume=0.5 ! audio/x-raw,format={form} ! "
                    "vitrailaudiosink")
                eventually(self.has_tone, "its tone")
                self.vitrail("mute", number)
                eventually(lambda: 0 <= self.loudness() < 0.01, "silence")
                process.terminate()
                process.wait()
                eventually(lambda: not self.state()["windows"], "the window goes with the pipeline")

    def test_a_film_is_played_in_one_line(self):
        clip = self.folder / "film.mkv"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10", "-f", "lavfi",
                        "-i", f"aevalsrc=0.5*sin(2*PI*{self.TONE_HZ}*t):s=44100", "-t", "30", "-c:v", "rawvideo",
                        "-c:a", "pcm_s16le", clip], check=True)
        self.launch(f"playbin uri={clip.as_uri()} video-sink=vitrailsink audio-sink=vitrailaudiosink")
        eventually(self.has_tone, "its tone")

    def test_it_goes_with_a_vitrailsink(self):
        reported = subprocess.run(["gst-launch-1.0", "audiotestsrc", "!", "vitrailaudiosink"], env=self.env(),
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(reported.returncode, 0)
        self.assertIn("needs a vitrailsink in the same pipeline", reported.stderr)


if __name__ == "__main__":
    unittest.main()
