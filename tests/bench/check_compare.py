#!/usr/bin/env python3
"""Checks the conclusions of scripts/bench compare, from simulated machines with known truth and from fake builds."""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from paired_ratios import LEAST_PAIRS, verdict  # noqa: E402

TRIES = 300
PAIRS = 60  # fewer than two minutes give, even on a busy machine of two cores
SLOWER, FASTER, NO_DIFFERENCE = "NEW is slower", "NEW is faster", "No difference was found"

# A fake build whose encoder takes a given number of ns, as noisy as a machine on which others compile.
BUILD = """#!/usr/bin/env python3
import random, sys
import json
draw = random.Random()
place = draw.gauss(0, 0.01)
more = 1 + float(sys.argv[sys.argv.index("--more-work") + 1]) / 100 if "--more-work" in sys.argv else 1
def cost():
    wild = 1.5 if draw.random() < 0.1 else 1
    return round({cost} * more * 2.718281828 ** (place + draw.gauss(0, 0.03)) * wild)
if "--steps" in sys.argv:
    for line in sys.stdin:
        print(cost(), flush=True)
else:
    json.dump([dict(codec="dxt1", side="encode", threads=1, mpixel_per_s=1e9 / cost()),
               dict(codec="dxt1", side="decode", threads=1, mpixel_per_s=1000.0)], open(sys.argv[-1], "w"))
"""


def machine(draw, slowdown, pairs=PAIRS):
    """Returns log ratios of a machine whose speed drifts by half, with 2 % noise, where every tenth run shares its core
    with another process."""
    speed, ratios = 0.0, []
    for _ in range(pairs):
        costs = {}
        for build in draw.sample(("old", "new"), 2):
            speed += draw.gauss(0, 0.002) + 0.25 / pairs
            wild = draw.uniform(0.1, 1) if draw.random() < 0.1 else 0
            costs[build] = speed + draw.gauss(0, 0.02) + wild + (math.log1p(slowdown) if build == "new" else 0)
        ratios.append(costs["new"] - costs["old"])
    return ratios


class Conclusions(unittest.TestCase):
    def share(self, slowdown, of):
        draw = random.Random(20)
        return sum(of(verdict(machine(draw, slowdown))) for _ in range(TRIES)) / TRIES

    def test_equal_builds_are_told_apart_in_less_than_one_of_twenty_tries(self):
        self.assertLess(self.share(0, lambda reported: reported.is_slower or reported.is_faster), 0.05)

    def test_a_slowdown_of_three_percent_is_found_in_nine_of_ten_tries(self):
        self.assertGreater(self.share(0.03, lambda reported: reported.is_slower), 0.9)
        self.assertEqual(self.share(0.03, lambda reported: reported.is_faster), 0)

    def test_how_much_is_within_the_interval(self):
        self.assertGreater(self.share(0.03, lambda reported: reported.least <= 0.03 <= reported.most), 0.95)

    def test_the_fewest_pairs_still_have_an_interval(self):
        reported = verdict([0.01 * n for n in range(LEAST_PAIRS)])
        self.assertTrue(reported.least < reported.estimate < reported.most)
        self.assertTrue(verdict([0.01] * LEAST_PAIRS).is_slower)
        self.assertTrue(verdict([-0.01] * LEAST_PAIRS).is_faster)


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, name, cost):
        path = self.folder / name / "bin" / "codec_bench"
        path.parent.mkdir(parents=True)
        path.write_text(BUILD.format(cost=cost))
        path.chmod(0o755)
        return self.folder / name

    def compare(self, *words, expect):
        done = subprocess.run([sys.executable, HERE / "compare.py", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_frame_by_frame(self):
        old, new = self.build("old", 1e6), self.build("new", 1.2e6)
        for one, other, reported, code in ((old, new, SLOWER, 1), (new, old, FASTER, 0)):
            self.assertIn(reported, self.compare(one, other, "--width", 5, expect=code))

    def test_several_tries_with_more_work(self):
        build = self.build("old", 1e6)
        reported = self.compare(build, build, "--width", 5, "--tries", 3, "--more-work", 20, "--json", self.folder / "told.json", expect=1)
        self.assertEqual(reported.count(SLOWER), 3)
        self.assertIn("Of 3 tries 3 found NEW slower, 0 faster, the others no difference", reported)
        self.assertEqual([one["slower"] for one in json.loads((self.folder / "told.json").read_text())["tries"]], [True] * 3)

    def test_whole_benchmarks(self):
        old, new = self.build("old", 1e6), self.build("new", 1.6e6)
        reported = self.compare(old, new, "--width", 30, "--figure", "*/encode/*/mpixel_per_s", "--", "codec", expect=1)
        self.assertIn(SLOWER, reported)

    def test_what_cannot_be_compared(self):
        old = self.build("old", 1e6)
        self.assertIn("has no benchmarks", self.compare(old, self.folder, expect=2))
        self.assertIn("no figure is 'fps'", self.compare(old, old, "--figure", "fps", "--", "codec", expect=2))
        self.assertIn("--tries are at least 1", self.compare(old, old, "--tries", "0", expect=2))
        self.assertIn("needs a --figure", self.compare(old, old, "--", "codec", expect=2))
        (old / "bin/codec_bench").write_text("#!/bin/sh\nexit 3\n")
        self.assertIn("does not know --steps", self.compare(old, old, expect=2))


if __name__ == "__main__":
    unittest.main()
