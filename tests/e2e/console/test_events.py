"""Events that switch scenes, with real programs: afterwards the wall is as before, also after a crash in the middle."""

import json
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually, run
from web import request

PLACES = [[0, 0, 160, 90], [160, 90, 160, 90]]
RULES = [{"event": "door", "when": {"zone": 3, "level": {"at_least": 5}}, "scene": "alarm", "clears": "door_closed", "acknowledge": True},
         {"event": "bell", "do": [{"window": "one.mp4", "enlarge": True, "label": "Visitors", "solo": True, "volume": 0.5}]}]
LOOKS = ("rect", "maximised", "label", "volume", "muted")


class Events(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def setUp(self):
        super().setUp()
        self.rules = self.folder / "rules.json"
        self.rules.write_text(json.dumps(RULES))
        with Control(self.port) as control:
            card = control.call("play", media=["test:64x36@10"], place=[100, 60, 64, 36])["result"]["window"]
            self.assertIn("result", control.call("session_save", name="alarm"))
            control.call("close", window=card)
            self.films = [control.call("play", media=[str(self.clip(f"{name}.mp4", seconds=120, rate=10))], place=place)["result"]["window"]
                          for name, place in zip(("one", "two"), PLACES)]
        for film in self.films:
            self.wait_for_frames(film)
        self.vitrail("event", "rules", self.rules)

    def post(self, verb, **parameters):
        """The result of a verb by HTTP."""
        status, _, answer = request(self.page_port, "POST", f"/api/{verb}", body=json.dumps(parameters).encode())
        self.assertEqual(status, 200, answer)
        return json.loads(answer)

    def rects(self):
        return {window["window"]: window["rect"] for window in self.state()["windows"]}

    def positions(self):
        """Where the films are now: their state tells where they were at one time."""
        with Control(self.port) as control:
            now_ns = control.call("clock")["result"]["wall_ns"]
        states = [self.window(film)["playback"] for film in self.films]
        return [state["position_s"] + (0 if state["paused"] else (now_ns - state["at_ns"]) / 1e9) for state in states]

    def start_event(self):
        self.assertEqual(self.post("event_start", name="door", payload={"zone": 3, "level": 7})["outcome"], "began")
        eventually(lambda: [100, 60, 64, 36] in self.rects().values(), "the scene is shown")
        eventually(lambda: all(self.window(film).get("hidden") for film in self.films), "the films are hidden")

    def test_the_films_come_back_and_have_played_on(self):
        before = self.rects()
        self.start_event()
        hidden = self.positions()
        eventually(lambda: all(now > then for now, then in zip(self.positions(), hidden)), "the films play on while they are hidden")
        self.assertEqual(self.post("event_start", name="door_closed")["cleared"], 1)
        eventually(lambda: self.rects() == before, "the films are back at their places, and nothing else is")
        self.assertTrue(all(now > then for now, then in zip(self.positions(), hidden)), "they were not started again")
        self.assertFalse(any(self.window(film).get("hidden") for film in self.films))
        for film in self.films:
            self.wait_for_frames(film)
        self.assertNotIn("events", self.state())

    def test_an_event_is_visible_on_a_blank_wall(self):
        before = self.rects()
        self.post("blank", text="back at 11:15")
        self.start_event()
        self.assertFalse(self.state()["blank"])
        self.post("event_clear", name="door")
        eventually(lambda: self.rects() == before, "the films are back at their places, and nothing else is")
        state = self.state()
        self.assertEqual((state["blank"], state["blank_text"]), (True, "back at 11:15"))

    def test_the_console_tells_what_is_hidden_and_what_is_cleared(self):
        before = self.rects()
        self.rules.write_text(json.dumps([{**RULES[0], "min_s": 3600}]))
        self.vitrail("event", "rules", self.rules)
        self.start_event()
        self.assertIn("and 2 hidden windows: see", self.vitrail("ls").stdout)
        self.assertRegex(self.vitrail("event", "clear", "door").stdout, r"shown, cleared, ends in 3[56]\d\d s")
        self.vitrail("close", "all")
        eventually(lambda: sorted(self.rects()) == sorted(self.films), "the scene is closed, and not what is hidden")
        self.vitrail("event", "acknowledge", "door")
        eventually(lambda: not any(self.window(film).get("hidden") for film in self.films), "the films are shown")
        self.assertEqual(self.rects(), before)

    def test_a_manager_that_is_killed_in_the_middle(self):
        before = self.rects()
        self.start_event()
        with Control(self.port) as control:
            def saved():
                session = json.loads(next(self.folder.glob("**/sessions/autosave.json")).read_text())
                return "events" in session and len(session["windows"]) == 3
            eventually(saved, "the event is saved")
            positions = self.positions()
            self.assertNotIn("events", control.call("session_get", name="autosave")["result"])
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        self.assertEqual([event["event"] for event in self.post("event_list")["events"]], ["door"])
        eventually(lambda: len(self.rects()) == 3, "all programs have come back")
        self.assertEqual(self.vitrail("event", "acknowledge", "door").stdout, "no event is active\n")
        eventually(lambda: self.rects() == before, "the wall is as before the event")
        for film in self.films:
            self.wait_for_frames(film)
        self.assertTrue(all(now >= then for now, then in zip(self.positions(), positions)))

    def test_a_manager_that_is_killed_while_a_window_is_enlarged(self):
        def looks():
            return [{key: self.window(film).get(key) for key in LOOKS} for film in self.films]
        before = looks()
        self.assertEqual(self.post("event_start", name="bell")["outcome"], "began")
        eventually(lambda: self.window(self.films[0]).get("maximised"), "the window is enlarged")
        changed = looks()
        self.assertEqual(changed[0]["rect"], [0, 0, 320, 180])
        self.assertEqual([look["muted"] for look in changed], [None, True])
        self.assertEqual(self.post("event_list")["failed"], [])

        def saved():
            session = json.loads(next(self.folder.glob("**/sessions/autosave.json")).read_text())
            return "events" in session and any("before_maximised" in window for window in session["windows"])
        eventually(saved, "the event is saved")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: len(self.rects()) == 2, "all programs have come back")
        eventually(lambda: looks() == changed, "the event continues")
        self.assertEqual(self.post("event_clear", name="bell")["events"], [])
        eventually(lambda: looks() == before, "the windows are as before the event")
        for film in self.films:
            self.wait_for_frames(film)

    def test_a_flood_of_events_is_bounded_and_the_wall_comes_back(self):
        before = self.rects()
        starts = "".join(json.dumps({"jsonrpc": "2.0", "method": "event_start",
                                     "params": {"name": "door", "id": str(i % 100), "payload": {"zone": 3, "level": 7}}}) + "\n"
                         for i in range(10_000))
        with Control(self.port) as flood:
            flood.send(starts)
            active = flood.call("event_list")["result"]["events"]  # answered when all others have been read
        self.assertEqual([event["id"] for event in active], [str(i) for i in range(16)])
        eventually(lambda: [100, 60, 64, 36] in self.rects().values(), "the scene is shown")
        self.assertEqual(self.post("event_start", name="door_closed")["cleared"], 16)
        eventually(lambda: self.rects() == before, "the films are back at their places, and nothing else is")
        with Control(self.port) as control:
            begun = control.call("journal", verb="event_start")["result"]["entries"]
        self.assertLessEqual(len([entry for entry in begun if "error" not in entry]), 17)

    def test_a_rule_without_its_scene_is_told_before_its_event(self):
        def causes():
            return [problem["cause"] for problem in self.post("why")["problems"]]
        self.assertNotIn("scene", causes())
        self.vitrail("session", "rm", "alarm")
        eventually(lambda: "scene" in causes(), "the rule's scene is missing")
        self.assertIn("'alarm'", self.vitrail("why").stdout)
        self.vitrail("session", "save", "alarm")
        eventually(lambda: "scene" not in causes(), "the scene is there")
        entry = {"name": "night", "zone": "UTC", "start": "2000-01-01T00:00", "duration_s": 1, "rule": "FREQ=YEARLY", "scene": "night"}
        self.vitrail("session", "save", "night")
        self.post("schedule_add", entries=[entry])
        self.vitrail("session", "rm", "night")
        eventually(lambda: "scene" in causes(), "the scene of the schedule is missing")

    def test_the_help_names_the_command_for_input(self):
        self.assertIn("vitrail input", self.vitrail("event", "--help").stdout)

    def test_rules_are_tried_without_a_wall(self):
        def tried(*words, expect=0):
            result = run("vitrail", "event", "test", self.rules, *words, env={**self.env(), "VITRAIL_MANAGER": "127.0.0.1:1"})
            self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
            return result.stdout + result.stderr
        self.assertIn("rules[0]: matches: shows the session 'alarm'", tried("door", "zone=3", "level=5.5"))
        self.assertIn("'level' must be at least 5", tried("door", "zone=3", "level=4", expect=EXIT_FAILED))
        self.assertIn("ends the event 'door'", tried("door_closed", expect=EXIT_FAILED))
        tells = tried("bell")
        for effect in ("enlarges it", "labels it 'Visitors'", "sets its volume to 0.5", "mutes all others"):
            self.assertIn(effect, tells)
        self.assertIn("did you mean 'door'?", tried("dor", expect=EXIT_FAILED))
        tried("door", "zone", expect=EXIT_USAGE)
        self.rules.write_text(json.dumps([{**RULES[0], "priorty": 3}, {"event": "bell"}]))
        mistakes = tried("door", expect=EXIT_FAILED)
        self.assertIn("rules[0]: 'priorty' is not a known field: did you mean 'priority'?", mistakes)
        self.assertIn("rules[1]: 'scene' is missing", mistakes)
        self.assertEqual(run("vitrail-manager", "--wall", self.wall_file, "--events", self.rules, env=self.env()).returncode, EXIT_FAILED)


if __name__ == "__main__":
    unittest.main()
