#!/usr/bin/env python3
"""Checks the results of scripts/bench storage for each storage."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "e2e"))

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


class Engines(unittest.TestCase):
    def measured(self, *words, **environment):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "figures.json"
            done = subprocess.run([sys.executable, HERE / "storage.py", "--json", path, *words], capture_output=True, text=True, check=False,
                                  env={**os.environ, **environment})
            return json.loads(path.read_text()) if path.exists() else {}, done

    @unittest.skipIf(os.geteuid() != 0, "network namespaces need root")
    def test_films_are_read_from_engines_whose_server_fails(self):
        names = ("local", "http") if shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin") else ("local",)
        reported, done = self.measured(*(word for name in names for word in ("--engine", name)), "--film-mb", "16", "--films", "2", "--seconds", "0.3",
                                       "--seeks", "5", "--mb-per-s", "1", "--patience", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(reported), set(names))
        for name in names:
            for figure in ("one_mb_per_s", "many_mb_per_s", "least_of_many_mb_per_s"):
                self.assertGreater(reported[name][figure], 0)
            self.assertLessEqual(reported[name]["seek_ms"]["p50"], reported[name]["seek_ms"]["p95"])
        self.assertNotIn("killed", reported["local"])
        if "http" in names:  # one server only
            self.assertFalse(reported["http"]["cut_off"]["goes_on"])
            self.assertFalse(reported["http"]["killed"]["goes_on"])
            self.assertIn("error", reported["http"]["killed"])

    @unittest.skipIf(os.geteuid() != 0, "network namespaces need root")
    @unittest.skipIf(shutil.which("weed", path="/usr/sbin:/usr/local/bin"), "SeaweedFS is installed for all")
    def test_an_engine_that_is_not_installed_is_told(self):
        reported, done = self.measured("--engine", "seaweed", PATH="/usr/bin:/bin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("seaweed is left out: weed not found: install SeaweedFS", done.stderr)
        self.assertEqual(list(reported["seaweed"]), ["left_out"])

    def test_options_that_cannot_be_are_refused(self):
        for words, sentence in ((("--engine", "tape"), "invalid choice: 'tape'"), (("--engine", "local", "--film-mb", "100"), "the film must last 10 s"),
                                (("--engine", "local", "--films", "0"), "--films 1 to 100")):
            _, done = self.measured(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
