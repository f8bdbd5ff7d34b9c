#!/usr/bin/env python3
"""The experiments of the papers behind Vitrail, done again on this machine, beside their figures.

Each part is a question, how it was measured here, plots and tables, and an answer; scripts/report makes a page of them.
What needs a server that is not here is left out and says so.
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
from dataclasses import asdict

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "sail/bindings/python"), str(HERE.parents[1] / "ui/lab")]

import paper_clock  # noqa: E402
import paper_gluster  # noqa: E402
import paper_powerwall  # noqa: E402
import paper_readme  # noqa: E402
import paper_scale  # noqa: E402
import paper_storage  # noqa: E402
import paper_streams  # noqa: E402
import paper_vod  # noqa: E402
from paper_part import ROOT, Missing, Part, tell  # noqa: E402
from vitrail import __version__  # noqa: E402
from vitrail_lab.agent import describe  # noqa: E402
from vitrail_lab.figures import duration, plain  # noqa: E402

# Each part with its approximate seconds, full and quick.
PARTS = {
    "stream": (paper_streams.stream, 40, 20), "shd": (paper_streams.shd, 150, 70), "drops": (paper_streams.drops, 360, 20),
    "blocks": (paper_storage.blocks, 110, 25), "nfs": (paper_storage.nfs, 50, 15), "gluster": (paper_gluster.gluster, 360, 50),
    "ibp": (paper_storage.ibp, 60, 15), "media-server": (paper_vod.media_server, 300, 60), "powerwall": (paper_powerwall.powerwall, 90, 40),
    "clock": (paper_clock.clock, 20, 5), "scale": (paper_scale.scale, 600, 60), "readme": (paper_readme.readme, 300, 60)}
EXIT_SOME_FAILED, EXIT_INTERRUPTED = 3, 130


def perform(name, options):
    """Runs a part and returns its results; a failed part contains only the reason."""
    begun, load, busy_s, own_s = time.monotonic(), os.getloadavg()[0], cpu_busy_s(), own_cpu_s()
    failed = False
    try:
        part = PARTS[name][0](options)
    except Missing as missing:
        part = Part(name, "", "", "", left_out=str(missing))
    except Exception as error:  # pylint: disable=broad-except
        part = Part(name, "", "", "", left_out=f"It failed: {type(error).__name__}: {error}")
        failed = True
    took_s = time.monotonic() - begun
    others = (cpu_busy_s() - busy_s - (own_cpu_s() - own_s)) / took_s
    return {"name": name, **asdict(part), "date": time.strftime("%Y-%m-%d"), "version": version(), "host": describe(), "load": round(load, 1),
            "others_cores": round(max(0.0, others), 2), "took_s": round(took_s), "quick": options.quick or options.shrink > 1}, failed


def cpu_busy_s():
    """CPU time of all processes on this machine."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def own_cpu_s():
    """CPU time of this process and its ended children."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def version():
    with contextlib.suppress(OSError):
        done = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return f"{__version__} ({done.stdout.strip()})"
    return __version__


def print_part(part):
    print(f"\n{part['title']}\n{'=' * len(part['title'])}")
    if part["left_out"]:
        print(f"Left out: {part['left_out']}")
        return
    for title, rows in part["tables"]:
        cells = [[plain(cell) if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
        print(f"{title}:")
        for row in cells:
            print("  " + "  ".join(cell.rjust(width) if number else cell.ljust(width)
                                   for number, (cell, width) in enumerate(zip(row, widths))))
    if part["paper"]:
        print(f"Then: {part['paper']}")
    print(f"Now: {part['answer']}")


def read_told(options):
    """Returns the content of FILE, and the parts to run: the named ones, those left by an interrupted run, or all."""
    reported = {"parts": [], "left": []}
    if options.json and options.json.exists():
        reported |= json.loads(options.json.read_text(encoding="utf-8"))
    settings = {"quick": options.quick, "seconds": options.seconds, "shrink": options.shrink}
    if options.part:
        return reported, options.part
    if not reported["left"] or reported.get("settings") != settings:
        reported = {"parts": [], "left": list(PARTS), "settings": settings}
    else:
        print(f"Going on with what was interrupted: {len(reported['parts'])} of {len(PARTS)} parts are done.", file=sys.stderr)
    return reported, reported["left"]


def keep(reported, part):
    """Stores a part in the order of PARTS. A failed part does not replace former results."""
    before = [one for one in reported["parts"] if one["name"] == part["name"] and not one["left_out"]]
    kept = before if part["left_out"] and before else [part]
    reported["parts"] = sorted([one for one in reported["parts"] if one["name"] != part["name"]] + kept,
                           key=lambda one: [*PARTS, one["name"]].index(one["name"]))


def perform_all(reported, names, options):
    """Runs the parts. Returns the names of those that failed."""
    failed, begun, spent = [], time.monotonic(), 0
    for number, name in enumerate(names):
        wanted = sum(PARTS[one][2 if options.quick else 1] for one in names[number:])
        slower = (time.monotonic() - begun) / spent if spent else 1
        print(f"Part {number + 1} of {len(names)}, {name}: about {duration(wanted * slower)} left", file=sys.stderr, flush=True)
        part, has_failed = perform(name, options)
        tell("")
        print_part(part)
        failed += [name] if has_failed else []
        keep(reported, part)
        spent += PARTS[name][2 if options.quick else 1]
        reported["left"] = [one for one in reported["left"] if one != name]
        if options.json:  # saved after each part
            fresh = options.json.with_name(options.json.name + ".new")
            fresh.write_text(json.dumps(reported, indent=1) + "\n", encoding="utf-8")
            fresh.replace(options.json)
    return failed


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench papers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=sorted(PARTS), help="only this one; may be given more than once")
    parser.add_argument("--quick", action="store_true", help="few points and short runs: eight minutes at most")
    parser.add_argument("--seconds", type=float, help="for each run of a stream (10; 3 with --quick)")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path,
                        help="write the parts to this file, too, each when it is done, so that the same command goes on when it was "
                             "interrupted. With --part others that it has stay")
    parser.add_argument("--shrink", type=int, default=1, metavar="N", help="sides divided by N: to see that it runs (1)")
    options = parser.parse_args()
    options.seconds = options.seconds or (3 if options.quick else 10)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that servers are ended, too
    try:
        failed = perform_all(*read_told(options), options)
    except KeyboardInterrupt:
        print("\nbench papers: interrupted" + ("; finished parts are kept, and the same command goes on" if options.json else ""), file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    if failed:
        print(f"bench papers: {', '.join(failed)} failed; with --json FILE, --part does one again", file=sys.stderr)
        sys.exit(EXIT_SOME_FAILED)


if __name__ == "__main__":
    main()
