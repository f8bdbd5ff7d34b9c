"""SAGE 1.x programs compiled with libvitrail-sage, on a wall: `sage_program` makes the calls of published ones."""

import re
import subprocess
import unittest

from harness import BIN, Control, WallTest, eventually
from test_content import pixels_of

WIDTH, HEIGHT = 320, 180  # of frames and wall; half the height is inside a DXT block
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
CORNERS = {(8, 8): RED, (311, 8): GREEN, (8, 171): BLUE, (311, 171): WHITE}
QUARTERS = {**CORNERS, (150, 89): RED, (170, 89): GREEN, (150, 90): BLUE, (170, 90): WHITE}


class Sage(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [WIDTH, HEIGHT]}

    def program(self, *arguments):
        """Starts the program; returns (process, number of its newest window)."""
        before = self.windows()
        process = self.start("sage_program", *arguments, stdin=subprocess.PIPE, cwd=self.folder)
        self.addCleanup(process.stdin.close)
        return process, self.next_window(process, before)

    def windows(self):
        return {window["window"] for window in self.state()["windows"]}

    def next_window(self, process, before):
        def opened():
            self.assertIsNone(process.poll(), self.output(process))
            return self.windows() - before
        return max(eventually(opened, "its window"))

    def fill_wall(self, number):
        self.vitrail("maximise", number)

    def assert_seen(self, places, within=12):
        def there():
            self.vitrail("snapshot", self.folder / "wall.png")
            pixels = pixels_of((self.folder / "wall.png").read_bytes())
            return all(abs(pixels[3 * (y * WIDTH + x) + i] - color[i]) <= within
                       for (x, y), color in places.items() for i in range(3))
        eventually(there, f"the wall shows {places}")

    def test_every_format_and_both_orders_of_rows_are_seen_upright(self):
        for form, order in (("YUV", "down"), ("888", "down"), ("8888", "down"), ("DXT", "up"), ("888", "up"),
                            ("YUV", "up"), ("888_INV", "down"), ("8888_INV", "up"), ("DXT", "down")):
            with self.subTest(format=form, rows=order):
                process, number = self.program("class", form, order, WIDTH, HEIGHT)
                self.assertEqual(self.window(number)["title"], "quarters")
                self.fill_wall(number)
                self.wait_for_frames(number, 1)
                self.assert_seen(QUARTERS)
                process.stdin.write(b"end\n")
                process.stdin.flush()
                self.assertEqual(process.wait(30), 0)
                eventually(lambda: not self.windows(), "the window goes with the program")

    def test_a_format_that_is_not_shown_ends_the_program_in_words(self):
        process = self.start("sage_program", "class", "565", "down", WIDTH, HEIGHT)
        self.assertEqual(process.wait(30), 0)
        self.assertIn("PIXFMT_565 is not supported", self.output(process))
        self.assertIn("message 33000", self.output(process))

    def test_without_a_manager_the_program_is_told_to_end(self):
        process = subprocess.run([BIN / "sage_program", "class", "888", "down", "64", "64"], capture_output=True, text=True,
                                 env=self.env(VITRAIL_MANAGER="127.0.0.1:1"), timeout=60, check=False)
        self.assertIn("127.0.0.1:1", process.stderr)
        self.assertIn("message 33000", process.stdout)

    def test_who_closes_the_window_ends_the_program(self):
        process, number = self.program("class", "YUV", "down", WIDTH, HEIGHT)
        self.vitrail("close", number)
        self.assertEqual(process.wait(30), 0)
        self.assertIn("message 33000 -", self.output(process))

    def test_other_frames_come_in_a_window_of_their_own(self):
        process, number = self.program("class", "888", "up", WIDTH, HEIGHT)
        process.stdin.write(b"size 160 90\n")
        process.stdin.flush()
        self.fill_wall(max(eventually(lambda: self.windows() - {number}, "the next window")))
        self.assert_seen(CORNERS)

    def test_input_comes_as_messages(self):
        process, number = self.program("class", "888", "down", WIDTH, HEIGHT)
        self.fill_wall(number)
        with Control(self.port) as control:
            def send(**what):
                self.assertIn("result", control.call("input", window=number, **what))

            def reported(message):
                eventually(lambda: re.search(rf"^message {message}$", self.output(process), re.MULTILINE), message)
            send(type="move", at=[80, 45])
            reported(r"31002 \d+ 0.25\d+ 0.75\d+ .*")
            send(type="down", at=[80, 45], button=0)
            reported(r"31000 \d+ 0.25\d+ 0.75\d+ 1 1 31003")
            send(type="move", at=[160, 45])
            reported(r"31003 \d+ 0.25\d+ 0.75\d+ 0.25\d+ -?0.00\d+ 0")
            send(type="up", at=[160, 45], button=0)
            reported(r"31000 \d+ 0.50\d+ 0.75\d+ 1 0 31003")
            send(type="key_down", key="ArrowLeft")
            reported(r"31006 \d+ 3")
            send(type="key_down", key="q")
            reported("31007 q")

    def test_functions_keep_the_rate_of_two_windows_and_end_the_program_when_one_is_closed(self):
        process, number = self.program("functions", WIDTH, HEIGHT, 2)
        eventually(lambda: len(self.windows()) == 2, "both windows")
        ms = int(eventually(lambda: re.search(r"100 frames in (\d+) ms", self.output(process)), "a hundred frames").group(1))
        self.assertGreater(ms, 950)
        self.fill_wall(number)
        self.assert_seen(QUARTERS)
        self.vitrail("close", number)
        self.assertEqual(process.wait(30), 1)
        self.assertIn("quit", self.output(process))

    def test_ranks_give_a_window_together(self):
        ranks = [self.start("sage_program", "rank", rank) for rank in (0, 1)]
        number = self.next_window(ranks[0], set())
        self.fill_wall(number)
        self.assert_seen({(8, 8): RED, (150, 171): RED, (170, 8): BLUE, (311, 171): BLUE})
        self.vitrail("close", number)
        self.assertEqual([rank.wait(30) for rank in ranks], [0, 0])

    def test_settings_are_read_where_sage_had_them_and_what_is_left_out_is_named(self):
        folder = self.folder / ".sageConfig" / "applications"
        folder.mkdir(parents=True)
        (folder / "app.conf").write_text("# of a wall of 2008\nappName quarters\nfsIP 127.0.0.1 fsPort 20002\nnwProtocol TCP\n"
                                         "winX many\nPixelBlockSize 64 64\nsyncMode 1\n" + "x" * 5000)
        process, number = self.program("class", "888", "down", WIDTH, HEIGHT, "app.conf")
        self.wait_for_frames(number, 1)
        said = self.output(process)
        self.assertIn("app.conf: ignored, because these settings have no effect on this wall: PixelBlockSize syncMode", said)
        self.assertIn("ignored, because the wall's manager places windows: winX", said)
        self.assertIn("invalid value 'many' for winX", said)

    def test_the_address_of_the_manager_is_the_one_of_the_file(self):
        (self.folder / "there.conf").write_text(f"fsIP 127.0.0.1\nfsPort {self.port}\nnwProtocol TCP\n")
        environment = self.env()
        del environment["VITRAIL_MANAGER"]
        process = subprocess.Popen([BIN / "sage_program", "class", "888", "down", "64", "64", "there.conf"],
                                   env=environment, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        eventually(self.windows, "its window")


if __name__ == "__main__":
    unittest.main()
