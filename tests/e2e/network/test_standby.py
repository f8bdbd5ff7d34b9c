"""The standby takes over from a lost manager, without a visible effect on the wall."""

import json
import os
import pathlib
import shutil
import signal
import time
import unittest

from harness import EXIT_FAILED, EXIT_NO_MANAGER, NEVER_DROPPED, WallTest, eventually, run

EXIT_OUTRUN = 4


class Standby(WallTest):
    def setUp(self):
        super().setUp()
        self.standby = self.stand_by("second", self.port)
        self.standby_port = int((self.folder / "second.port").read_text())

    def env(self, **more):
        return super().env(VITRAIL_KEY="a secret of sixteen", **more)

    def stand_by(self, name, primary, port=0):
        port_file = self.folder / f"{name}.port"
        standby = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", f"127.0.0.1:{port}", "--port-file",
                             port_file, "--page", "off", "--state", self.folder / name, "--standby-of",
                             f"127.0.0.1:{primary}")
        eventually(lambda: any(word in self.output(standby) for word in ("standing by for", "ready on")) or
                   standby.poll() is not None, "it follows, or rules")
        return standby

    def saved(self):
        autosave = self.folder / "second" / "sessions" / "autosave.json"
        return json.loads(autosave.read_text())["windows"] if autosave.exists() else []

    def rects(self):
        return {window["window"]: window["rect"] for window in self.state()["windows"]}

    def figures(self, number):
        return eventually(lambda: self.window(number).get("stats"), "the film has figures")

    def wait_for_takeover(self, began):
        eventually(lambda: "ready on" in self.output(self.standby), "the standby takes over")
        decided_ms = (time.monotonic() - began) * 1e3
        self.port = self.standby_port
        self.wait_for_receivers(*self.receivers)
        print(f"standby: a manager after {decided_ms:.0f} ms, all receivers with it after "
              f"{(time.monotonic() - began) * 1e3:.0f} ms")

    def assert_nothing_lost(self, before, after):
        for cause in NEVER_DROPPED:
            self.assertEqual(after["dropped"][cause], before["dropped"][cause], cause)

    def test_a_manager_is_killed(self):
        player, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        self.vitrail("move", number, 10, 20)
        place = self.window(number)["rect"]
        eventually(lambda: [w["rect"] for w in self.saved()] == [place], "the standby knows of it")
        self.wait_for_frames(number)
        before = self.figures(number)
        began = time.monotonic()
        self.manager.kill()
        self.manager.wait()
        self.wait_for_takeover(began)
        eventually(lambda: self.rects() == {number: place}, "the window is there, under its number")
        self.wait_for_frames(number)
        after = self.figures(number)
        self.assertGreater(after["frames_shown"], before["frames_shown"], "it is the same stream")
        self.assert_nothing_lost(before, after)
        self.vitrail("undo")
        eventually(lambda: self.rects() == {number: [0, 2, 648, 364]}, "what was done before can be undone")
        self.assertNotIn("jumps", self.output(player), "wall time goes on")
        self.assertIsNone(player.poll())

    def test_a_manager_hangs_and_comes_back(self):
        self.vitrail("play", "test:320x180@30")
        number, = eventually(self.rects, "the window is there")
        eventually(lambda: len(self.saved()) == 1, "the standby knows of it")
        self.wait_for_frames(number)
        place, before = self.rects(), self.figures(number)
        began = time.monotonic()
        self.manager.send_signal(signal.SIGSTOP)
        self.wait_for_takeover(began)
        eventually(lambda: self.rects() == place, "the window is there, under its number")
        self.manager.send_signal(signal.SIGCONT)
        self.assertEqual(self.manager.wait(30), EXIT_OUTRUN, self.output(self.manager))
        self.assertIn("took over this wall", self.output(self.manager))
        self.wait_for_frames(number, more=60)
        self.assertEqual(self.rects(), place, "the player that it had started goes on")
        self.assert_nothing_lost(before, self.figures(number))
        self.assertTrue(all(r["connected"] for r in self.state()["receivers"]))
        # The restarted first manager becomes a standby of the second.
        back = self.stand_by("first", self.port)
        self.assertIsNone(back.poll(), self.output(back))

    def test_a_standby_that_took_over_and_is_killed_rules_again_by_the_same_command(self):
        _, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        eventually(lambda: len(self.saved()) == 1, "the standby knows of it")
        first, place = self.port, self.rects()
        self.manager.kill()
        self.manager.wait()
        self.wait_for_takeover(time.monotonic())
        eventually(lambda: self.rects() == place, "the window is there")
        self.standby.kill()
        self.standby.wait()
        again = self.stand_by("second", first, self.standby_port)
        eventually(lambda: "ready on" in self.output(again), "it rules, although the first manager is lost")
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.rects() == place, "the window is there, under its number")
        self.wait_for_frames(number)

    def test_a_standby_that_took_over_before_stays_for_the_next_wall(self):
        first = self.port
        self.manager.kill()
        self.manager.wait()
        self.wait_for_takeover(time.monotonic())
        back = self.stand_by("first", self.standby_port, first)
        self.standby.kill()
        self.standby.wait()
        eventually(lambda: "ready on" in self.output(back), "the first manager takes over")
        self.port = first
        self.wait_for_receivers(*self.receivers)
        again = self.stand_by("second", first, self.standby_port)
        follows = "standing by for the manager at"
        eventually(lambda: self.output(again).count(follows) == 1, "it follows the first manager")
        self.vitrail("down")
        self.assertEqual(back.wait(30), 0, self.output(back))
        self.start("vitrail-manager", "--wall", self.wall_file, "--listen", f"127.0.0.1:{first}", "--page", "off",
                   "--state", self.folder / "first")
        eventually(lambda: self.output(again).count(follows) == 2, "it follows the next manager")

    def test_a_standby_that_stands_still_for_ten_seconds_stands_by_again(self):
        _, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        self.wait_for_frames(number)
        before = self.figures(number)
        stands_by = lambda: self.state().get("standby", {}).get("connected", False)
        self.assertTrue(stands_by())
        self.standby.send_signal(signal.SIGSTOP)
        eventually(lambda: not stands_by(), "the manager misses it")
        self.wait_for_frames(number, more=300)  # at 30 a second
        self.standby.send_signal(signal.SIGCONT)
        eventually(stands_by, "it is back")
        self.assertNotIn("taking over", self.output(self.standby), "it was itself that stood still")
        self.assert_nothing_lost(before, self.figures(number))
        self.assertTrue(all(r["connected"] for r in self.state()["receivers"]))
        self.assertIsNone(self.manager.poll(), self.output(self.manager))
        began = time.monotonic()
        self.manager.kill()
        self.manager.wait()
        self.wait_for_takeover(began)
        eventually(lambda: number in self.rects(), "the window is there")

    def test_people_and_saved_urls_go_over_and_the_console_finds_them(self):
        self.vitrail("source", "save", "rtsp://camera.example/door", "--title", "Door")
        password = self.folder / "password"
        password.write_text("correct horse\n")
        self.vitrail("user", "add", "ann", "--role", "viewer", "--password-file", password)
        kept = [self.folder / "second" / name for name in ("people.json", "urls.json")]
        eventually(lambda: all(file.exists() for file in kept) and "ann" in kept[0].read_text(), "the standby knows")
        self.manager.kill()
        self.manager.wait()
        eventually(lambda: "ready on" in self.output(self.standby), "the standby takes over")
        # The console knows only the lost manager's address, and finds the standby.
        self.assertIn("ann", self.vitrail("user", "list").stdout)
        self.assertIn("Door", self.vitrail("source", "ls").stdout)
        self.vitrail("down")
        self.assertEqual(self.standby.wait(30), 0, self.output(self.standby))

    def test_the_console_is_told_of_a_standby_by_the_environment(self):
        self.manager.kill()
        self.manager.wait()
        eventually(lambda: "ready on" in self.output(self.standby), "the standby takes over")
        shutil.rmtree(self.folder / "vitrail", ignore_errors=True)
        self.vitrail("ls", expect=EXIT_NO_MANAGER)
        reported = run("vitrail", "ls", env=self.env(VITRAIL_STANDBY=f"127.0.0.1:{self.standby_port}"))
        self.assertEqual(reported.returncode, 0, reported.stderr)

    def test_a_wall_that_is_taken_down_stays_down(self):
        self.vitrail("down")
        self.manager.wait(30)
        eventually(lambda: "is shutting down the wall" in self.output(self.standby), "the standby hears of it")
        self.standby.terminate()
        self.assertEqual(self.standby.wait(30), 0)
        self.assertNotIn("taking over", self.output(self.standby))

    def test_what_cannot_be_followed(self):
        other = self.folder / "other.json"
        other.write_text(json.dumps({"name": "other", "grid": self.grid}))

        def refusal(wall):
            result = run("vitrail-manager", "--wall", wall, "--listen", "127.0.0.1:0", "--page", "off", "--state",
                         self.folder / "third", "--standby-of", f"127.0.0.1:{self.port}", env=self.env())
            self.assertEqual(result.returncode, EXIT_FAILED, result.stderr)
            return result.stderr
        self.assertIn("already has a standby", refusal(self.wall_file))
        self.end(self.standby)
        eventually(lambda: "'other'" in refusal(other), "the wall is another one")


