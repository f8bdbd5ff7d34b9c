#!/usr/bin/env python3
"""Checks, on copies, what scripts/figures writes into documents, and how it and check_documents.py report differences."""

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
assert sys.argv[1] == "papers" and sys.argv[2] == "--json", sys.argv
json.dump({parts}, open(sys.argv[3], "w"))
sys.exit({code})
"""
HOST = {"cpu": "slow", "cores": 2}


def part(sender, receivers, date, **more):
    rows = [["run", "figure", "value", "command"], ["wall", "sender", sender, "scripts/bench wall"], ["wall", "receivers", receivers, ""]]
    return {"name": "readme", "title": "Costs", "tables": [["Figures", rows]], "plots": [[1]], "answer": f"{sender} and {receivers}.", "left_out": "", "date": date,
            "host": HOST, "load": 1, "quick": False, **more}


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for place in ("scripts", "tests/bench"):
            (self.root / place).mkdir(parents=True)
        for file in ("scripts/figures", "tests/check_documents.py"):
            shutil.copy(ROOT / file, self.root / file)
        shutil.copytree(ROOT / "ui/lab/vitrail_lab", self.root / "ui/lab/vitrail_lab")
        (self.root / "CMakeLists.txt").write_text("project(vitrail VERSION 1.2\n")
        (self.root / "CHANGELOG.md").write_text("## 1.2\n")
        (self.root / "FIGURES.md").write_text("<!-- figures: readme -->\n<!-- end of figures -->\n")
        self.kept = self.root / "tests/bench/papers.json"
        self.kept.write_text(json.dumps({"parts": [part(13.6, 7.4, "2026-01-01")]}))
        for script in ("report", "bench"):
            self.script(script, "#!/bin/sh\n")
        self.readme = self.root / "README.md"
        self.readme.write_text(README)
        self.assertEqual(self.run_script("scripts/figures"), (0, ""))

    def script(self, name, text):
        path = self.root / "scripts" / name
        path.write_text(text)
        path.chmod(0o755)

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
        for wrong, unknown in (("wal: sender", "wal sender"), ("wall: sende", "wall sende")):
            self.change("wall: sender + receivers", wrong)
            code, said = self.run_script("scripts/figures")
            self.assertEqual(code, 1)
            self.assertIn(f"papers.json has no {unknown}", said)

    def measured(self, *parts, code=0):
        self.script("bench", BENCH.format(parts={"parts": list(parts)}, code=code))
        return self.run_script("scripts/figures", "--measure")

    def test_measured_again(self):
        self.assertEqual(self.measured(part(3, 4.25, "2026-02-02", version="9", others_cores=0.5)), (0, ""))
        self.assertIn("-->7.2 ms", self.readme.read_text())
        reported = (self.root / "FIGURES.md").read_text()
        self.assertIn("3 and 4.25. Measured 2026-02-02 by 9 on slow, 2 cores at a load of 1, with 0.5 cores of other work.", reported)
        self.assertIn("| wall | sender | 3 |", reported)
        self.assertNotIn("2026-01-01", reported)
        self.assertEqual(self.measured(part(5, 5, "2026-03-03")), (0, ""))
        self.assertNotIn("[1]", self.kept.read_text())

    def test_in_short_is_the_answer_without_tables(self):
        figures = self.root / "FIGURES.md"
        figures.write_text("<!-- figures: readme, readme in short -->\n<!-- end of figures -->\n")
        self.assertEqual(self.run_script("scripts/figures"), (0, ""))
        answer = "- **Costs.** 13.6 and 7.4.\n"
        measured = "\nMeasured 2026-01-01 on slow, 2 cores.\n"
        self.assertEqual(figures.read_text(), f"<!-- figures: readme, readme in short -->\n{answer}{answer}{measured}<!-- end of figures -->\n")
        figures.write_text("<!-- figures: readme, other in short -->\n<!-- end of figures -->\n")
        self.assertEqual(self.run_script("scripts/figures"), (1, "figures: tests/bench/papers.json has no other\n"))

    def test_the_last_table_alone(self):
        scale = part(1, 2, "2026-01-01", name="scale")
        scale["tables"] += [["Laws", [["cost"], ["all"]]]]
        self.kept.write_text(json.dumps({"parts": [part(13.6, 7.4, "2026-01-01"), scale]}))
        figures = self.root / "FIGURES.md"
        figures.write_text("<!-- figures: scale last table -->\n<!-- end of figures -->\n")
        self.assertEqual(self.run_script("scripts/figures"), (0, ""))
        table = "| cost |\n|---|\n| all |\n\n1 and 2. Measured 2026-01-01 on slow, 2 cores at a load of 1.\n"
        self.assertEqual(figures.read_text(), f"<!-- figures: scale last table -->\n{table}<!-- end of figures -->\n")

    def test_what_failed_stays_as_it_was(self):
        code, said = self.measured(part(0, 0, "2026-02-02", left_out="It failed."), code=3)
        self.assertEqual((code, said), (1, "figures: readme stays as it was on 2026-01-01: It failed.\n"))
        self.assertEqual(self.readme.read_text(), README)
        for code in (1, 130):  # the build fails, or is interrupted
            self.assertEqual(self.measured(part(0, 0, "2026-02-02"), code=code)[0], code)
            self.assertEqual(self.readme.read_text(), README)


if __name__ == "__main__":
    unittest.main()
