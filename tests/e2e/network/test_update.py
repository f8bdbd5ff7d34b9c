"""Receivers whose program is replaced while they run, as by a package."""

import os
import shutil

from harness import BIN, EXIT_DONE, NEVER_DROPPED, WallTest, eventually
from test_content import pixels_of

NEXT = f"""#!/bin/sh
[ "$1" = --version ] && echo vitrail-receiver 99.1 && exit
exec "{BIN}/vitrail-receiver" "$@"
"""
QUIET_S = 5


class Update(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [160, 180]}

    def program(self, name):
        return self.folder / name / "vitrail-receiver"

    def start_receiver(self, name, **options):
        program = self.program(name)
        if not program.exists():
            program.parent.mkdir(exist_ok=True)
            shutil.copy(BIN / "vitrail-receiver", program)
            decoder = program.with_name("vitrail-decoder")
            if not decoder.exists():
                decoder.symlink_to(BIN / "vitrail-decoder")
        self.receivers[name] = self.start(program, "--manager", f"127.0.0.1:{self.port}", "--name", name, "--display=null",
                                          **options)
        return self.receivers[name]

    def env(self, **more):
        return super().env(VITRAIL_UPDATE_AFTER_S=str(QUIET_S), **more)

    def install(self, name, text):
        """Replaces the node's program as dpkg does: the running one keeps its file."""
        new = self.folder / f"{name}.new"
        new.write_text(text)
        new.chmod(0o755)
        os.replace(new, self.program(name))

    def waiting(self):
        """The sentences about receivers that run although a newer program is installed, by receiver."""
        problems = self.state()["health"]["problems"]
        return {problem["receiver"]: problem["sentence"] for problem in problems if problem["cause"] == "update"}

    def restart(self, name):
        """What the systemd unit does when the receiver has ended without an error."""
        old = self.receivers[name]
        self.assertEqual(old.wait(60), EXIT_DONE, self.output(old))
        self.start_receiver(name)
        self.wait_for_receivers(name)

    def wall(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        return pixels_of((self.folder / "wall.png").read_bytes())

    def dropped(self, window):
        counts = self.window(window).get("stats", {}).get("dropped", {})
        return {cause: counts.get(cause, 0) for cause in NEVER_DROPPED}

    def test_a_film_plays_to_its_pause_and_no_frame_is_lost(self):
        _, window = self.play("--loop", "--place", "0,0,328x180", self.clip(rate=10))
        self.wait_for_frames(window)
        before = self.dropped(window)
        for name in self.receivers:
            self.install(name, NEXT)
        eventually(lambda: self.waiting().keys() == self.receivers.keys(), "both receivers are named")
        self.assertIn("99.1", self.waiting()["node1"])
        self.assertIn("99.1", self.vitrail("status").stdout)
        self.assertIn("99.1", self.vitrail("why").stdout)
        self.wait_for_frames(window, 10 * 3 * QUIET_S)
        for receiver in self.receivers.values():
            self.assertIsNone(receiver.poll(), self.output(receiver))
        self.assertEqual(self.dropped(window), before)
        self.vitrail("pause", window)
        picture = self.wall()
        self.assertGreater(max(picture), 100)
        for name in self.receivers:
            self.restart(name)
        eventually(lambda: self.wall() == picture, "the picture of the paused film is back")
        eventually(lambda: not self.waiting(), "no receiver waits")
        self.vitrail("resume", window)
        self.wait_for_frames(window)

    def test_a_program_that_does_not_start_is_not_waited_for(self):
        self.install("node1", "#!/bin/sh\nexit 127\n")
        old = self.receivers["node1"]
        eventually(lambda: "does not start" in self.output(old), "the broken program is logged")
        self.assertEqual(self.waiting(), {})
        self.install("node1", NEXT)
        self.restart("node1")
        self.assertIsNone(self.receivers["node2"].poll())

    def test_pictures_stay_while_the_manager_is_away(self):
        _, window = self.play("--loop", "--place", "0,0,160x180", self.clip(rate=10))
        self.wait_for_frames(window)
        self.vitrail("pause", window)
        self.manager.kill()
        for name in self.receivers:
            self.install(name, NEXT)
        # Node 2 shows nothing. Each of its ends proves that the time has passed in which node 1 would have ended.
        for _ in range(2):
            old = self.receivers["node2"]
            self.assertEqual(old.wait(60), EXIT_DONE, self.output(old))
            self.program("node2").unlink()
            self.start_receiver("node2")
            self.install("node2", NEXT)
        self.assertIsNone(self.receivers["node1"].poll(), self.output(self.receivers["node1"]))
        self.manager = self.start_manager()
        self.restart("node1")

    def test_a_program_that_is_replaced_while_it_starts_is_noticed(self):
        self.receivers["node1"].terminate()
        self.receivers["node1"].wait(60)
        with open(self.program("node1"), "rb") as earlier:
            self.install("node1", NEXT)
            self.start_receiver("node1", executable=f"/proc/{os.getpid()}/fd/{earlier.fileno()}")
            self.restart("node1")
