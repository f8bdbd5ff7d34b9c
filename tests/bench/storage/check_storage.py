#!/usr/bin/env python3
"""Checks the results of scripts/bench storage for each storage."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "e2e"))

from ganesha import why_not  # noqa: E402

OTHERS = {"local", "http", "ibp", "ibp_near", "ibp_far"}


class Storage(unittest.TestCase):
    def reported(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "figures.json"
            done = subprocess.run([sys.executable, HERE / "storage.py", "--seconds", "0.05", "--file-mb", "20", "--json", path, *words],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(path.read_text()), done

    def test_every_row_has_its_figures(self):
        reported, done = self.reported()
        self.assertEqual(set(reported), OTHERS | {"nfs"})
        for name in OTHERS if why_not() else reported:
            with self.subTest(name):
                self.assertGreater(reported[name]["rss_mb"], 0)
                self.assertGreaterEqual(reported[name]["cpu_pct"], 0)
        if why_not():
            self.assertEqual(list(reported["nfs"]), ["left_out"])
            self.assertIn("nfs is left out: nfs-ganesha", done.stderr)
            return
        nfs = reported["nfs"]
        self.assertGreater(nfs["best_mb_per_s"], 0)
        for name in ("blocks", "demuxer", "demuxer_small_reads"):
            self.assertAlmostEqual(nfs[f"{name}_to_best"], nfs[f"{name}_mb_per_s"] / nfs["best_mb_per_s"])


if __name__ == "__main__":
    unittest.main()
