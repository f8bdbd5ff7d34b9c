#!/usr/bin/env python3
"""Checks the results of scripts/bench storage for each storage."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "e2e"))

import compare_engines  # noqa: E402
from disk_servers import DiskServers  # noqa: E402
from ganesha import why_not  # noqa: E402
from machines import why_no_network  # noqa: E402
from rig import Failed, Rig  # noqa: E402
from single import Local  # noqa: E402

WHY_NO_NETWORK = why_no_network()
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

    @unittest.skipIf(WHY_NO_NETWORK, WHY_NO_NETWORK)
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

    @unittest.skipIf(WHY_NO_NETWORK, WHY_NO_NETWORK)
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

    def test_a_process_that_does_not_end_is_told_and_leaves_no_namespaces(self):
        stuck, other = mock.Mock(pid=77), mock.Mock()
        stuck.wait.side_effect = subprocess.TimeoutExpired("ceph-osd", 10)
        with mock.patch("rig.Spaces") as spaces, mock.patch.object(Rig, "kill"), contextlib.redirect_stderr(io.StringIO()) as told:
            rig = Rig("/nowhere")
            rig.started = [stuck, other]
            rig.end()
        other.wait.assert_called_once()
        spaces.return_value.end.assert_called_once()
        self.assertIn("process 77 was killed and has not ended", told.getvalue())

    def test_an_engine_whose_start_fails_is_ended_after_its_processes(self):
        calls = mock.Mock()
        with mock.patch("compare_engines.Rig", return_value=calls.rig), mock.patch.object(Local, "start", side_effect=Failed("no")), \
                mock.patch.object(Local, "end", calls.engine_end), self.assertRaises(Failed):
            compare_engines.measure(Local, mock.Mock(films=1), "/nowhere", "/nowhere")
        self.assertEqual(calls.mock_calls, [mock.call.rig.end(), mock.call.engine_end()])

    def test_a_server_that_could_not_be_stopped_is_a_failure(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        pipe = pathlib.Path(folder.name) / "pipe"
        os.mkfifo(pipe)

        def fail():
            pipe.write_text("{}")  # the reader waits for it
            raise OSError("no such link")

        reader = compare_engines.Reader(mock.Mock(cpu_s=lambda: 0), mock.Mock(env={}), mock.Mock(seconds=1, patience=60))
        with mock.patch("compare_engines.BEFORE_S", 0), mock.patch.object(reader, "command", lambda *_: ["cat", pipe]), \
                self.assertRaisesRegex(Failed, "the server has not failed: no such link"):
            reader.read([], fail=fail)

    def test_a_film_that_disk_servers_refuse_is_told_at_once(self):
        with tempfile.TemporaryDirectory() as films:
            engine = DiskServers(mock.Mock(**{"run.side_effect": Failed("no disk server")}), films)
            with self.assertRaisesRegex(Failed, "no disk server"):
                engine.place("a.mov")
            (pathlib.Path(films) / "a.mov.xnd").touch()
            engine.place("a.mov")


if __name__ == "__main__":
    unittest.main()
