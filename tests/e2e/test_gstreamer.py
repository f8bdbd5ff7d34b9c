"""Pipelines of GStreamer that end on a wall. Left out where GStreamer is not, and where the sanitizers are: its programs
are built without them."""

import os
import pathlib
import shutil
import subprocess
import unittest

from harness import BIN, WallTest, eventually
from test_content import pixels_of

PLUGINS = pathlib.Path(BIN).parent / "sail" / "gstreamer"


@unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "GStreamer's programs are built without sanitizers")
@unittest.skipUnless(shutil.which("gst-launch-1.0") and (PLUGINS / "libgstvitrail.so").exists(), "no GStreamer here")
class GStreamer(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return super().env(GST_PLUGIN_PATH=str(PLUGINS), GST_REGISTRY=str(self.folder / "registry"), **more)

    def launch(self, pipeline):
        """Starts gst-launch-1.0 and gives (process, window number) once its window is there."""
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

    def colour_of_the_wall(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        return tuple(pixels_of((self.folder / "wall.png").read_bytes(), crop="crop=1:1:160:90"))

    def test_it_says_what_it_is(self):
        told = subprocess.run(["gst-inspect-1.0", "vitrailsink"], env=self.env(), capture_output=True, text=True,
                              check=True).stdout
        for word in ("Sink/Video", "manager", "title", "codec", "transport", "place", "delay-ms", "UYVY", "I422_10LE"):
            self.assertIn(word, told)

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
        for wish, words in (("place=12", "place"), ("codec=mpeg", "mpeg"), ("transport=pigeon", "pigeon"),
                            ("manager=127.0.0.1:1", "127.0.0.1:1")):
            told = subprocess.run(["gst-launch-1.0", "videotestsrc", "!", "vitrailsink", wish], env=self.env(),
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertNotEqual(told.returncode, 0, wish)
            self.assertIn(words, told.stderr)


if __name__ == "__main__":
    unittest.main()