class StandbyWithUploads(Standby):
    """Each manager has its own upload folder, as on two hosts."""

    test_a_manager_is_killed = None
    test_a_manager_hangs_and_comes_back = None
    test_a_standby_that_took_over_and_is_killed_rules_again_by_the_same_command = None
    test_a_standby_that_took_over_before_stays_for_the_next_wall = None
    test_a_standby_that_stands_still_for_ten_seconds_stands_by_again = None
    test_people_and_saved_urls_go_over_and_the_console_finds_them = None
    test_the_console_is_told_of_a_standby_by_the_environment = None
    test_a_wall_that_is_taken_down_stays_down = None
    test_what_cannot_be_followed = None

    def start_manager(self, *more):
        for number in (1, 2):
            (self.folder / f"uploads{number}").mkdir(exist_ok=True)
        return super().start_manager("--uploads", self.folder / "uploads1", *more)

    def stand_by(self, name, primary):
        port_file = self.folder / f"{name}.port"
        standby = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--port-file",
                             port_file, "--page", "127.0.0.1:0", "--state", self.folder / name, "--standby-of",
                             f"127.0.0.1:{primary}", "--uploads", self.folder / "uploads2")
        eventually(lambda: "standing by for" in self.output(standby), "it follows")
        return standby

    def upload(self, name):
        film = self.clip(name)
        source = json.loads(self.vitrail("upload", film, "--json").stdout)["source"]
        self.assertEqual(source, f"uploads/{name}")
        return source

    def test_what_was_uploaded_plays_on_and_what_comes_then_goes_to_who_rules(self):
        first = self.upload("first.mp4")
        self.vitrail("play", first, "--source", "--loop")
        number, = eventually(self.rects, "it plays")
        eventually(lambda: len(self.saved()) == 1, "the standby knows of it")
        self.wait_for_frames(number)
        self.manager.kill()
        self.manager.wait()
        self.wait_for_takeover(time.monotonic())
        self.wait_for_frames(number, more=30)
        refused = self.vitrail("play", first, "--source", expect=EXIT_FAILED)
        self.assertIn("first.mp4", refused.stderr, "it is on the other host's disk")
        second = self.upload("second.mp4")
        self.assertIn(second, self.vitrail("source", "ls").stdout)
        self.vitrail("play", second, "--source")
        eventually(lambda: len(self.rects()) == 2, "it plays, too")
        self.assertEqual([file.name for file in (self.folder / "uploads2").iterdir()], ["second.mp4"])

    def test_an_upload_that_a_takeover_interrupts_begins_anew(self):
        film = self.clip("large.mp4")
        room = 256 << 20
        with open(film, "ab") as file:
            file.write(room.to_bytes(4, "big") + b"free")  # a box that players skip
            file.truncate(film.stat().st_size + room)
        upload = self.start("vitrail", "upload", film)
        eventually(lambda: any(file.stat().st_size for file in (self.folder / "uploads1").rglob("*")), "a part is there")
        self.manager.kill()
        self.manager.wait()
        self.assertEqual(upload.wait(30), EXIT_NO_MANAGER, self.output(upload))
        self.assertIn("start over at the standby", self.output(upload))
        eventually(lambda: "ready on" in self.output(self.standby), "the standby takes over")
        self.vitrail("upload", film)
        self.assertEqual((self.folder / "uploads2" / "large.mp4").stat().st_size, film.stat().st_size)


