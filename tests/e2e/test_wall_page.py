"""The commands of receiver/KIOSK.md, "A wall of machines that starts at boot": those of Vitrail run where they can,
and all others name files, units and options that exist."""

import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from harness import ROOT, WallTest, run
from test_node_setup import SYSTEMCTL
from test_readme import blocks

sys.path.append(str(ROOT / "tests/machines"))
from page import MACHINES, Page

PAGE = (ROOT / "receiver/KIOSK.md").read_text(encoding="utf-8")
SECTIONS = ("Hardware and network", "Packages", "Head", "Node", "Films", "Keys", "Page", "Firewall", "Test", "Update", "Backup",
            "Troubleshooting")
LONGEST = 150  # lines
CONFIGURATION = {"wall.json", "wall.key", "manager.env", "receiver.env", "receiver.key"}
# Commands of the system. test_every_command_is_known fails at others: they need a check, too.
SYSTEM = {"apt", "mkdir", "nano", "scp", "tar"}


def section(name):
    return re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]


def lines(text=PAGE):
    """The commands as lists of words, without comments."""
    commands = [shlex.split(line, comments=True) for line in "".join(blocks("sh", text)).splitlines()]
    return [words for words in commands if words]


def units():
    return {path.name for path in (ROOT / "scripts/debian").rglob("*.service")}


class WallPage(unittest.TestCase):
    def test_it_is_one_page(self):
        self.assertLessEqual(len(PAGE.splitlines()), LONGEST)
        self.assertEqual(tuple(re.findall("^## (.*)$", PAGE, re.MULTILINE)), SECTIONS)
        self.assertIn("(receiver/KIOSK.md)", (ROOT / "README.md").read_text(encoding="utf-8"))

    def test_every_command_is_known(self):
        for words in lines():
            with self.subTest(shlex.join(words)):
                self.assertIn(words[0], SYSTEM | {"vitrail", "systemctl", "journalctl", "export"})
        for block in blocks("sh", PAGE):
            subprocess.run(["bash", "-n"], input=block, text=True, check=True)

    def test_machines_run_every_command(self):
        page = Page(PAGE)
        ran = {command for title in MACHINES for machine in ("head", "node") for command in page.commands(title, machine)}
        self.assertEqual(len(ran), len({shlex.join(words) for words in lines()}))

    def test_subcommands_and_options_exist(self):
        inline = [shlex.split(text) for text in re.findall(r"`(vitrail [^`]*)`", PAGE)]
        for words in [words for words in lines() if words[0] == "vitrail"] + inline:
            with self.subTest(shlex.join(words)):
                rest = words[3:] if words[1] == "--manager" else words[1:]
                command = list(itertools.takewhile(lambda word: not word.startswith("-"), rest))
                named = command[:2] if "SUBCOMMAND" in run("vitrail", command[0], "--help").stdout else command[:1]
                text = run("vitrail", *command, "--help").stdout
                self.assertRegex(text, rf"Usage: vitrail[ -]{' '.join(named)}\b")
                for option in (word.split("=")[0] for word in rest if word.startswith("--")):
                    self.assertIn(option, text)

    def test_units_and_files_exist(self):
        inline = [shlex.split(text) for text in re.findall(r"`((?:systemctl|journalctl) [^`]*)`", PAGE)]
        for words in [words for words in lines() if words[0] in ("systemctl", "journalctl")] + inline:
            for unit in (word for word in words if word.startswith("vitrail-") and "-t" not in words):
                self.assertTrue(any(name.endswith(f"{unit}.service") for name in units()), unit)
        self.assertLessEqual(set(re.findall(r"/etc/vitrail/([\w.]+)", PAGE)), CONFIGURATION)
        settings = next((ROOT / "scripts/debian").rglob("*manager.env")).read_text(encoding="utf-8")
        second = re.findall('OPTIONS=".*"', settings)[1]
        self.assertIn("the second OPTIONS line has page and films", PAGE)
        for option in ("--page 0.0.0.0:7480", "--media /films"):
            self.assertIn(option, second)


class WallPageHead(unittest.TestCase):
    """The commands before there is a wall, below a folder in place of /."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-page-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in ("etc/vitrail", "root", "films", "var/lib/vitrail/uploads", "usr/lib/systemd/system", "bin"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "bin/systemctl").write_text(SYSTEMCTL)
        (self.folder / "bin/systemctl").chmod(0o755)

    def there(self, words):
        return [re.sub(r"^/(?=etc/|root/|films)", f"{self.folder}/", word) for word in words]

    def runs(self, *words):
        env = {**os.environ, "HOME": str(self.folder), "NO_COLOR": "1", "LOG": str(self.folder / "log"),
               "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        made = run(*self.there(words), cwd=self.folder, env=env)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        return made.stdout

    def test_head_keys_and_node(self):
        for words in lines(section("Head")):
            if words[:2] in (["vitrail", "wall"], ["vitrail", "key"]):
                self.runs(*words)
        wall = json.loads((self.folder / "etc/vitrail/wall.json").read_text())
        self.assertEqual({receiver["name"] for receiver in wall["receivers"]}, {"node1", "node2"})
        key = self.folder / "etc/vitrail/wall.key"
        first = key.read_text()
        for words in lines(section("Keys")):
            if words[:2] == ["vitrail", "key"]:
                said = self.runs(*(words[:words.index(">")] if ">" in words else words))
                if ">" in words:
                    self.assertNotIn(first.strip(), said)
        self.assertNotEqual(key.read_text(), first)
        shutil.copy(key, self.folder / "root/wall.key")
        unit = next(path for path in (ROOT / "scripts/debian").rglob("*.service") if path.name.endswith("vitrail-kiosk.service"))
        shutil.copy(unit, self.folder / "usr/lib/systemd/system/vitrail-kiosk.service")
        (setup,) = (words for words in lines(section("Node")) if "setup" in words)
        said = self.runs(*setup, "--root", str(self.folder), "--dry-run")
        self.assertIn("receiver.env", said)
        (check,) = (words for words in lines(section("Node")) if "check" in words)
        self.assertIn("--root", run(*check, "--help").stdout)

    def test_backup(self):
        (self.folder / "etc/vitrail/wall.json").write_text("wall")
        (self.folder / "var/lib/vitrail/autosave").write_text("session")
        (self.folder / "var/lib/vitrail/uploads/film").write_text("film")
        save, restore = lines(section("Backup"))
        other = self.folder / "other"
        other.mkdir()
        for words, root in ((save, self.folder), (restore, other)):
            subprocess.run([str(root) if word == "/" else word for word in self.there(words)], check=True)
        self.assertEqual((other / "etc/vitrail/wall.json").read_text(), "wall")
        self.assertEqual((other / "var/lib/vitrail/autosave").read_text(), "session")
        self.assertFalse((other / "var/lib/vitrail/uploads").exists())


class WallPageTest(WallTest):
    """The commands of a running wall."""

    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def test_films_page_and_test(self):
        self.clip("film.mkv", seconds=1, rate=5)
        films = self.folder / "films"
        films.mkdir()
        ran = 0
        for words in lines(section("Films") + section("Page") + section("Test")):
            # Other keys and people need a wall with a key.
            if words[0] != "vitrail" or "--role" in words or words[1] == "user":
                continue
            self.vitrail(*[re.sub("^/films", str(films), word) for word in words[1:]])
            ran += 1
        self.assertGreaterEqual(ran, 8)
        self.assertEqual(len(self.state()["windows"]), 2)


if __name__ == "__main__":
    unittest.main()
