#!/usr/bin/env python3
"""Says whether one of two builds is slower than the other, with a confidence interval.

Both run in turns on this machine, so that whatever else it does is the same for both. Without a benchmark the DXT
encoder is compared: two processes encode a frame each in turns, and are restarted every second or so, since where a
process's memory lies makes it faster or slower for all its life. With one, "-- NAME OPTIONS", it runs as a whole, once
with each build in turns, and --figure says which of the figures of its --json counts.
"""

import argparse
import contextlib
import fnmatch
import itertools
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sail/bindings/python"), str(ROOT / "ui/lab"), str(ROOT / "tests/bench")]

from paired_ratios import CONFIDENCE, LEAST_PAIRS, verdict  # noqa: E402
from vitrail_lab.figures import flat  # noqa: E402

STEPS = 100  # frames of each of the two processes; they take as long as its start
PROGRAM = "{}_bench"
MORE_IS_BETTER = re.compile(r"(per_s|fps\w*|psnr_db)$")
LESS_IS_BETTER = re.compile(r"(_s|_ms|_us|_mb|_pct|ms_p\d\d|us_p\d\d|cpu_ms_per_frame_\w+|dropped|lost)$")
EXIT_DONE, EXIT_SLOWER, EXIT_USAGE = 0, 1, 2


def fail(text):
    print(f"bench compare: {text}", file=sys.stderr)
    sys.exit(EXIT_USAGE)


def in_any_order(old, new, order):
    sides = [("old", old), ("new", new)]
    return sides if order.random() < 0.5 else sides[::-1]


# --- frame by frame -----------------------------------------------------------------------------


