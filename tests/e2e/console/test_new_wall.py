"""vitrail wall new: with options, with answers to questions, and with detected displays."""

import json
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

from harness import BIN, EXIT_FAILED, EXIT_USAGE, run

XRANDR = """#!/bin/sh
echo "HDMI-1 connected primary 1280x800+0+0 (normal left inverted right) 320mm x 200mm"
echo "DP-1 connected 1280x800+1280+0 (normal left inverted right) 320mm x 200mm"
"""


class NewWall(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-wall-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.file = self.folder / "wall.json"
        self.env = dict(os.environ)

    def new(self, *words):
        return run("vitrail", "wall", "new", self.file, *words, env=self.env)

    def program(self, name, text):
        file = self.folder / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def test_options_alone(self):
        made = self.new("--columns", 3, "--rows", 2, "--resolution", "1280x720", "--mullion", "20x30", "--host", "a",
                        "--host", "b", "--host", "c")
        self.assertEqual(made.returncode, 0, made.stderr)
        checked = json.loads(run("vitrail", "--json", "wall", "check", self.file).stdout)
        self.assertEqual(len(checked["tiles"]), 6)
        refused = self.new("--rows", 2)
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("--replace", refused.stderr)
        self.assertEqual(self.new("--rows", 2, "--replace").returncode, 0)

    def test_mistakes_write_nothing(self):
        for words, code in ((("--resolution", "big"), EXIT_FAILED), (("--columns", 2, "--host", "-oProxyCommand=x"), EXIT_USAGE),
                            (("--columns", 3, "--host", "a", "--host", "b", "--host", "c", "--host", "d"), EXIT_FAILED)):
            refused = self.new(*words)
            self.assertEqual(refused.returncode, code, words)
            self.assertFalse(self.file.exists(), words)

    def test_nothing_is_asked_without_a_terminal(self):
        for stdin in ("", "lab\n4\n"):
            refused = run("vitrail", "wall", "new", self.file, env=self.env, stdin=stdin)
            self.assertEqual(refused.returncode, EXIT_USAGE)
            self.assertIn("--columns", refused.stderr)
            self.assertFalse(self.file.exists())

    def test_questions_at_a_terminal(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        asking = subprocess.Popen([BIN / "vitrail", "wall", "new", self.file], env=self.env, stdin=theirs,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        os.close(theirs)
        os.write(ours, b"lab\n4\n\n\n5x5mm\n0.5\n\n")
        _, questions = asking.communicate(timeout=30)
        self.assertEqual(asking.returncode, 0, questions)
        grid = json.loads(self.file.read_text())["grid"]
        self.assertEqual((grid["columns"], grid["rows"], grid["pixel_pitch_mm"]), (4, 2, 0.5))

    def test_displays_here_and_by_ssh(self):
        self.program("xrandr", XRANDR)
        self.env["PATH"] = f"{self.folder}/bin:{self.env['PATH']}"
        here = self.new("--detect")
        self.assertEqual(here.returncode, 0, here.stderr)
        self.assertIn("this host: HDMI-1 1280×800, 320 mm wide (by xrandr)", here.stderr)
        tiles = json.loads(self.file.read_text())["tiles"]
        self.assertEqual([(tile["output"], tile["resolution"]) for tile in tiles], [("HDMI-1", [1280, 800]), ("DP-1", [1280, 800])])
        # The stand-in for ssh runs its last argument in a local shell.
        self.env["VITRAIL_SSH"] = repr(str(self.program("an ssh", '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')))
        there = self.new("--detect", "--replace", "--host", "node1", "--host", "node2")
        self.assertEqual(there.returncode, 0, there.stderr)
        wall = json.loads(self.file.read_text())
        self.assertEqual([one["host"] for one in wall["receivers"]], ["node1", "node2"])
        self.assertEqual([(tile["receiver"], tile["output"]) for tile in wall["tiles"]],
                         [("node1", "HDMI-1"), ("node1", "DP-1"), ("node2", "HDMI-1"), ("node2", "DP-1")])

    def test_hosts_that_tell_nothing(self):
        self.env["VITRAIL_SSH"] = str(self.program("ssh", "#!/bin/sh\nexit 255\n"))
        away = self.new("--detect", "--host", "node1")
        self.assertIn("the displays of node1", away.stderr)
        self.env["VITRAIL_SSH"] = str(self.program("ssh", "#!/bin/sh\nexit 0\n"))
        dark = self.new("--detect", "--host", "node1")
        self.assertEqual(dark.returncode, EXIT_FAILED)
        self.assertIn("no display found on node1", dark.stderr)