class StandbyOfLaunched(WallTest):
    """The first manager started the receivers, as `vitrail up` does."""

    manager_options = ("--launch", "--display", "null")

    def receiver_names(self):
        return []

    def state(self):
        """The state by the console, which finds the standby."""
        return json.loads(self.vitrail("ls", "--json").stdout)

    def launched(self):
        """The receivers of this test's wall, by their environment."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                line = (entry / "cmdline").read_bytes().split(b"\0")
                ours = str(self.folder).encode() in (entry / "environ").read_bytes()
            except OSError:
                continue
            if ours and os.path.basename(line[0]) == b"vitrail-receiver":
                found.append(int(entry.name))
        return found

    def end_launched(self):
        for pid in self.launched():
            os.kill(pid, signal.SIGKILL)

    def test_its_receivers_end_with_the_wall_that_the_standby_has(self):
        self.addCleanup(self.end_launched)
        names = [f"node{i + 1}" for i in range(4)]
        self.wait_for_receivers(*names)
        before = sorted(self.launched())
        standby = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "off",
                             "--state", self.folder / "second", "--standby-of", f"127.0.0.1:{self.port}")
        eventually(lambda: "standing by for" in self.output(standby), "it follows")
        self.state()
        self.manager.kill()
        self.manager.wait()
        eventually(lambda: "ready on" in self.output(standby), "the standby takes over")
        self.wait_for_receivers(*names)
        self.assertEqual(sorted(self.launched()), before, "they are the same")
        self.vitrail("down")
        self.assertEqual(standby.wait(30), 0, self.output(standby))
        eventually(lambda: not self.launched(), "they have ended")


if __name__ == "__main__":
    unittest.main()
