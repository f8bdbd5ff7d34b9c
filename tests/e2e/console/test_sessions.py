"""Sessions with real programs: a restarted manager restores what was on the wall."""

import json
import os
import pathlib
import signal
import socket
import unittest

from harness import BIN, EXIT_FAILED, Control, WallTest, eventually

PLACE = [20, 10, 160, 90]


class Sessions(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return super().env(SDL_AUDIODRIVER="dummy", **more)

    def play_film(self):
        """Plays a film by the manager and moves it to PLACE; returns when the session is saved."""
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

    def autosave(self):
        """The file; None if nothing has been saved yet."""
        sessions = next(self.folder.glob("**/sessions"), None)
        return sessions and sessions / "autosave.json"

    def player(self):
        """The process of the only player that the manager has started."""
        child, = pathlib.Path(f"/proc/{self.manager.pid}/task/{self.manager.pid}/children").read_text().split()
        return int(child)

    def test_a_player_that_stood_still_while_the_manager_died_shows_no_second_film(self):
        self.play_film()
        former = self.autosave().read_text()
        player = self.player()
        self.manager.kill()
        self.manager.wait()
        os.kill(player, signal.SIGKILL)
        self.restart()
        player = self.player()
        os.kill(player, signal.SIGSTOP)
        self.manager.kill()
        self.manager.wait()
        self.autosave().write_text(former)  # as if the manager had died before it saved the new player
        try:
            self.manager = self.start_manager("--restore", "autosave")
            self.wait_for_receivers(*self.receivers)
            eventually(lambda: self.state()["windows"] and self.player(), "the film is started again")
        finally:
            os.kill(player, signal.SIGCONT)
        eventually(lambda: not pathlib.Path(f"/proc/{player}/exe").exists(), "the former player ends")
        self.assertEqual(len(self.state()["windows"]), 1)

    def test_a_film_outlives_its_manager(self):
        self.play_film()
        self.manager.kill()
        self.manager.wait()
        self.restart()

    def test_a_wallpaper_outlives_its_manager_before_anything_is_saved(self):
        with Control(self.port) as control:
            self.wait_for_frames(control.call("wallpaper", source="test:64x36@10")["result"]["window"])
        self.manager.kill()
        self.manager.wait()
        if autosave := self.autosave():
            autosave.unlink(missing_ok=True)
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        window, = eventually(lambda: self.state()["windows"], "the wallpaper is back")
        self.assertEqual((window.get("decoration", {}).get("kind"), window["rect"]), ("wallpaper", [0, 0, 320, 180]))

    def test_what_people_concealed_drew_and_wrote_outlives_its_manager(self):
        def shown():
            state = self.state()
            window, = [window for window in state["windows"] if "decoration" not in window]
            return ({key: state.get(key) for key in ("blank", "blank_text", "blank_areas", "strokes", "sound")},
                    {key: window.get(key) for key in ("rect", "label", "strokes", "blank", "frozen", "muted", "volume")})
        with Control(self.port) as control:
            number = control.call("play", media=["test:64x36@10"], place=PLACE)["result"]["window"]
            self.wait_for_frames(number)
            for verb, params in (("annotate", {"points": [[5, 5], [60, 5]]}), ("annotate", {"window": number, "points": [[30, 30]]}),
                                 ("label", {"window": number, "text": "{title}"}), ("sound", {"window": number, "volume": 0.5}),
                                 ("master_volume", {"volume": 0.25}), ("freeze", {"windows": [number]}),
                                 ("blank", {"areas": [[200, 100, 50, 50]], "text": "closed"})):
                self.assertIn("result", control.call(verb, **params), verb)
        before = shown()
        self.assertNotIn(None, [before[0]["strokes"], before[0]["blank_areas"], *(before[1][key] for key in ("label", "strokes", "frozen"))])

        def saved():
            session = self.autosave() and self.autosave().exists() and json.loads(self.autosave().read_text())
            return session and session.get("switches", {}).get("blank_areas") and session
        eventually(saved, "it is saved")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.state()["windows"], "the window is back")
        self.assertEqual(shown(), before)

    def test_a_title_that_a_person_chose_is_kept(self):
        _, number = self.play("--title", "Welcome", self.clip())
        with Control(self.port) as control:
            control.call("session_save", name="now")
            control.call("close", window=number)
            self.assertEqual(control.call("session_restore", name="now")["result"]["failed"], [])
        self.assertEqual([window["title"] for window in self.state()["windows"]], ["Welcome"])

    def test_a_wall_comes_up_with_damaged_files(self):
        state = self.folder / "damaged"
        state.mkdir()
        for name in ("term.json", "urls.json", "people.json"):
            (state / name).write_text("")
        for _ in range(2):
            self.manager.terminate()
            self.manager.wait()
            self.manager = self.start_manager("--state", state)
            self.wait_for_receivers(*self.receivers)
        self.assertEqual(sorted(file.name for file in state.glob("*.json*")),
                         ["people.json", "term.json", "term.json.damaged", "urls.json.damaged"])
        self.assertGreater(json.loads((state / "term.json").read_text())["term"], 1_000_000_000)

    def test_how_it_played_and_how_it_looked_are_kept(self):
        film = self.clip("loud.mp4", seconds=20, rate=10, extra=("-f", "lavfi", "-i", "sine=440", "-shortest"))
        with Control(self.port) as control:
            answer = control.call("play", media=[str(film)], volume=0.25, rate=0.5)
            number = answer["result"]["window"]
            reported = eventually(lambda: self.window(number).get("playback", {}).get("volume") and self.window(number)["playback"],
                              "bplay tells how loud it plays")
            self.assertEqual((reported["volume"], reported["rate"]), (0.25, 0.5))
            control.call("watch_thumbnails", windows=[number], per_second=5)

            def pictured():
                session = control.call("session_get", name="autosave").get("result", {"windows": [{}]})
                return "thumbnail" in session["windows"][0] and session
            session = eventually(pictured, "the session has a picture of it")
            self.assertTrue(session["windows"][0]["thumbnail"]["jpeg"].startswith("/9j/"))
            self.assertEqual(session["windows"][0]["playback"]["volume"], 0.25)
            control.call("control", window=number, action="rate", value=1)
            control.call("control", window=number, action="volume", value=0.75)
            eventually(lambda: self.window(number)["playback"]["volume"] == 0.75, "bplay is louder")
            control.call("session_save", name="now")
            control.call("close", window=number)
            restored = control.call("session_restore", name="now")["result"]
            again, = restored["started"]
            eventually(lambda: self.window(again).get("playback", {}).get("volume") == 0.75, "as loud as before")
            self.assertEqual(self.window(again)["playback"]["rate"], 1)

    def test_a_film_is_started_again(self):
        self.play_film()
        self.manager.terminate()
        self.manager.wait()
        self.restart()
        with Control(self.port) as control:
            entries = control.call("history")["result"]["entries"]
            self.assertEqual([entry["what"] for entry in entries], ["opened 'clip.mp4'", "resized 'clip.mp4'"], "as it was; the restart is no step")

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

    def test_what_does_not_come_back_is_named(self):
        film = self.clip()
        with Control(self.port) as control:
            control.call("play", media=[str(film)])
            control.call("session_save", name="monday")
        film.unlink()
        restored = self.vitrail("session", "restore", "monday", expect=EXIT_FAILED)
        self.assertEqual(restored.stdout, "0 windows\n")
        self.assertIn("'clip.mp4' did not come back", restored.stderr)
        answer = self.vitrail("session", "restore", "monday", "--json", expect=EXIT_FAILED)
        self.assertEqual(json.loads(answer.stdout)["failed"][0]["title"], "clip.mp4")
        self.assertIn("'clip.mp4' did not come back", self.vitrail("undo", expect=EXIT_FAILED).stderr)

    def test_a_program_of_x11_that_is_a_saved_command_comes_back(self):
        commands = self.folder / "commands.json"
        commands.write_text(json.dumps({"x": {"arguments": [str(BIN / "vitrail-share"), "--run", "--", str(BIN / "x_program")]}}))
        self.manager.terminate()
        self.manager.wait()
        self.manager = self.start_manager("--commands", commands)
        self.wait_for_receivers(*self.receivers)
        with Control(self.port) as control:
            # With a sanitizer, the first X server may take longer than the timeout of a player.
            number = eventually(lambda: control.call("play", source="command/x", place=PLACE).get("result"), "it opens a window")["window"]
            eventually(lambda: self.shown(number), "the program is seen")
            control.call("session_save", name="monday")
            control.call("close", window=number)
            self.assertNotIn("failed", control.call("undo")["result"])
            self.assertEqual(control.call("session_restore", name="monday")["result"]["failed"], [])
        window = self.state()["windows"][0]
        self.assertEqual((window["title"], window["owner"]), ("x_program", "vitrail-share"))
        eventually(lambda: self.shown(window["window"]), "the program is seen again")


