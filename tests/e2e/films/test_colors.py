"""Walls whose displays are not sRGB: ordinary colours look alike, and others are converted for the displays."""

import json
import subprocess
import unittest

from harness import EXIT_DONE, EXIT_FAILED, WallTest, eventually, run
from test_content import pixels_of

RED_IN_P3 = (233, 54, 40)  # BT.709's red in P3, gamma 2.2


class DisplayColors(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [160, 90]}
    wall_keys = {"display": {"primaries": "p3", "peak_nits": 300, "gamma": 2.2}}

    def film(self, name, source, *arguments):
        path = self.folder / name
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", source, *arguments, path],
                       check=True)
        return path

    def assert_shown(self, colour):
        def is_shown():
            self.vitrail("snapshot", self.folder / "wall.png")
            pixels = pixels_of((self.folder / "wall.png").read_bytes())
            shown = pixels[3 * (45 * 160 + 80):][:3]
            return all(abs(a - b) <= 6 for a, b in zip(shown, colour))
        eventually(is_shown, f"the wall shows {colour}")

    def test_red_of_bt709_is_shown_as_red_of_bt709(self):
        films = [
            self.film("rgb.mkv", "color=0xff0000:s=160x90:r=10:d=1,format=gbrp", "-c:v", "ffv1"),
            self.film("yuv.mkv", "color=black:s=160x90:r=10:d=1,format=yuv420p,geq=lum=63:cb=102:cr=240",
                      "-c:v", "ffv1", "-color_range", "tv", "-colorspace", "bt709"),
            self.film("still.png", "color=0xff0000:s=160x90,format=rgb24", "-frames:v", "1")]
        for film in films:
            player, window = self.play("--codec", "raw", "--hold", "--place", "0,0,160x90", film)
            self.assert_shown(RED_IN_P3)
            self.vitrail("close", window)
            self.assertEqual(player.wait(30), 0, self.output(player))
        self.start("vitrail-show", "--codec", "raw", "--place", "0,0,160x90", films[2])
        self.assert_shown(RED_IN_P3)

    def test_hdr_is_mapped_to_the_display_and_told(self):
        film = self.film("hdr.mkv", "color=black:s=160x90:r=10:d=1,format=yuv420p10le,geq=lum=573:cb=512:cr=512",
                         "-c:v", "ffv1", "-color_range", "tv", "-colorspace", "bt2020nc",
                         "-color_primaries", "bt2020", "-color_trc", "smpte2084")
        player, _ = self.play("--codec", "raw", "--hold", "--place", "0,0,160x90", film)
        eventually(lambda: "HDR10 → SDR P3" in self.output(player), "the log names the conversion")

    def test_compressed_films_are_shown_with_a_message(self):
        film = self.film("red.mkv", "color=0xff0000:s=160x90:r=10:d=1,format=gbrp", "-c:v", "ffv1")
        self.vitrail("convert", film, self.folder / "red.vmov")
        player, _ = self.play("--loop", "--place", "0,0,160x90", self.folder / "red.vmov")
        eventually(lambda: "without conversion" in self.output(player), "the log says what is not done")

    def test_mistakes_in_the_wall_file_are_named(self):
        wall = {"name": "wrong", "grid": self.grid, "display": {"primarys": "p3", "peak_nits": 0, "gamma": "rec709"}}
        (self.folder / "wrong.json").write_text(json.dumps(wall))
        result = run("vitrail", "wall", "check", "wrong.json", env=self.env(), cwd=self.folder)
        self.assertEqual(result.returncode, EXIT_FAILED)
        for words in ("primarys", "peak_nits", "gamma"):
            self.assertIn(words, result.stdout + result.stderr)
        checked = run("vitrail", "wall", "check", "--json", self.wall_file, env=self.env(), cwd=self.folder)
        self.assertEqual(checked.returncode, EXIT_DONE, checked.stderr)
        self.assertEqual(json.loads(checked.stdout)["display"]["primaries"], "p3")


if __name__ == "__main__":
    unittest.main()
