"""The clock of one display node jumps by an hour while a film plays, without a visible effect. libfaketime sets the clock."""

import os
import pathlib
import subprocess
import unittest

from harness import BIN, WallTest, eventually

HOUR_S = 3600
LIBRARY = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


class ClockTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180], "mullion": [8, 0]}

    def setUp(self):
        self.clock = None
        super().setUp()
        self.player, self.number = self.play("test:648x180@30", "--place", "0,0,648x180")
        self.wait_for_frames(self.number)

    def start_receiver(self, name):
        if name != "node2":
            return super().start_receiver(name)
        self.clock = self.folder / "clock"
        self.set_clock(0)
        # Changes only the real-time clock, which people and daemons can set.
        fakes = {"LD_PRELOAD": str(LIBRARY), "FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1",
                 "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1"}
        words = [f"{key}={value}" for key, value in fakes.items()]
        program = self.folder / "receiver"
        program.write_text(f"#!/bin/sh\nexec env {' '.join(words)} {BIN}/vitrail-receiver \"$@\"\n")
        program.chmod(0o755)
        self.receivers[name] = self.start(program, "--manager", f"127.0.0.1:{self.port}", "--name", name, "--display=null")
        return self.receivers[name]

    def start(self, program, *arguments, **options):
        if not isinstance(program, pathlib.Path):
            return super().start(program, *arguments, **options)
        log = open(self.folder / "fake.log", "w+", encoding="utf-8")
        process = subprocess.Popen([program, *map(str, arguments)], stdout=log, stderr=log, env=self.env())
        process.log = log
        self.addCleanup(self.end, process)
        return process

    def set_clock(self, seconds):
        new = self.clock.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        os.replace(new, self.clock)

    def figures(self):
        return eventually(lambda: self.window(self.number).get("stats"), "there are figures")

    def lost(self):
        dropped = self.figures()["dropped"]
        return {cause: dropped[cause] for cause in dropped if cause not in ("unsent", "superseded")}

    def superseded(self):
        return self.figures()["dropped"]["superseded"]

    def jump(self, seconds):
        before, superseded = self.lost(), self.superseded()
        self.set_clock(seconds)
        # libfaketime's file is read once a second.
        self.wait_for_frames(self.number, more=120)
        after = self.figures()
        self.assertEqual(self.lost(), before, f"after {seconds} s")
        # A busy machine skips a few frames; a receiver that followed the jump would skip all of them.
        self.assertLess(self.superseded() - superseded, 12, f"after {seconds} s")
        self.assertLess(after["skew_us_p50"], 50_000, "both show at one instant")
        self.assertGreater(after["fps_shown"], 10)
        for process in (self.manager, self.player, *self.receivers.values()):
            self.assertIsNone(process.poll(), self.output(process))

    def film_goes_on(self):
        for seconds in (HOUR_S, 0, -HOUR_S, 0):
            self.jump(seconds)


@unittest.skipUnless(LIBRARY, "needs libfaketime")
@unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "sanitizers want to be loaded first")
class ClockJumps(ClockTest):
    """Wall time is the manager's steady clock."""

    def test_a_film_goes_on(self):
        self.film_goes_on()


@unittest.skipUnless(LIBRARY, "needs libfaketime")
@unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "sanitizers want to be loaded first")
class SystemClockJumps(ClockTest):
    """Wall time is each machine's system clock: one that jumps is not followed."""

    manager_options = ("--clock", "system")

    def test_a_film_goes_on(self):
        self.film_goes_on()
        said = self.output(self.receivers["node2"])
        self.assertIn("synchronise both", said)
        self.assertIn("agree: wall time follows this machine's again", said)


if __name__ == "__main__":
    unittest.main()
