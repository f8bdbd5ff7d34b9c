"""vitrail convert as a real process, and what it makes on a wall."""

import json
import os
import signal
import subprocess
import unittest

from harness import BIN, EXIT_DONE, EXIT_FAILED, EXIT_USAGE, WallTest, eventually, run


class Convert(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def test_a_film_is_converted_and_played(self):
        clip = self.clip(seconds=1)
        result = self.vitrail("convert", clip, "film.vmov", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual((answer["frames"], answer["size"], answer["codec"]), (30, [320, 180], "dxt1:good"))
        self.assertEqual(answer["bytes"] > 30 * 320 * 180 // 2, True)
        self.assertEqual(result.stderr, "")
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
            self.assertIn("goes on behind frame", words)
            self.assertFalse(film.exists())
            result = self.vitrail("convert", *arguments)
            self.assertIn("going on behind frame", result.stderr)
        self.assertEqual(film.read_bytes(), (self.folder / "whole.vmov").read_bytes())
        self.assertFalse(part.exists())

    def test_what_cannot_be_done_says_why(self):
        clip = self.clip(seconds=1)
        text = self.folder / "text.mp4"
        text.write_text("this is no film\n" * 100)
        for arguments, code, words in (
                ((text, "a.vmov"), EXIT_FAILED, "text.mp4"),
                (("missing.mp4", "a.vmov"), EXIT_FAILED, "No such file"),
                ((clip, "no/folder/a.vmov"), EXIT_FAILED, "cannot write"),
                ((clip, "a.vmov", "--codec", "dxt2"), EXIT_USAGE, "there are dxt1"),
                ((clip, "a.vmov", "--size", "0x4"), EXIT_USAGE, "WxH"),
                ((clip, "a.vmov", "--from", "2", "--to", "1"), EXIT_USAGE, "not behind"),
                ((clip, "a.vmov", "--wall", "w.json", "--size", "8x4"), EXIT_USAGE, "says the size"),
                ((clip, "a.vmov", "--wall", "w.json"), EXIT_FAILED, "w.json"),
                ((clip, clip), EXIT_USAGE, "into itself"),
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
        self.assertIn("found without it", self.output(player))


if __name__ == "__main__":
    unittest.main()