class Steps:
    """A process that encodes a frame on request."""

    def __init__(self, build, options, more_work):
        self.process = subprocess.Popen([build / PROGRAM.format("codec"), "--steps", options.mode, "--codec", options.codec,
                                         "--content", "photo", *(["--quick"] if options.quick else []),
                                         *(["--more-work", str(more_work)] if more_work else [])],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def cost(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            return int(self.process.stdout.readline())
        except (OSError, ValueError):
            fail(f"{self.process.args[0]} does not know --steps, or has ended")

    def end(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def step_pair(old, new, options, order):
    """Returns ln(new / old), the median over frames encoded side by side."""
    sides = in_any_order(old, new, order)
    processes = {}
    try:
        for side, build in sides:
            processes[side] = Steps(build, options, options.more_work if side == "new" else 0)
        ratios = []
        for turn in range(STEPS):
            costs = {side: processes[side].cost() for side, _ in (sides if turn % 2 else sides[::-1])}
            if turn:  # the first frame includes drawing the picture
                ratios.append(math.log(costs["new"] / costs["old"]))
        return statistics.median(ratios)
    finally:
        for process in processes.values():
            process.end()


# --- whole benchmarks ---------------------------------------------------------------------------


def named(rows):
    """Names the rows of a list by their text fields and threads."""
    if not isinstance(rows, list):
        return dict(flat(rows))
    return {"/".join([*(str(value) for value in row.values() if isinstance(value, str)), str(row.get("threads", "")), name]): value
            for row in rows for name, value in flat(row)}


def whole_run(build, words, figure):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "figures.json"
        done = subprocess.run([build / PROGRAM.format(words[0]), *words[1:], "--json", path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            fail(f"{build}: {done.stderr.strip()[-500:]}")
        figures = named(json.loads(path.read_text()))
    chosen = [(name, value) for name, value in figures.items() if fnmatch.fnmatchcase(name, figure)]
    if not chosen:
        fail(f"no figure is {figure!r}: there are {', '.join(itertools.islice(figures, 40))}")
    return math.fsum(math.log(cost_of(name, value)) for name, value in chosen) / len(chosen)


def cost_of(name, value):
    if value <= 0:
        fail(f"{name} is {value:g}, of which no ratio can be told")
    if MORE_IS_BETTER.search(name):
        return 1 / value
    if not LESS_IS_BETTER.search(name):
        fail(f"of {name} it is not known whether more is better")
    return value


def run_pair(old, new, words, figure, order):
    costs = {side: whole_run(build, words, figure) for side, build in in_any_order(old, new, order)}
    return costs["new"] - costs["old"]


# --- both ---------------------------------------------------------------------------------------


def pairs_until(one_pair, options, tell):
    """Measures pairs until the interval is narrow enough, or the time is over. The end does not depend on the
    result, so the confidence is valid."""
    begun = time.monotonic()
    pairs = []
    while True:
        pairs.append(one_pair())
        spent = time.monotonic() - begun
        if len(pairs) >= LEAST_PAIRS:
            reported = verdict(pairs)
            tell(f"{len(pairs)} pairs, {spent:.0f} s: {100 * reported.least:+.2f} to {100 * reported.most:+.2f} %")
            if reported.half_width <= options.width / 100 or spent * (1 + 1 / len(pairs)) > options.seconds:
                return pairs
        elif spent > 4 * options.seconds:
            fail(f"{len(pairs)} pairs took {spent:.0f} s: {LEAST_PAIRS} are needed, --seconds is too short")


def sentence(reported, what):
    span = f"{100 * reported.least:+.2f} to {100 * reported.most:+.2f} % with {100 * CONFIDENCE:g} % confidence, {reported.pairs} pairs"
    if reported.is_slower:
        return f"NEW is slower: {what} costs {100 * reported.estimate:.2f} % more ({span})"
    if reported.is_faster:
        return f"NEW is faster: {what} costs {-100 * reported.estimate:.2f} % less ({span})"
    return f"No difference was found: {what} ({span})"


def compare(old, new, bench, options, order):
    """Returns a verdict and its pairs."""
    terminal = sys.stderr.isatty()

    def tell(text):
        if terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    if bench:
        pairs = pairs_until(lambda: run_pair(old, new, bench, options.figure, order), options, tell)
    else:
        pairs = pairs_until(lambda: step_pair(old, new, options, order), options, tell)
    tell("")
    reported = verdict(pairs)
    print(sentence(reported, options.figure or f"encoding {options.codec}, {options.mode},"), flush=True)
    return reported, pairs


def compare_all(old, new, bench, options):
    order = random.Random(options.seed)
    begun = time.monotonic()
    tries = [compare(old, new, bench, options, order) for _ in range(options.tries)]
    if options.tries > 1:
        print(f"Of {options.tries} tries {sum(reported.is_slower for reported, _ in tries)} found NEW slower, "
              f"{sum(reported.is_faster for reported, _ in tries)} faster, the others no difference; {(time.monotonic() - begun) / options.tries:.0f} s each")
    reported, _ = tries[-1]
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({
            "old": str(old), "new": str(new), "what": bench or [options.codec, options.mode], "figure": options.figure, "more_work": options.more_work,
            "tries": [{"log_ratios": pairs, "estimate": one.estimate, "least": one.least, "most": one.most, "slower": one.is_slower,
                       "faster": one.is_faster} for one, pairs in tries]}) + "\n")
    return EXIT_SLOWER if reported.is_slower else EXIT_DONE


def build_folder(text):
    for folder in (pathlib.Path(text) / "bin", pathlib.Path(text) / "build/bin", pathlib.Path(text)):
        if any(folder.glob(PROGRAM.format("*"))):
            return folder
    fail(f"{text} has no benchmarks: `scripts/build FOLDER -DVITRAIL_TESTS=ON -- bench_programs` builds them")


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="scripts/bench compare", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", help="a build's folder")
    parser.add_argument("new", metavar="NEW", help="another one's, or the same")
    parser.add_argument("--seconds", type=float, default=110, help="at most (110)")
    parser.add_argument("--width", type=float, default=0.7, metavar="PERCENT", help="when the interval is ± this, it ends (0.7)")
    parser.add_argument("--codec", default="dxt1", choices=("dxt1", "dxt5", "dxt5ycocg"), help="of the encoder (dxt1)")
    parser.add_argument("--mode", default="good", choices=("fast", "good"), help="of the encoder (good)")
    parser.add_argument("--figure", metavar="PATTERN", help="of the benchmark behind --, such as cpu_ms_per_frame_sender; "
                                                            "of several, like '*/encode/*', their mean counts")
    parser.add_argument("--tries", type=int, default=1, metavar="N", help="do it N times, each anew, and tell how often what was found (1)")
    parser.add_argument("--more-work", type=float, default=0, metavar="PERCENT", help="of the picture NEW encodes twice: how surely so much is found")
    parser.add_argument("--quick", action="store_true", help="small pictures: shows that it runs")
    parser.add_argument("--seed", type=int, default=1, help="of the order (1)")
    parser.add_argument("--json", metavar="FILE", help="write the pairs and what they tell to this file, too")
    options = parser.parse_args(words[:cut])
    bench = words[cut + 1:]
    if options.tries < 1 or not 0 <= options.more_work <= 100 or (bench and options.more_work):
        fail("--tries are at least 1, --more-work is from 0 to 100 and of the encoder alone")
    if bool(bench) != bool(options.figure):
        fail("a benchmark behind -- needs a --figure, and the other way round")
    old, new = build_folder(options.old), build_folder(options.new)
    sys.exit(compare_all(old, new, bench, options))


if __name__ == "__main__":
    main()
