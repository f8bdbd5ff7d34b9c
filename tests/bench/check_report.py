#!/usr/bin/env python3
"""Checks the report that scripts/report makes of the results of scripts/bench papers: check_report.py PAPERS.json…"""

import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAPERS = [pathlib.Path(word) for word in sys.argv[1:]]


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.reported = {"parts": [part for file in PAPERS for part in json.loads(file.read_text(encoding="utf-8"))["parts"]]}

    def report(self, reported, *options, expect=0):
        source = self.folder / "papers.json"
        source.write_text(reported if isinstance(reported, str) else json.dumps(reported))
        done = subprocess.run([sys.executable, ROOT / "scripts/report", "--from", source, "--out", self.folder, *options],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, expect, done.stderr)
        return (self.folder / "index.html").read_text(encoding="utf-8") if expect == 0 else done.stderr

    def test_every_part_is_there_with_its_commands_and_nothing_comes_from_elsewhere(self):
        page = self.report(self.reported, "--no-pdf")
        self.assertGreater(len(self.reported["parts"]), 8)
        plots = 0
        for part in self.reported["parts"]:
            self.assertIn(html.escape(part["title"]), page)
            self.assertNotIn(" failed: ", part["left_out"] + part["setup"], "what is left out is not here; what is here goes")
            for reported in [*part["commands"], part["left_out"] or part["answer"]]:
                self.assertIn(html.escape(reported), page)
            plots += len(part["plots"])
        self.assertEqual(page.count("<svg"), plots)
        self.assertGreater(plots, 5)
        self.assertNotRegex(page, r"(src|href)\s*=\s*['\"]?(https?:|//)|@import|<script")
        names = re.findall(r"\bid=['\"]([^'\"]+)", page)
        self.assertEqual(len(names), len(set(names)))

    def test_a_part_without_data_says_so_and_has_no_figures(self):
        part = dict(self.reported["parts"][0], left_out="no such servers")
        page = self.report({"parts": [part]}, "--no-pdf")
        self.assertIn("<b>Left out.</b> no such servers", page)
        self.assertNotIn("<b>Answer.</b>", page)

    def test_what_others_wrote_is_text(self):
        part = dict(self.reported["parts"][0], title="<script>alert(1)</script>", answer="<img src=x>")
        page = self.report({"parts": [part]}, "--no-pdf")
        self.assertNotIn("<script", page)
        self.assertNotIn("<img", page)

    def test_the_pdf(self):
        self.report(self.reported)
        self.assertTrue((self.folder / "report.pdf").read_bytes().startswith(b"%PDF"))

    def test_files_that_are_none(self):
        for reported in ("{", "[]", '{"parts": [{}]}'):
            self.assertIn("papers.json", self.report(reported, "--no-pdf", expect=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
