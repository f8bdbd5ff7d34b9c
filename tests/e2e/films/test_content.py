"""Messages between clients and applications through the manager: input, playback, thumbnails, sound."""

import base64
import pathlib
import subprocess
import unittest

from harness import EXIT_FAILED, Control, WallTest, eventually

CELL = 8  # side of the averaged square of a thumbnail, in pixels


def pixels_of(picture, crop=""):
    """R, G, B of each pixel of an encoded picture."""
    command = ["ffmpeg", "-loglevel", "error", "-i", "-", *(["-vf", crop] if crop else []),
               "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    return subprocess.run(command, input=picture, capture_output=True, check=True).stdout


def cell_means(pixels, width, height):
    means = []
    for top in range(0, height - CELL + 1, CELL):
        for left in range(0, width - CELL + 1, CELL):
            for channel in range(3):
                values = [pixels[3 * ((top + y) * width + left + x) + channel] for y in range(CELL) for x in range(CELL)]
                means.append(sum(values) / len(values))
    return means


class Content(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [640, 360]}

    def env(self, **more):
        return super().env(SDL_AUDIODRIVER="disk", SDL_DISKAUDIOFILE=str(self.folder / "heard.raw"), **more)

    def setUp(self):
        super().setUp()
        self.control = Control(self.port)
        self.addCleanup(self.control.close)

    def playback(self, number):
        return self.window(number).get("playback", {})

    def input(self, number, **fields):
        answer = self.control.call("input", window=number, **fields)
        self.assertIn("result", answer, answer)

    def test_people_play_with_a_film(self):
        clip = self.clip(seconds=20, size="320x180", rate=10)
        _, number = self.play("--loop", "--place", "0,0,640x360", clip)
        window = self.window(number)
        self.assertTrue(window["input"])
        self.assertEqual(window["media"], [str(clip)])
        reported = eventually(lambda: self.playback(number), "bplay tells how it plays")
        self.assertAlmostEqual(reported["duration_s"], 20, delta=0.2)
        self.assertFalse(reported["paused"])
        self.assertTrue(reported["loop"])
        self.assertNotIn("volume", reported)

        self.input(number, type="down", at=[320, 100], button=0, buttons=1)
        self.input(number, type="up", at=[320, 100], button=0, buttons=0)
        eventually(lambda: self.playback(number)["paused"], "a click pauses")
        # A click on the seek strip at the bottom, while paused.
        self.input(number, type="down", at=[160, 355], button=0, buttons=1)
        eventually(lambda: abs(self.playback(number)["position_s"] - 5) < 0.5, "a quarter of the film")
        self.input(number, type="move", at=[480, 200], buttons=1)
        eventually(lambda: abs(self.playback(number)["position_s"] - 15) < 0.5, "three quarters of it")
        self.input(number, type="up", at=[480, 200], button=0, buttons=0)
        self.input(number, type="key_down", key="ArrowLeft")
        eventually(lambda: abs(self.playback(number)["position_s"] - 10) < 0.5, "an arrow goes back")
        self.input(number, type="key_down", key=" ")
        eventually(lambda: not self.playback(number)["paused"], "space goes on")
        answer = self.control.call("control", window=number, action="loop", value=0)
        self.assertIn("result", answer)
        eventually(lambda: not self.playback(number)["loop"], "it ends at its end")

    def test_a_window_follows_the_shape_of_its_film(self):
        """The size of the pictures stays; their pixels become twice as wide."""
        pieces = [self.clip(f"{aspect}.ts", seconds=1, size="160x90", rate=25,
                            extra=("-vf", f"setsar={aspect}", "-c:v", "libx264", "-pix_fmt", "yuv420p"))
                  for aspect in (1, 2)]
        film = self.folder / "shapes.ts"
        film.write_bytes(b"".join(piece.read_bytes() for piece in pieces))
        _, number = self.play("--hold", "--place", "0,0,160x90", film)

        def wide():
            window = self.window(number)
            return window and abs(window["rect"][2] / window["rect"][3] - 320 / 90) < 0.1
        eventually(wide, "the window is twice as wide")

    def test_a_films_sound_is_heard(self):
        sound = ["-f", "lavfi", "-i", "sine=frequency=500", "-c:a", "pcm_s16le", "-shortest"]
        clip = self.folder / "sound.mkv"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=10",
                        *sound[:4], "-t", "30", *sound[4:], clip], check=True)
        _, number = self.play("--volume", "0.5", clip)
        eventually(lambda: self.playback(number).get("volume") == 0.5, "bplay tells its volume")
        heard = self.folder / "heard.raw"
        eventually(lambda: heard.exists() and any(heard.read_bytes()), "the device plays something")
        self.assertIn("result", self.control.call("control", window=number, action="volume", value=0.25))
        eventually(lambda: self.playback(number)["volume"] == 0.25, "the volume changes")
        self.input(number, type="wheel", at=[10, 10], wheel=[0, -1])
        eventually(lambda: abs(self.playback(number)["volume"] - 0.3) < 0.001, "so does the wheel")

    def assert_thumbnail_is_like_the_wall(self, number):
        eventually(lambda: self.shown(number), "its only picture is shown")
        self.assertIn("result", self.control.call("watch_thumbnails", windows="all", width=160, per_second=5))
        thumbnail = self.notification("thumbnail")
        self.assertEqual(thumbnail["window"], number)
        self.assertEqual(thumbnail["size"], [160, 90])
        self.vitrail("snapshot", self.folder / "wall.png")
        small = cell_means(pixels_of(base64.b64decode(thumbnail["jpeg"])), 160, 90)
        wall = cell_means(pixels_of((self.folder / "wall.png").read_bytes(), "scale=160:90:flags=area"), 160, 90)
        off = [abs(a - b) for a, b in zip(small, wall)]
        self.assertLess(sum(off) / len(off), 10)
        self.assertGreater(max(small) - min(small), 150)

    def test_thumbnails_show_what_the_wall_shows(self):
        _, number = self.play("--paused", "--place", "0,0,640x360", "test:640x360@10")
        self.assert_thumbnail_is_like_the_wall(number)
        # A new window with another picture: its thumbnails arrive without a new request.
        _, other = self.play("test:64x64@10")
        while self.notification("thumbnail")["window"] != other:
            pass

    def test_a_receiver_makes_the_thumbnails_of_a_carried_film(self):
        film = self.clip(size="640x360", extra=("-c:v", "libx264", "-pix_fmt", "yuv420p"))
        _, number = self.play("--codec", "carried", "--loop", "--paused", "--start", 1, "--place", "0,0,640x360", film)
        self.assertEqual(self.window(number)["codec"], "h264")
        self.assert_thumbnail_is_like_the_wall(number)
        self.vitrail("resume", number)
        before = self.notification("thumbnail")["jpeg"]
        self.assertNotEqual(self.notification("thumbnail")["jpeg"], before, "they follow the film")

    def test_a_picture_of_which_nothing_can_be_read_opens_no_window(self):
        picture = pathlib.Path(self.clip("still.png", seconds=1, rate=1))
        whole = picture.read_bytes()
        pixels = whole.index(b"IDAT") + 4
        picture.write_bytes(whole[:pixels] + bytes(len(whole) - pixels))
        refused = self.vitrail("play", picture, expect=EXIT_FAILED)
        self.assertIn("nothing of its picture can be read", refused.stderr)
        self.assertEqual(self.state()["windows"], [])

    def notification(self, method):
        """The params of the next notification of this kind; skips everything else. The socket has a timeout."""
        while True:
            message = self.control.receive()
            self.assertIsNotNone(message)
            if message.get("method") == method:
                return message["params"]


if __name__ == "__main__":
    unittest.main()
