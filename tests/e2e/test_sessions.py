"""Sessions with real programs: what was on the wall is there again when the manager comes back."""

import json
import unittest

from harness import BIN, Control, WallTest, eventually

PLACE = [20, 10, 160, 90]


class Sessions(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def play_film(self):
        """A film that the manager starts, moved to PLACE; done when that is saved."""
        film = self.clip(seconds=4)
        with Control(self.port) as control:
            answer = control.call("play", media=[str(film)], loop=True)
            number = answer["result"]["window"]
            self.wait_for_frames(number)
            control.call("place", windows=[{"window": number, "rect": PLACE}])

            def saved():
                session = control.call("session_get", name="autosave").get("result", {"windows": []})
                return [w["rect"] for w in session["windows"]] == [PLACE]
            eventually(saved, "the session is saved by itself")

    def restart(self):
        self.manager = self.start_manager("--restore", "autosave")
        windows = eventually(lambda: self.state()["windows"], "the film comes back")
        self.assertEqual([w["rect"] for w in windows], [PLACE])
        self.wait_for_receivers(*self.receivers)
        self.wait_for_frames(windows[0]["window"])
        self.assertEqual(len(self.state()["windows"]), 1)

    def test_a_film_outlives_its_manager(self):
        self.play_film()
        self.manager.kill()
        self.manager.wait()
        self.restart()

    def test_a_film_is_started_again(self):
        self.play_film()
        self.manager.terminate()
        self.manager.wait()
        self.restart()
        with Control(self.port) as control:
            self.assertEqual(control.call("history")["result"]["entries"], [])

    def test_a_saved_command_is_started_again_by_its_name(self):
        commands = self.folder / "commands.json"

        def save(**named):
            commands.write_text(json.dumps({name: {"arguments": [str(BIN / "bplay"), "--title", title, "test:64x36@10"]}
                                            for name, title in named.items()}))

        def begin_again(*more):
            self.manager.terminate()
            self.manager.wait()
            self.manager = self.start_manager("--commands", commands, *more)
            self.wait_for_receivers(*self.receivers)

        save(card="A card")
        begin_again()
        with Control(self.port) as control:
            answer = control.call("play", source="command/card", place=PLACE)
            self.wait_for_frames(answer["result"]["window"])
            self.assertIn("result", control.call("session_save", name="monday"))
        save(card="Another card")
        begin_again("--restore", "monday")
        window = eventually(lambda: self.state()["windows"], "the command is started again")[0]
        self.assertEqual((window["title"], window["rect"]), ("Another card", PLACE))
        self.wait_for_frames(window["window"])
        save(other="Another")
        begin_again()
        with Control(self.port) as control:
            failed = control.call("session_restore", name="monday")["result"]["failed"]
        self.assertEqual(failed[0]["title"], "A card")
        self.assertIn("'card'", failed[0]["why"])


if __name__ == "__main__":
    unittest.main()
