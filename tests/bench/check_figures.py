#!/usr/bin/env python3
"""What scripts/figures writes into documents, and what it and check_documents.py say of those that differ: in copies."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = """# Here

| measured | |
|---|---|
| a frame | <!-- wall: sender + receivers -->21.0 ms |
"""
BENCH = """#!/usr/bin/env python3
import json, sys
assert sys.argv[1:4] == ["wall", "--seconds", "5"], sys.argv
json.dump({"sender": 3, "receivers": 4.25, "series": [1]}, open(sys.argv[5], "w"))
"""


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for place in ("scripts", "tests/bench"):
            (self.root / place).mkdir(parents=True)
        for file in ("scripts/figures", "tests/check_documents.py", "tests/bench/papers.json"):
            shutil.copy(ROOT / file, self.root / file)
        shutil.copytree(ROOT / "sail/python/vitrail", self.root / "sail/python/vitrail")
        (self.root / "CMakeLists.txt").write_text("project(vitrail VERSION 1.2\n")
        (self.root / "CHANGELOG.md").write_text("## 1.2\n")
        (self.root / "FIGURES.md").write_text("")
        (self.root / "tests/bench/runs.json").write_text(json.dumps({
            "wall": {"command": "scripts/bench wall --seconds 5", "figures": {"sender": 13.6, "receivers": 7.4}}}))
        self.readme = self.root / "README.md"
        self.readme.write_text(README)

    def run_script(self, name, *options):
        done = subprocess.run([sys.executable, self.root / name, *options], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def change(self, before, after):
        self.assertIn(before, README)
        self.readme.write_text(README.replace(before, after))

    def test_documents_that_agree_stay_as_they_are(self):
        self.assertEqual(self.run_script("tests/check_documents.py"), (0, "documents: clean\n"))
        self.assertEqual(self.run_script("scripts/figures"), (0, ""))
        self.assertEqual(self.readme.read_text(), README)

    def test_a_figure_that_differs_is_told_and_written(self):
        self.change("21.0", "20.9")
        code, said = self.run_script("tests/check_documents.py")
        self.assertEqual(code, 1)
        self.assertIn("README.md is not what was measured", said)
        self.assertEqual(self.run_script("scripts/figures"), (0, ""))
        self.assertEqual(self.readme.read_text(), README)

    def test_a_figure_of_nowhere(self):
        self.change("<!-- wall: sender + receivers -->", "")
        self.assertIn("nobody knows where 21.0 ms was measured", self.run_script("tests/check_documents.py")[1])
        for wrong, unknown in (("wal: sender", "'wal'"), ("wall: sende", "'sende'")):
            self.change("wall: sender + receivers", wrong)
            code, said = self.run_script("scripts/figures")
            self.assertEqual(code, 1)
            self.assertIn(f"runs.json has no {unknown}", said)

    def test_measured_again(self):
        bench = self.root / "scripts/bench"
        bench.write_text(BENCH)
        bench.chmod(0o755)
        self.assertEqual(self.run_script("scripts/figures", "--measure", "wall"), (0, ""))
        self.assertIn("-->7.2 ms", self.readme.read_text())
        run = json.loads((self.root / "tests/bench/runs.json").read_text())["wall"]
        self.assertEqual(run["figures"], {"sender": 3, "receivers": 4.25})
        self.assertIn("cores", run["host"])
        self.assertIn("has no film, but wall", self.run_script("scripts/figures", "--measure", "film")[1])


if __name__ == "__main__":
    unittest.main()