class Scenes(WallTest):
    """Switching between saved sessions."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    @staticmethod
    def player_of(film):
        """The process id of the player that shows the film."""
        def shows(pid):
            try:
                return os.fsencode(film) in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:  # it has just ended
                return False
        pid, = [pid for pid in os.listdir("/proc") if pid.isdigit() and shows(pid)]
        return pid

    def test_a_film_that_is_in_both_plays_on(self):
        film = self.clip(seconds=60, rate=10)
        with Control(self.port) as control:
            number = control.call("play", media=[str(film)], place=PLACE)["result"]["window"]
            first_card = control.call("play", media=["test:64x36@10"], place=[200, 100, 64, 36])["result"]["window"]
            self.assertIn("result", control.call("session_save", name="first"))
            control.call("place", windows=[{"window": number, "rect": [100, 60, 160, 90]}])
            control.call("close", window=first_card)
            second_card = control.call("play", media=["test:64x64@10"], place=[0, 0, 64, 64])["result"]["window"]
            self.assertIn("result", control.call("session_save", name="second"))
            control.call("control", window=number, action="seek", value=20)
        eventually(lambda: self.window(number).get("playback", {}).get("position_s", 0) >= 20, "the film has jumped")
        player = self.player_of(film)
        preview = json.loads(self.vitrail("scene", "preview", "first", "--json").stdout)
        self.assertEqual(([window.get("number") for window in preview["windows"]], preview["closed"]),
                         ([number, None], [second_card]))
        shown = json.loads(self.vitrail("scene", "show", "first", "--fade", "0.5", "--json").stdout)
        card, = shown["started"]
        self.assertEqual((shown["kept"], shown["closed"], shown["failed"]), ([number], [second_card], []))
        windows = {window["window"]: window for window in self.state()["windows"]}
        self.assertEqual({one: windows[one]["rect"] for one in windows}, {number: PLACE, card: [200, 100, 64, 36]})
        self.assertGreaterEqual(windows[number]["playback"]["position_s"], 20)
        self.assertEqual(self.player_of(film), player)
        self.wait_for_frames(number)
        self.wait_for_frames(card)
        self.assertEqual(self.vitrail("scene", "show", "second", "--area", "0,0,320x180").stdout, "1 kept, 1 started, 1 closed\n")
        self.assertEqual(self.window(number)["rect"], [100, 60, 160, 90])
        self.vitrail("undo")
        self.assertEqual(self.window(number)["rect"], PLACE)
        self.assertEqual(self.player_of(film), player)

    def test_a_manager_that_is_killed_in_the_middle_of_a_switch(self):
        film = self.clip(seconds=60, rate=10)
        with socket.create_server(("127.0.0.1", 0)) as silent, Control(self.port) as control:
            card = control.call("play", media=["test:64x36@10"], place=[200, 100, 64, 36])["result"]["window"]
            session = control.call("session_get")["result"]
            control.call("close", window=card)
            number = control.call("play", media=[str(film)], place=PLACE)["result"]["window"]
            self.wait_for_frames(number)
            late = json.loads(json.dumps(session["windows"][0]))
            late["number"] += 1
            late["content"]["media"] = [f"rtsp://127.0.0.1:{silent.getsockname()[1]}/late"]
            session["windows"].append(late)
            self.assertIn("result", control.call("session_put", name="late", session=session))

            def saved():
                autosave = control.call("session_get", name="autosave").get("result", {"windows": []})
                return [window["rect"] for window in autosave["windows"]] == [PLACE]
            eventually(saved, "the wall before the switch is saved")
            control.send(json.dumps({"jsonrpc": "2.0", "id": 99, "method": "scene_show", "params": {"name": "late"}}) + "\n")
            eventually(lambda: any(window.get("hidden") for window in self.state()["windows"]), "the card waits for the other source")
            self.assertTrue(self.state()["scene"]["pending"])
            self.manager.kill()
            self.manager.wait()
            self.manager = self.start_manager("--restore", "autosave")
            self.wait_for_receivers(*self.receivers)
            eventually(lambda: [(window["rect"], window.get("hidden")) for window in self.state()["windows"]] == [(PLACE, None)],
                       "the wall is as before the switch, and no window that waited stays")
            self.assertNotIn("openings", self.state())
            self.wait_for_frames(self.state()["windows"][0]["window"])

    def test_a_source_that_is_gone_is_named(self):
        gone = self.clip("gone.mp4", seconds=60, rate=10)
        with Control(self.port) as control:
            card = control.call("play", media=["test:64x36@10"], place=PLACE)["result"]["window"]
            numbers = [control.call("play", media=[str(film)])["result"]["window"]
                       for film in (gone, self.clip("there.mp4", seconds=60, rate=10))]
            for number in numbers:
                self.wait_for_frames(number)
            self.assertIn("result", control.call("session_save", name="monday"))
            control.call("close", windows=numbers)
        gone.unlink()
        shown = self.vitrail("scene", "show", "monday", expect=EXIT_FAILED)
        self.assertEqual(shown.stdout, "1 kept, 1 started, 0 closed\n")
        self.assertIn("'gone.mp4' did not come back", shown.stderr)
        state = self.state()
        windows = [window["window"] for window in state["windows"]]
        self.assertEqual((windows[0], len(windows)), (card, 2))
        self.wait_for_frames(windows[1])  # The film waited, and has started.
        self.assertEqual([one["title"] for one in state["scene"]["failed"]], ["gone.mp4"])


if __name__ == "__main__":
    unittest.main()
