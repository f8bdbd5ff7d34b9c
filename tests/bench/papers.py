#!/usr/bin/env python3
"""The experiments of the papers behind Vitrail, done again on this machine, beside their figures.

Each part is a question, how it was measured here, plots and tables, and an answer; scripts/report makes a page of them.
What needs a server that is not here is left out and says so.
"""

import argparse
import json
import os
import pathlib
import sys
import time
from dataclasses import asdict

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "sail/python")]

import paper_clock  # noqa: E402
import paper_gluster  # noqa: E402
import paper_scale  # noqa: E402
import paper_storage  # noqa: E402
import paper_streams  # noqa: E402
from paper_part import Missing, tell  # noqa: E402
from vitrail.lab.agent import describe  # noqa: E402
from vitrail.lab.figures import plain  # noqa: E402

PARTS = {
    "stream": paper_streams.stream, "shd": paper_streams.shd, "drops": paper_streams.drops, "blocks": paper_storage.blocks,
    "nfs": paper_storage.nfs, "gluster": paper_gluster.gluster, "ibp": paper_storage.ibp,
    "media-server": paper_storage.media_server, "powerwall": paper_storage.powerwall, "clock": paper_clock.clock,
    "scale": paper_scale.scale}


def perform(name, options):
    try:
        part = PARTS[name](options)
    except Missing as missing:
        empty = paper_storage.left_out(name, "", "", str(missing))(options)
        return {"name": name, **asdict(empty)}
    return {"name": name, **asdict(part)}


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
    print(part["answer"])


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench papers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=sorted(PARTS), help="only this one; may be given more than once")
    parser.add_argument("--quick", action="store_true", help="few points and short runs: eight minutes at most")
    parser.add_argument("--seconds", type=float, help="for each run of a stream (10; 3 with --quick)")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the parts to this file, too; parts that it has stay")
    parser.add_argument("--shrink", type=int, default=1, metavar="N", help="sides divided by N: to see that it runs (1)")
    options = parser.parse_args()
    options.seconds = options.seconds or (3 if options.quick else 10)
    told = {"parts": []}
    if options.json and options.json.exists() and options.part:
        told = json.loads(options.json.read_text(encoding="utf-8"))
    for name in options.part or PARTS:
        part = {**perform(name, options), "date": time.strftime("%Y-%m-%d"), "host": describe(), "load": round(os.getloadavg()[1], 1),
                "quick": options.quick or options.shrink > 1}
        tell("")
        print_part(part)
        told["parts"] = [one for one in told["parts"] if one["name"] != name] + [part]
        if options.json:  # after each: what is done stays
            options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
