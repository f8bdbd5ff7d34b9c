"""The schedule, with real programs: a scene that is on now, a crash in its middle, and verbs at a time."""

import json
import re
import time
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually, run
from web import request

PLACES = [[0, 0, 160, 90], [100, 60, 64, 36]]
OFFICE = {"name": "office", "zone": "Europe/Berlin", "start": "2026-11-30T08:00", "end": "2026-11-30T18:00",
          "rule": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "scene": "day"}


class ScheduleTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def setUp(self):
        super().setUp()
        with Control(self.port) as control:
            card = control.call("play", media=["test:64x36@10"], place=PLACES[1])["result"]["window"]
            self.assertIn("result", control.call("session_save", name="day"))
            control.call("close", window=card)
            self.base = control.call("play", media=["test:160x90@10"], place=PLACES[0])["result"]["window"]
        self.wait_for_frames(self.base)

    def rects(self):
        return [window["rect"] for window in self.state()["windows"]]

    def add_day(self):
        """An entry that is on now."""
        return self.vitrail("schedule", "add", "always", "--start", "2020-01-01T00:00", "--zone", "UTC", "--duration", "24:00:00",
                            "--rule", "FREQ=DAILY", "--scene", "day").stdout

    def test_a_scene_is_shown_until_its_entry_ends(self):
        listed = self.add_day()
        self.assertRegex(listed, r"always +day +0 +\d{4}-\d\d-\d\d 00:00 +\d{4}-\d\d-\d\d 00:00 +UTC")
        eventually(lambda: PLACES[1] in self.rects(), "the scene is shown")
        self.assertEqual(self.vitrail("schedule").stdout, listed)
        self.assertTrue(re.search(r"00:00 +\d{4}-\d\d-\d\d 00:00 +UTC +always +day", self.vitrail("schedule", "next", "--count", "1").stdout))
        self.assertIn("is empty", self.vitrail("schedule", "remove", "always").stdout)
        eventually(lambda: self.rects() == [PLACES[0]], "the wall is as before")
        self.assertEqual(self.state()["windows"][0]["window"], self.base)

    def test_a_manager_that_is_killed_in_the_middle(self):
        self.add_day()
        eventually(lambda: PLACES[1] in self.rects(), "the scene is shown")
        eventually(lambda: "events" in json.loads(next(self.folder.glob("**/sessions/autosave.json")).read_text()), "the base is saved")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: PLACES[1] in self.rects() and len(self.rects()) == 2, "the scene is shown again")
        self.vitrail("schedule", "remove", "always")
        eventually(lambda: self.rects() == [PLACES[0]], "the wall is as before")

    def test_verbs_run_at_their_time(self):
        start = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 2))
        entry = {"name": "dark", "zone": "UTC", "start": start, "do": [{"verb": "blank", "params": {"text": "closed"}}]}
        status, _, answer = request(self.page_port, "POST", "/api/schedule_add", body=json.dumps({"entries": [entry]}).encode())
        self.assertEqual(status, 200, answer)
        eventually(lambda: self.state()["blank"], "the wall is blank")
        self.assertEqual(self.state()["blank_text"], "closed")

    def test_files_are_checked_without_a_wall(self):
        file = self.folder / "schedule.json"

        def checked(*entries, expect=0):
            file.write_text(json.dumps(entries))
            result = run("vitrail", "schedule", "check", file, "--count", "2", env={**self.env(), "VITRAIL_MANAGER": "127.0.0.1:1"})
            self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
            return result.stdout + result.stderr
        self.assertRegex(checked(OFFICE), r"08:00 +\d{4}-\d\d-\d\d 18:00 +Europe/Berlin +office +day")
        self.assertIn("entries[1]: the time zone 'Mars/Base' is unknown",
                      checked(OFFICE, {**OFFICE, "name": "b", "zone": "Mars/Base"}, expect=EXIT_FAILED))
        self.assertIn("names a day that no month has",
                      checked({**OFFICE, "rule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, expect=EXIT_FAILED))
        self.assertIn("at most 1000 entries", checked(*({**OFFICE, "name": str(i)} for i in range(1001)), expect=EXIT_FAILED))
        # Larger than any schedule may be: it is refused before it is read.
        checked(*({**OFFICE, "name": str(i)} for i in range(100_000)), expect=EXIT_FAILED)
        self.assertEqual(run("vitrail", "schedule", "add", env=self.env()).returncode, EXIT_USAGE)


if __name__ == "__main__":
    unittest.main()
