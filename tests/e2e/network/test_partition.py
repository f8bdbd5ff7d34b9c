"""The network between manager and standby is cut for longer than the standby's timeout, and then restored."""

import pathlib
import shutil
import tempfile
import time
import unittest

from cut_wall import CutWall
from harness import eventually
from machines import why_not

WHY_NOT = why_not()
EXIT_OUTRUN = 4


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Partition(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.wall = CutWall(self.folder)
        self.addCleanup(self.wall.end)
        self.manager = self.wall.begin()

    def cut_for(self, seconds):
        self.wall.cut(True)
        began = time.monotonic()
        eventually(lambda: "ready on" in self.wall.said("second"), "the standby takes over")
        eventually(lambda: time.monotonic() - began > seconds, "the time is over")
        self.wall.cut(False)
        self.wall.asked_at = self.wall.second

    def is_whole_again(self):
        self.assertEqual(self.manager.wait(30), EXIT_OUTRUN, self.wall.said("first"))
        self.wall.wait_for_frames()
        eventually(lambda: len(self.wall.state()["windows"]) == 1, "there is one window")
        eventually(lambda: len(self.wall.players()) == 1, "one program shows it")

    def test_a_short_one_and_the_former_manager_sends_to_the_one_that_rules(self):
        self.cut_for(3)
        self.is_whole_again()
        self.wall.start_manager("again", self.wall.first, "--standby-of", f"{self.wall.second}:7440")
        eventually(lambda: "stands by for" in self.wall.said("again"), "it stands by")
        late = self.wall.start("late", self.wall.third, "bplay", "--manager", f"{self.wall.first}:7440", "test:64x64@5")
        eventually(lambda: len(self.wall.state()["windows"]) == 2, "its window opens")
        self.assertIsNone(late.poll(), self.wall.said("late"))

    def test_a_long_one_after_which_another_player_shows_the_film(self):
        self.cut_for(12)
        self.is_whole_again()


if __name__ == "__main__":
    unittest.main()
