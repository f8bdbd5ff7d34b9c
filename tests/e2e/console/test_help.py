"""The help of all programs: it fits a terminal, suggests the intended word, and becomes manual pages."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import BIN, EXIT_USAGE, run

PROGRAMS = ["bplay", "vitrail", "vitrail-bridge", "vitrail-camera", "vitrail-convert", "vitrail-decoder", "vitrail-guest", "vitrail-hooks", "vitrail-lab", "vitrail-manager",
            "vitrail-mqtt", "vitrail-pointer", "vitrail-poster",
            "vitrail-receiver", "vitrail-recorder", "vitrail-server", "vitrail-share", "vitrail-show", "vitrail-vnc",
            "vitrail-web"]
if (BIN / "vitrail-whip").exists():  # only where GStreamer's headers are installed
    PROGRAMS.append("vitrail-whip")
COLUMNS = 80


def words_after(*words):
    return run("vitrail", "--complete", *words, "").stdout.split()


class Help(unittest.TestCase):
    def check_fits(self, *command):
        result = run(*command, "--help")
        self.assertEqual(result.returncode, 0, command)
        for line in result.stdout.splitlines():
            self.assertLessEqual(len(line), COLUMNS, f"{command}: {line}")
        return result.stdout

    def test_every_program_fits(self):
        for program in PROGRAMS:
            self.assertIn("Usage:", self.check_fits(program))

    def test_every_command_fits(self):
        commands = words_after()
        self.assertGreater(len(commands), 40)
        for command in commands:
            text = self.check_fits("vitrail", command)
            if "SUBCOMMAND" not in text:
                continue
            for subcommand in words_after(command):
                self.check_fits("vitrail", command, subcommand)

    def test_a_mistyped_command_names_the_one_that_was_meant(self):
        result = run("vitrail", "mvoe", 3, 0, 0)
        self.assertEqual(result.returncode, EXIT_USAGE)
        self.assertEqual(result.stderr, "vitrail: unknown command 'mvoe': did you mean 'move'?\nTry vitrail --help.\n")
        self.assertIn("did you mean '--display'?", run("vitrail-receiver", "--dispaly", "null").stderr)

    def test_a_tile_given_as_an_option_names_the_form_that_works(self):
        result = run("vitrail", "fit", 3, "--tile", "left")
        self.assertEqual(result.returncode, EXIT_USAGE)
        self.assertIn("`vitrail fit window [tile]`", result.stderr)

    def test_numbers_that_are_none_are_refused_in_words(self):
        for words in (("seek", 1, "9" * 309), ("seek", 1, "nan"), ("move", 1, "9" * 309, 0), ("move", 1, "1.5", 0),
                      ("rate", 1, "fast"), ("volume", 1, "inf"), ("watch", "--every", "nan")):
            result = run("vitrail", "--manager", "127.0.0.1:1", *words)
            self.assertEqual(result.returncode, EXIT_USAGE, words)
            self.assertRegex(result.stderr, r"'.*' is not a (whole )?number, or too large|must be", words)
        for option in (("--fps", "nan"), ("--start", "inf"), ("--frames", "1e999")):
            result = run("bplay", "test:", *option)
            self.assertEqual(result.returncode, EXIT_USAGE, option)
            self.assertRegex(result.stderr, r"is not a (whole )?number, or too large", option)


class ManualPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="vitrail-test-")
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.pages = pathlib.Path(folder)
        for program in PROGRAMS:
            (cls.pages / f"{program}.1").write_text(run(program, "--man-page").stdout, encoding="utf-8")

    def shown(self, page):
        result = subprocess.run(["man", "--warnings", "-l", str(page)], capture_output=True, text=True, check=True,
                                env={"MANWIDTH": str(COLUMNS), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
        self.assertEqual(result.stderr, "", page)
        return result.stdout

    def test_they_are_right_and_whole(self):
        for program in PROGRAMS:
            with self.subTest(program):
                text = self.shown(self.pages / f"{program}.1")
                for part in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO", "--version"):
                    self.assertIn(part, text)
                self.assertNotIn("man-page", text)

    def test_each_names_all_others(self):
        for program in PROGRAMS[:3]:
            page = (self.pages / f"{program}.1").read_text(encoding="utf-8")
            named = set(re.findall(r"\.BR (\S+) \(1\)", page.replace("\\-", "-")))
            self.assertLessEqual(set(PROGRAMS) - {program}, named)

    def test_they_can_be_found_by_what_they_are_about(self):
        for program in PROGRAMS:
            page = self.pages / f"{program}.1"
            result = subprocess.run(["lexgrog", str(page)], capture_output=True, text=True, check=False)
            self.assertIn(f'"{program} - ', result.stdout)

    def test_all_commands_are_told(self):
        text = self.shown(self.pages / "vitrail.1")
        for command in words_after():
            self.assertRegex(text, rf"(?m)^ +{command} ")
        self.assertRegex(text, r"(?m)^ +session restore ")


if __name__ == "__main__":
    unittest.main()
