#!/usr/bin/env python3
"""Checks how scripts/bench papers handles parts that fail, are interrupted, or cannot be measured here, with fake parts."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import papers  # noqa: E402
from paper_part import Missing, Part  # noqa: E402


class Papers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "papers.json"
        self.done = []
        self.wrong = {}  # part → the exception that it raises
        for name in ("first", "second", "third"):
            self.wrong[name] = None
        parts = {name: (self.part(name), 10, 1) for name in self.wrong}
        patch = mock.patch.object(papers, "PARTS", parts)
        patch.start()
        self.addCleanup(patch.stop)

    def part(self, name):
        def measure(_):
            self.done.append(name)
            if self.wrong[name]:
                raise self.wrong[name]
            return Part(f"The {name}", "", "", "", tables=[("Table", [("a",), (1,)])], answer=f"Answer {len(self.done)}.")
        return measure

    def papers(self, *options, code=0):
        self.done.clear()
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["papers", "--json", str(self.file), *options]), contextlib.redirect_stderr(said), \
                contextlib.redirect_stdout(said):
            try:
                papers.main()
                ended = 0
            except SystemExit as end:
                ended = end.code
        self.assertEqual(ended, code, said.getvalue())
        return said.getvalue()

    def answers(self):
        return {part["name"]: part["left_out"] or part["answer"] for part in json.loads(self.file.read_text())["parts"]}

    def test_one_that_fails_does_not_end_the_others(self):
        self.wrong.update(first=ZeroDivisionError("by 0"), second=Missing("no server"))
        self.assertIn("first failed", self.papers(code=3))
        self.assertEqual(self.answers(), {"first": "It failed: ZeroDivisionError: by 0", "second": "no server", "third": "Answer 3."})

    def test_an_interrupted_run_goes_on_where_it_stopped(self):
        self.wrong.update(second=KeyboardInterrupt())
        self.assertIn("the same command goes on", self.papers(code=130))
        self.wrong.update(second=None)
        said = self.papers()
        self.assertEqual(self.done, ["second", "third"])
        self.assertIn("1 of 3 parts are done", said)
        self.assertIn("Part 1 of 2, second: about 20 s left", said)
        self.assertEqual(list(self.answers()), ["first", "second", "third"])
        self.papers()
        self.assertEqual(self.done, ["first", "second", "third"], "a new one")

    def test_another_run_is_not_gone_on_with(self):
        self.wrong.update(second=KeyboardInterrupt())
        self.papers(code=130)
        self.wrong.update(second=None)
        self.papers("--quick")
        self.assertEqual(self.done, ["first", "second", "third"])

    def test_named_parts_leave_the_others(self):
        self.wrong.update(third=KeyboardInterrupt())
        self.papers(code=130)
        self.wrong.update(third=None, first=ValueError("x"))
        self.papers("--part", "first", code=3)
        self.assertEqual(self.answers(), {"first": "Answer 1.", "second": "Answer 2."}, "what was measured stays")
        self.papers("--part", "second")
        self.assertEqual(self.answers()["second"], "Answer 1.")
        self.papers()
        self.assertEqual(self.done, ["third"], "an interrupted run is still gone on with")


if __name__ == "__main__":
    unittest.main()
