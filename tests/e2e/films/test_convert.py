"""vitrail convert as a real process, and its films on a wall."""

import json
import os
import signal
import subprocess
import unittest

from harness import BIN, EXIT_DONE, EXIT_FAILED, EXIT_NOT_WHOLE, EXIT_USAGE, WallTest, eventually, run
from test_content import pixels_of


class Convert(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def test_a_film_is_converted_and_played(self):
        clip = self.clip(seconds=1)
        result = self.vitrail("convert", clip, "film.vmov", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual((answer["frames"], answer["size"], answer["codec"]), (30, [320, 180], "dxt1:good"))
        self.assertEqual(answer["bytes"] > 30 * 320 * 180 // 2, True)
        self.assertEqual(result.stderr, "")
        # --json may also stand before the command.
        again = json.loads(self.vitrail("--json", "convert", "--force", clip, "film.vmov").stdout)
        self.assertEqual(again["bytes"], answer["bytes"])
        player, window = self.play(self.folder / "film.vmov", "--loop")
        self.wait_for_frames(window)
        self.vitrail("pause", window)
        self.vitrail("seek", window, "0.5")
        self.vitrail("close", window)
        self.assertEqual(player.wait(30), 0, self.output(player))

    def test_a_stopped_conversion_goes_on(self):
        clip = self.clip(seconds=1)
        arguments = [clip, "film.vmov", "--codec", "dxt1:high", "--threads", "1"]
        self.vitrail("convert", clip, "whole.vmov", *arguments[2:])
        film, part = self.folder / "film.vmov", self.folder / "film.vmov.part"
        process = subprocess.Popen([BIN / "vitrail", "convert", *map(str, arguments)], cwd=self.folder, env=self.env(),
                                   stderr=subprocess.PIPE, text=True)
        eventually(lambda: part.exists() and part.stat().st_size > 40000 or process.poll() is not None,
                   "a frame is written")
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=60)
        if process.returncode != EXIT_DONE:
            self.assertEqual(process.returncode, EXIT_FAILED, words)
            self.assertIn("resumes after frame", words)
            self.assertFalse(film.exists())
            result = self.vitrail("convert", *arguments)
            self.assertIn("resuming after frame", result.stderr)
        self.assertEqual(film.read_bytes(), (self.folder / "whole.vmov").read_bytes())
        self.assertFalse(part.exists())

    def test_a_film_with_missing_pictures_is_converted_but_is_not_whole(self):
        reel = self.folder / "reel"
        reel.mkdir()
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=0.5",
                        "-pix_fmt", "gbrp10be", "-start_number", "95", reel / "r.%03d.dpx"], check=True)
        (reel / "r.099.dpx").unlink()
        (reel / "r.101.dpx").write_bytes(b"")
        for number, source in enumerate((reel, reel / "r.%03d.dpx")):
            result = self.vitrail("convert", source, f"{number}.vmov", "--fps", "24", expect=EXIT_NOT_WHOLE)
            for name in ("r.098.dpx", "r.100.dpx", "r.101.dpx", "2 of 12"):
                self.assertIn(name, result.stderr)
            answer = json.loads(self.vitrail("convert", "--json", "--force", source, f"{number}.vmov", "--fps", "24",
                                             expect=EXIT_NOT_WHOLE).stdout)
            self.assertEqual((answer["frames"], answer["left_out"]), (10, 2))
        black = self.vitrail("convert", "--json", reel, "black.vmov", "--fps", "24", "--missing", "black", expect=EXIT_NOT_WHOLE)
        self.assertEqual(json.loads(black.stdout)["frames"], 12)
        stopped = self.vitrail("convert", reel, "stopped.vmov", "--missing", "stop", expect=EXIT_FAILED)
        self.assertIn("r.098.dpx", stopped.stderr)
        player = self.start("bplay", reel, "--missing", "stop", "--loop", "--hold")
        self.assertEqual(player.wait(30), EXIT_FAILED)
        self.assertIn("r.098.dpx", self.output(player))

    def test_what_cannot_be_done_says_why(self):
        clip = self.clip(seconds=1)
        text = self.folder / "text.mp4"
        text.write_text("this is no film\n" * 100)
        for arguments, code, words in (
                ((text, "a.vmov"), EXIT_FAILED, "text.mp4"),
                (("missing.mp4", "a.vmov"), EXIT_FAILED, "No such file"),
                ((clip, "no/folder/a.vmov"), EXIT_FAILED, "cannot write"),
                ((clip, "a.vmov", "--codec", "dxt2"), EXIT_USAGE, "use one of dxt1"),
                ((clip, "a.vmov", "--size", "0x4"), EXIT_USAGE, "WxH"),
                ((clip, "a.vmov", "--from", "2", "--to", "1"), EXIT_USAGE, "later than --from"),
                ((clip, "a.vmov", "--subtitles", "no/such.srt"), EXIT_FAILED, "such.srt"),
                ((clip, "a.vmov", "--subtitles", "2"), EXIT_FAILED, "has no subtitles"),
                (("-", "a.vmov", "--raw", "8x4@25:rgb", "--subtitles", "2"), EXIT_USAGE, "raw frames"),
                ((clip, "a.vmov", "--to", "0"), EXIT_USAGE, "the part is empty"),
                ((clip, "a.vmov", "--wall", "w.json", "--size", "8x4"), EXIT_USAGE, "remove --size"),
                ((clip, "a.vmov", "--wall", "w.json"), EXIT_FAILED, "w.json"),
                ((clip, clip), EXIT_USAGE, "same file"),
                ((clip,), EXIT_USAGE, "out")):
            result = self.vitrail("convert", *arguments, expect=code)
            self.assertIn(words, result.stderr + result.stdout)
        self.assertEqual(os.listdir(self.folder).count("a.vmov"), 0)
        self.vitrail("convert", clip, "a.vmov")
        self.assertIn("--force", self.vitrail("convert", clip, "a.vmov", expect=EXIT_FAILED).stderr)
        self.vitrail("convert", clip, "a.vmov", "--force")

    def test_a_film_from_standard_input_is_cut_for_a_wall(self):
        film = subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "9",
                               "-c:v", "ffv1", "-f", "nut", "-"], stdout=subprocess.PIPE, check=True).stdout
        grid = {"columns": 2, "rows": 1, "resolution": [160, 90]}
        (self.folder / "two.json").write_text(json.dumps({"name": "two", "grid": grid}))
        answer = run("vitrail", "convert", "-", "cut.vmov", "--wall", "two.json", "--json", stdin=film, env=self.env(),
                     cwd=self.folder)
        self.assertEqual(answer.returncode, EXIT_DONE, answer.stderr)
        films = json.loads(answer.stdout)["films"]
        self.assertEqual([(film["frames"], film["size"]) for film in films], [(9, [160, 90])] * 2)
        for film in films:
            self.assertTrue(film["file"].startswith("cut-"), film)
            self.assertTrue((self.folder / film["file"]).exists())

    def convert_raw(self, frames, form, *arguments, wall=None):
        """Converts raw video; frames: the input in pieces."""
        words = [BIN / "vitrail", "convert", "-", "raw.vmov", "--raw", form, *arguments, "--json", "--force"]
        if wall:
            (self.folder / "raw.json").write_text(json.dumps({"name": "raw", "grid": wall}))
            words += ["--wall", "raw.json"]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.env(), cwd=self.folder)
        try:
            for chunk in frames:
                process.stdin.write(chunk)
            process.stdin.close()
        except BrokenPipeError:
            pass  # the input was refused
        answer, words = process.stdout.read(), process.stderr.read().decode()
        process.stdout.close()
        process.stderr.close()
        return process.wait(60), answer, words

    def colour_of(self, film):
        """The colour with which the film fills the wall."""
        player, window = self.play(film, "--place", "0,0,320x180", "--loop")
        self.wait_for_frames(window, 1)
        self.vitrail("snapshot", self.folder / "wall.png")
        self.vitrail("close", window)
        player.wait(30)
        return tuple(pixels_of((self.folder / "wall.png").read_bytes(), crop="crop=1:1:160:90"))

    @unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "takes minutes and gigabytes")
    def test_the_largest_pictures_are_cut_for_a_wall(self):
        side, half = 16384, 8192
        luma = [bytes([left]) * half + bytes([right]) * half for left, right in ((16, 96), (160, 235))]
        grey = bytes([128]) * side
        frames = [rows * 64 for rows in luma for _ in range(half // 64)] + [grey] * half
        status, answer, words = self.convert_raw(frames, f"{side}x{side}@25:nv12", "--codec", "dxt1+lz4:fast",
                                                 wall={"columns": 2, "rows": 2, "resolution": [half, half]})
        self.assertEqual(status, EXIT_DONE, words)
        films = json.loads(answer)["films"]
        self.assertEqual([(film["frames"], film["size"]) for film in films], [(1, [half, half])] * 4)
        seen = [self.colour_of(self.folder / film["file"]) for film in films]
        for colour, wanted in zip(seen, (0, 93, 168, 255)):
            self.assertTrue(all(abs(value - wanted) <= 8 for value in colour), seen)

    def test_raw_frames_that_cannot_be_converted(self):
        frame = [bytes(64 * 48 * 3)]
        for form, more, wall, code, words in (
                ("64x48@25:rgb", (), None, EXIT_DONE, ""),
                ("64x48", (), None, EXIT_USAGE, "WxH@FPS:PIXFMT"),
                ("64x48@25:rgb", ("--size", "32x24"), None, EXIT_FAILED, "cannot scale raw frames"),
                ("64x48@25:rgb", (), {"columns": 2, "rows": 1, "resolution": [64, 48]}, EXIT_FAILED, "cannot scale raw frames"),
                ("64x48@25:i444", (), None, EXIT_FAILED, "htj2k"),
                ("65x48@25:rgb", (), None, EXIT_FAILED, "within frame 1")):
            status, _, said = self.convert_raw(frame, form, *more, wall=wall)
            self.assertEqual(status, code, said)
            self.assertIn(words, said)
        self.assertIn("give -", self.vitrail("convert", self.clip(), "a.vmov", "--raw", "64x48@25:rgb",
                                             expect=EXIT_USAGE).stderr)

    def test_a_damaged_film_plays_on(self):
        self.vitrail("convert", self.clip(seconds=1), "film.vmov")
        film = self.folder / "film.vmov"
        data = bytearray(film.read_bytes())
        data[len(data) // 2] ^= 1
        film.write_bytes(data[:-1000])
        player, window = self.play(film, "--loop")
        self.wait_for_frames(window, 5)
        self.vitrail("close", window)
        player.wait(30)
        self.assertIn("frames by scanning the file", self.output(player))


if __name__ == "__main__":
    unittest.main()
