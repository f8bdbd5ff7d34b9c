"""Manager, standby, receivers and senders are cut from each other in every way, each machine's clock jumps, and all heals.

`Cuts` and `CutsInThree` run with all tests: each row of the README's table. `AllCuts` takes most of an hour and is run by hand:

    PYTHONPATH=.:console:films:network python3 -m unittest -v test_cuts.AllCuts
"""

import itertools
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import typing
import unittest

from harness import PATIENCE_S, ROOT, eventually
from machines import why_not
from parted_wall import PARTIES, PartedWall

WHY_NOT = why_not()
HOUR_S = 3600
GOAL_S = 5  # until all is back
DURATIONS_S = (1, 3, 12)
TAKEN_OVER_S = 3  # a cut of this length makes the standby take over if it may
README = ROOT / "manager" / "failover" / "README.md"


def partitions(parties, count):
    """All ways to divide the parties into `count` sides, each in the order of `parties`."""
    if not parties:
        return [()] if count == 0 else []
    one, *rest = parties
    alone = [((one,), *sides) for sides in partitions(rest, count - 1)] if count else []
    joined = [(*sides[:i], (one, *sides[i]), *sides[i + 1:]) for sides in partitions(rest, count) for i in range(len(sides))]
    return sorted(alone + joined, key=lambda sides: [[PARTIES.index(party) for party in side] for side in sides])


class Cut(typing.NamedTuple):
    sides: tuple
    seconds: int
    # Index of the side whose messages to the other one are lost; None: all messages between sides are lost.
    mute: typing.Optional[int] = None
    healed: tuple = ()  # the lines between two sides, in the order in which they heal

    @property
    def name(self):
        sides = "_from_".join("_".join(side) for side in self.sides)
        mute = "" if self.mute is None else "_one_way_" + "_".join(self.sides[self.mute])
        order = "_healed_" + "".join(f"{a + 1}{b + 1}_" for a, b in self.healed) if len(self.sides) > 2 else ""
        return f"test_{sides}{mute}_{self.seconds}_s{order}".rstrip("_")

    def lines(self):
        """(index, index) of sides that hear nothing of each other; every pair needs both ways for a connection."""
        return tuple(itertools.combinations(range(len(self.sides)), 2))

    def joins(self, *parties):
        return any(set(parties) <= set(side) for side in self.sides)

    def lets_take_over(self):
        """The standby and the receivers miss the manager, and reach each other."""
        return self.joins("standby", "receivers") and not self.joins("manager", "standby")

    def keeps_window(self, ruler):
        """A program that the manager misses for longer than a few seconds has lost its window, if there are receivers."""
        short = self.seconds <= (1 if self.mute is not None else TAKEN_OVER_S)
        return short or self.joins(ruler, "senders") or not self.joins(ruler, "receivers")

    def row(self):
        """The table's row for this cut if it lasts."""
        ruler = "standby" if self.lets_take_over() else "manager"
        film = "continues" if self.joins("senders", "receivers") else "stops"
        return f"| {' / '.join(', '.join(side) for side in self.sides)} | {ruler} | {film} |"


def two_sided(seconds):
    return [Cut(sides, seconds, mute, ((0, 1),)) for sides in partitions(PARTIES, 2) for mute in (None, 0, 1)]


def three_sided(seconds):
    return [Cut(sides, seconds, None, order) for sides in partitions(PARTIES, 3)
            for order in itertools.permutations(Cut(sides, seconds).lines())]


def all_cuts():
    return [cut for seconds in DURATIONS_S for cut in two_sided(seconds) + three_sided(seconds)]


def quick_cuts(count):
    """Each cut into `count` sides once, just as long as something happens, and healed in an order of its own."""
    cuts = []
    for number, sides in enumerate(partitions(PARTIES, count)):
        orders = list(itertools.permutations(Cut(sides, 0).lines()))
        cuts.append(Cut(sides, TAKEN_OVER_S if Cut(sides, 0).lets_take_over() else 1, None, orders[number % len(orders)]))
    return cuts


class CutTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.wall = PartedWall(self.folder)
        self.addCleanup(self.wall.end)
        self.wall.begin()
        self.asked = {}  # what the window's left edge was set to, by the manager that accepted

    def run_cut(self, cut, number):
        try:
            self.cut_and_heal(cut, number)
        except (AssertionError, subprocess.TimeoutExpired) as failure:
            raise AssertionError(f"{cut.name[5:]}: {failure}\n{self.wall.explained()}") from failure

    def cut_and_heal(self, cut, number):
        player, = self.wall.players()
        party = PARTIES[number % len(PARTIES)]
        self.cut(cut)
        self.wall.set_clock(party, HOUR_S if number % 2 else -HOUR_S)
        self.wall.look_for(cut.seconds)
        self.check_meanwhile(cut)
        self.move()
        for line in cut.healed:
            self.heal(cut, line)
            if line != cut.healed[-1]:
                self.wall.look_for(1)
        self.wall.set_clock(party, 0)
        self.check_after(cut, player)

    def cut(self, cut):
        for a, b in cut.lines():
            if cut.mute in (None, a):
                self.wall.block(cut.sides[a], cut.sides[b])
            if cut.mute in (None, b):
                self.wall.block(cut.sides[b], cut.sides[a])

    def heal(self, cut, line):
        a, b = line
        if cut.mute in (None, a):
            self.wall.block(cut.sides[a], cut.sides[b], False)
        if cut.mute in (None, b):
            self.wall.block(cut.sides[b], cut.sides[a], False)

    def check_meanwhile(self, cut):
        if cut.lets_take_over() and cut.seconds >= TAKEN_OVER_S:
            eventually(lambda: "standby" in self.wall.look(), "the standby takes over")
        elif not cut.lets_take_over():
            self.assertEqual(set(self.wall.look()), {"manager"})
        if cut.joins("senders", "receivers"):
            before = self.wall.received_bytes()
            frames = 10 * 640 * 180 // 2  # in DXT1
            eventually(lambda: self.wall.look() and self.wall.received_bytes() > before + frames, "the film goes on")

    def move(self):
        """Asks each manager that rules to move the window, to a place of its own."""
        for left, name in enumerate(self.wall.look(), 1):
            if self.wall.ask(name, "move", 1, left, 0).returncode == 0:
                self.asked[name] = left

    def check_after(self, cut, player):
        began = time.monotonic()
        patience = max(GOAL_S, PATIENCE_S)
        ruler, window = eventually(self.whole, "one manager has everything", patience)
        self.wall.wait_for_frames(2)
        eventually(lambda: len(self.wall.players()) == 1, "one program shows the film", patience)
        eventually(self.stands_by, "the other manager stands by", patience)
        print(f"{cut.name[5:]}: {ruler} rules, all is back after {time.monotonic() - began:.1f} s")
        for term, names in self.wall.rulers.items():
            self.assertEqual(len(names), 1, f"term {term}")
        if cut.joins("senders", "receivers"):
            self.assertEqual(self.wall.players(), [player], "it is the same stream")
        if ruler == "standby" and "manager" in self.asked:
            eventually(lambda: "lost with the former manager" in self.wall.ask(ruler, "history").stdout, "lost changes are told",
                       patience)
        if ruler in self.asked and cut.keeps_window(ruler):
            self.assertEqual(window["rect"][0], self.asked[ruler], "what its people changed is kept")

    def whole(self):
        """(name of the only ruler, the window), if all receivers and the film are with this manager."""
        rulers = self.wall.look()
        if len(rulers) != 1:
            return None
        ruler, = rulers
        self.wall.asked_at = self.wall.at[ruler]
        state = self.wall.state()
        connected = [receiver for receiver in state["receivers"] if receiver["connected"]]
        return (ruler, state["windows"][0]) if len(connected) == 2 and len(state["windows"]) == 1 else None

    def stands_by(self):
        return self.wall.look() and self.wall.listed().get("standby", {}).get("connected", False)


def tests_of(cuts):
    """Gives a class one test for each cut."""
    def add(test):
        for number, cut in enumerate(cuts):
            setattr(test, cut.name, lambda self, cut=cut, number=number: self.run_cut(cut, number))
        return test
    return add


@unittest.skipIf(WHY_NOT, WHY_NOT)
@tests_of(quick_cuts(2))
class Cuts(CutTest):
    """Cuts in two."""


@unittest.skipIf(WHY_NOT, WHY_NOT)
@tests_of(quick_cuts(3))
class CutsInThree(CutTest):
    """Cuts in three."""


@unittest.skipIf(WHY_NOT, WHY_NOT)
@tests_of(all_cuts())
class AllCuts(CutTest):
    """All of them, in both ways and one way, healed in every order."""


class Table(unittest.TestCase):
    def test_the_readme_lists_all_cuts(self):
        told = re.findall(r"^\| [a-z, ]+ / .*\|$", README.read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(told, [Cut(sides, TAKEN_OVER_S).row() for count in (2, 3) for sides in partitions(PARTIES, count)])


if __name__ == "__main__":
    unittest.main()
