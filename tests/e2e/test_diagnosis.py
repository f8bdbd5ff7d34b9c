"""The diagnosis of stuttering: one sentence that names the bottleneck, in every place that shows it."""

import json
import os
import signal
import subprocess
import unittest

from harness import EXIT_FAILED, WallTest, eventually

# A stream so heavy that the diagnosis names it first even on a busy machine.
HEAVY = ("test:3840x2160@60", "--codec", "j2k", "--threads", 1)


class Diagnosis(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def why(self, *window):
        return json.loads(self.vitrail("why", *window, "--json").stdout)

    def wait_for(self, number, cause):
        return eventually(lambda: (found := self.why(number))["cause"] == cause and found, f"window {number}: {cause}")

    def wait_until_well(self):
        eventually(lambda: self.why()["state"] == "well", "all is well")

    @unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "painting the card takes longer than OpenJPEG, which has no sanitizer")
    def test_a_test_card_that_is_too_heavy_says_that_it_is_the_encoding(self):
        _, number = self.play(*HEAVY, "--place", "0,0,320x180")
        found = self.wait_for(number, "encoding")
        self.assertEqual(found["state"], "bad")
        self.assertRegex(found["sentence"], r"^encoding j2k takes \d+ ms per frame; the limit is 16 ms for 60 fps: "
                                            r"use dxt1:fast or a smaller picture$")
        self.assertRegex(self.vitrail("why", number).stdout, "encoding j2k takes|is overloaded")
        stats = self.window(number)["stats"]
        self.assertAlmostEqual(stats["fps_wanted"], 60, 3)
        self.assertLess(stats["fps_shown"], 54)
        eventually(lambda: self.window(number)["stats"]["frames_skipped"] > 0, "those that it could not even hand over")
        # After a while it also counts for the wall, and all places with metrics show it.
        eventually(lambda: self.why()["state"] == "bad", "the wall is not well")
        self.assertRegex(self.vitrail("why").stdout, rf"window {number} “.*”: (encoding j2k takes|machine '.*' is busy)")
        self.assertRegex(self.vitrail("stats").stdout, rf"\nwindow {number} “.*”: (encoding j2k takes|machine '.*' is busy)")
        self.vitrail("close", number)
        self.wait_until_well()
        self.assertEqual(self.vitrail("why").stdout, "all is well\n")

    def test_a_source_that_gives_too_little_is_named(self):
        # Far fewer frames than the stream announces, so that a busy machine cannot be the cause.
        feed, pipe = os.pipe()
        feeder = subprocess.Popen(["sh", "-c", "while head -c 12288 /dev/zero; do sleep 0.8; done"], stdout=pipe,
                                  stderr=subprocess.DEVNULL)
        os.close(pipe)
        self.addCleanup(lambda: (feeder.kill(), feeder.wait()))
        self.start("bplay", "--raw", "64x64@60:rgb", "-", stdin=feed)
        os.close(feed)
        number = eventually(lambda: self.state()["windows"], "a window")[0]["window"]
        found = self.wait_for(number, "storage")
        self.assertRegex(found["sentence"], r"^reading takes \d+ ms per frame, .*; the limit is 16 ms for 60 fps")

    def test_what_stands_still_is_well(self):
        _, number = self.play("test:64x64@30", "--paused")
        self.assertEqual(self.wait_for(number, "paused")["picture"], "still")
        self.assertEqual(self.why(number)["state"], "well")
        self.assertEqual(self.why()["state"], "well")

    def test_a_receiver_that_is_lost_is_named_and_then_well_again(self):
        _, number = self.play("test:640x180@5", "--place", "0,0,640x180")
        self.wait_for_frames(number)
        self.wait_until_well()
        self.receivers["node2"].send_signal(signal.SIGKILL)
        eventually(lambda: self.why()["state"] == "bad", "the receiver is missed")
        problem = self.why()["problems"][0]
        self.assertEqual(problem["receiver"], "node2")
        self.assertRegex(problem["sentence"], r"^receiver 'node2' is disconnected: nothing is shown on '[^']+'$")
        self.assertIn("'node2' is disconnected", self.wait_for(number, "receiver_away")["sentence"])
        self.start_receiver("node2")
        self.wait_until_well()
        self.wait_for(number, "none")

    def test_who_stands_still_is_named(self):
        player, number = self.play("test:640x180@5", "--place", "0,0,640x180")
        self.wait_for_frames(number)
        for process, cause in ((player, "program_stopped"), (self.receivers["node2"], "receiver_stopped")):
            self.wait_for(number, "none")
            process.send_signal(signal.SIGSTOP)
            try:
                self.assertEqual(self.wait_for(number, cause)["picture"], "late")
                self.assertIn(cause, [problem["cause"] for problem in self.why()["problems"]])
            finally:
                process.send_signal(signal.SIGCONT)
        self.wait_until_well()

    def test_machines_tell_how_busy_they_are(self):
        self.play("test:64x64@5")
        hosts = eventually(lambda: json.loads(self.vitrail("stats", "--json").stdout)["hosts"], "this machine is told of")
        self.assertEqual([host["cores"] for host in hosts], [os.cpu_count()])
        self.assertIn("overloaded", hosts[0])

    def test_processes_tell_their_memory(self):
        player, number = self.play("test:640x180@5", "--place", "0,0,640x180")
        self.wait_for_frames(number, 2)
        processes = json.loads(self.vitrail("stats", "memory", "--json").stdout)["processes"]
        receivers = [(process.pid, name) for name, process in self.receivers.items()]
        told = {(process["pid"], process["name"]) for process in processes}
        self.assertEqual(told, {(self.manager.pid, "manager"), (player.pid, "bplay"), *receivers})
        for process in processes:
            self.assertGreater(process["resident"], 1 << 20)
            self.assertGreaterEqual(process["resident"], process["fair"])
            self.assertEqual("reserved" in process, process["role"] == "receiver")
        # Both receivers have accepted the stream.
        self.assertTrue(all(0 < process["reserved"] < process["limit"] for process in processes if "reserved" in process))
        self.assertIn("RESERVED MB", self.vitrail("stats", "memory").stdout)

    def test_a_wall_that_cannot_be_saved_says_so(self):
        self.play("test:64x64@5")
        saved = eventually(lambda: list(self.folder.rglob("autosave*.json")), "it is saved")[0]
        saved.unlink()
        (saved / "in the way").mkdir(parents=True)
        self.play("test:64x64@5")
        eventually(lambda: "the wall cannot be saved" in self.vitrail("why").stdout, "it is told")

    def test_there_must_be_such_a_window(self):
        self.assertIn("no window 99", self.vitrail("why", 99, expect=EXIT_FAILED).stderr)


if __name__ == "__main__":
    unittest.main()
