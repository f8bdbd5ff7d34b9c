"""One window from several programs: the MPI example, and players that each play a band of a film."""

import os
import re
import shutil
import signal
import subprocess
import unittest

from harness import BIN, PATIENCE_S, WallTest, eventually


class Parallel(WallTest):
    def parts(self):
        windows = self.state()["windows"]
        return [part["state"] for part in windows[0].get("parts", [])] if len(windows) == 1 else []

    @unittest.skipUnless((BIN / "mandelbrot_mpi").exists() and shutil.which("mpirun"),
                         "there is no MPI here: the example was left out")
    def test_ranks_of_mpi_show_one_window(self):
        command = ["mpirun", "-n", "4", "--oversubscribe", "--allow-run-as-root", "--mca", "btl", "self,vader"]
        # Leaks of Open MPI's plugins are reported after the plugins are unloaded, so no suppression can name them.
        env = self.env(ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
        with subprocess.Popen([*command, BIN / "mandelbrot_mpi", "400", "640", "360"], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as ranks:
            eventually(lambda: self.parts() == ["there"] * 4 or ranks.poll() is not None, "four ranks in one window")
            output, _ = ranks.communicate(timeout=PATIENCE_S)
        self.assertEqual(ranks.returncode, 0, output)
        self.assertRegex(output, r"400 frames in .* a second")
        self.assertNotRegex(output, r"(?i)warning|error", "that the window is closed for all of them is no mistake")
        eventually(lambda: not self.state()["windows"], "it ends with them")

    def start_players(self, *more):
        film = self.clip(seconds=4)
        players = [self.start("bplay", "--loop", "--part", f"{k}/3", *more, film) for k in (1, 2, 3)]
        eventually(lambda: self.parts() == ["there"] * 3, "three players in one window")
        return players, self.state()["windows"][0]["window"]

    def test_a_player_that_is_killed_is_reported_and_may_come_back(self):
        players, window = self.start_players("--absent", "dark")
        self.wait_for_frames(window)
        os.kill(players[1].pid, signal.SIGKILL)
        eventually(lambda: self.parts() == ["there", "gone", "there"], "it is reported")
        self.wait_for_frames(window)
        said = r"rank 1 of 3 \(bplay\) has been gone since \d\d:\d\d:\d\d: its part is dark"
        self.assertRegex(self.vitrail("ls").stdout, rf"window {window}: {said}")
        self.assertGreater(self.state()["windows"][0]["parts"][1]["since_s"], 0)
        for words in (["why", str(window)], ["why"]):
            eventually(lambda w=words: re.search(said, self.vitrail(*w).stdout), "a sentence about it")
        self.start("bplay", "--loop", "--part", "2/3", "--absent", "dark", self.folder / "clip.mp4")
        eventually(lambda: self.parts() == ["there"] * 3, "it is back")
        self.wait_for_frames(window)
        self.assertNotIn("rank", self.vitrail("ls").stdout)
        self.vitrail("close", str(window))
        eventually(lambda: players[0].poll() == 0 and players[2].poll() == 0, "it is closed for all")

    def test_a_manager_that_hangs_or_dies_finds_all_players_in_one_window(self):
        players, window = self.start_players()
        self.wait_for_frames(window)
        self.manager.send_signal(signal.SIGSTOP)
        for player in players:
            eventually(lambda p=player: "lost the manager" in self.output(p), "bplay says so")
        self.manager.send_signal(signal.SIGCONT)
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.parts() == ["there"] * 3, "all are back")
        self.wait_for_frames(window)
        self.manager.kill()
        self.manager.wait()
        for player in players:
            eventually(lambda p=player: self.output(p).count("lost the manager") == 2, "bplay says so again")
        self.manager = self.start_manager()
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.parts() == ["there"] * 3, "all are with the next one")
        self.assertEqual(self.state()["windows"][0]["window"], window)
        self.wait_for_frames(window)

    def test_all_wait_for_a_player_that_stands_still(self):
        players, window = self.start_players()
        self.wait_for_frames(window)
        players[2].send_signal(signal.SIGSTOP)
        eventually(lambda: self.parts() == ["there", "there", "silent"], "it is reported")
        self.assertRegex(self.vitrail("ls").stdout,
                         r"rank 2 of 3 \(bplay\) has submitted no frames since [\d:]+: the others wait for it")
        eventually(lambda: self.window(window)["fps"] == 0, "no frame is shown without its part")
        players[2].send_signal(signal.SIGCONT)
        eventually(lambda: self.parts() == ["there"] * 3, "it goes on")
        self.wait_for_frames(window)


if __name__ == "__main__":
    unittest.main()
