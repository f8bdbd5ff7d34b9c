"""Runs the examples of the READMEs, so that they stay correct."""

import json
import os
import re
import subprocess
import unittest

from harness import BIN, ROOT, WallTest, run

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PLAYING = (ROOT / "sail/apps/README.md").read_text(encoding="utf-8")


def blocks(language, text=TEXT):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def test_scripts_are_there(self):
        scripts = set(re.findall(r"scripts/[\w-]+", TEXT + (ROOT / "FIGURES.md").read_text(encoding="utf-8")))
        self.assertLessEqual({"scripts/demo", "scripts/test", "scripts/bench"}, scripts)
        for script in scripts:
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)

    def test_ci_runs_the_test_command(self):
        self.assertIn("scripts/test", (ROOT / ".ci/run").read_text())

    def test_the_proofs_name_tests(self):
        listed = subprocess.run(["ctest", "--test-dir", BIN.parent, "-N"], capture_output=True, text=True, check=True).stdout
        tests = re.findall(r"^ *Test +#\d+: (.*)$", listed, re.MULTILINE)
        for document, title, column in (("SECURITY.md", "## What is proven", 2), ("ARCHITECTURE.md", "## Failures", 5)):
            table = (ROOT / document).read_text(encoding="utf-8").partition(title)[2].partition("\n## ")[0]
            rows = [row.split("|") for row in table.splitlines() if row.startswith("| ")][1:]
            self.assertGreater(len(rows), 8, document)
            for row in rows:
                names = re.findall("`([^`]+)`", row[column])
                self.assertTrue(names, row)
                for name in names:
                    self.assertTrue(any(re.search(name, test) for test in tests), f"{document}: there is no test {name}")

    def test_the_proofs_name_commands(self):
        for document in ("SECURITY.md", "ARCHITECTURE.md"):
            for command in re.findall(r"`(scripts/(?:bench|fuzz)[^`]*)`", (ROOT / document).read_text(encoding="utf-8")):
                script, *words = command.split()
                self.assertTrue(os.access(ROOT / script, os.X_OK), command)
                options = [word for word in words if word.startswith("--")]
                program = BIN / f"{words[0]}_bench" if words else None
                if options and program.exists():
                    told = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
                    for option in options:
                        self.assertIn(option, told, command)

    def test_the_c_example_compiles(self):
        (example,) = blocks("c")
        program = f"#include <sail/sail.h>\nvoid show(const uint8_t* pixels);\nvoid show(const uint8_t* pixels) {{\n{example}}}\n"
        subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", f"-I{ROOT}/sail/include", "-xc", "-"],
                       input=program, text=True, check=True)

    def test_options_of_the_programs_exist(self):
        for line in "".join(blocks("sh") + blocks("sh", PLAYING)).splitlines():
            words = line.split("#")[0].split()
            if not words or words[0] not in ("vitrail", "vitrail-manager", "vitrail-receiver", "vitrail-server", "bplay"):
                continue
            text = run(words[0], "--help").stdout
            if words[0] == "vitrail" and len(words) > 1 and not words[1].startswith("-"):
                text += run("vitrail", words[1], "--help").stdout
            for option in (word for word in words if word.startswith("--")):
                self.assertIn(option.split("=")[0], text, line)


class ReadmeCommands(WallTest):
    def test_the_wall_file_is_right(self):
        (example,) = blocks("json")
        file = self.folder / "lab.json"
        file.write_text(example)
        result = self.vitrail("--json", "wall", "check", file)
        tiles = json.loads(result.stdout)["tiles"]
        self.assertEqual([tile["at"] for tile in tiles], [[0, 0], [1920 + 52, 0]])

    def test_films_are_converted_as_written(self):
        self.clip("film.mkv")
        session = next(block for block in blocks("sh", PLAYING) if "vitrail convert" in block)
        convert, play = (line.split("#")[0].split() for line in session.splitlines())
        self.vitrail(*convert[1:])
        player, window = self.play(*play[1:-1], self.folder / play[-1])
        self.wait_for_frames(window)

    def test_commands_work_as_written(self):
        clip = self.clip()
        session = next(block for block in blocks("sh") if "vitrail ls" in block)
        ran = 0
        for line in session.splitlines():
            words = line.split("#")[0].split()
            if words[1:2] == ["play"]:
                words = ["vitrail", "play", str(clip)]
            if len(words) > 1:
                self.vitrail(*words[1:])
                ran += 1
        self.assertGreater(ran, 6)


if __name__ == "__main__":
    unittest.main()
