"""The part of scripts/bench papers on clocks: the PowerWall's testing framework, Minnesota, 2000."""

import statistics
import sys

from paper_part import ROOT, Part, tell

sys.path[:0] = [str(ROOT / "sail/bindings/python"), str(ROOT / "ui/lab"), str(ROOT / "ui/lab")]

from vitrail_lab.clock import best_offset  # noqa: E402
from vitrail_lab.link import Link, local_words  # noqa: E402
from vitrail_lab.mistake import Mistake  # noqa: E402
from vitrail_lab.spaces import Spaces  # noqa: E402

COUNTS = (1, 2, 5, 10, 20, 50, 100)


def clock(options):
    part = Part(
        "Clock error against exchanges",
        "How well does one host know another's clock, when it keeps the exchange with the smallest round trip?",
        "An agent of `vitrail lab` in a network namespace of this machine, or just on it where nobody is root. Both read the same steady clock, so "
        "the true offset is 0 and what is estimated is the error.",
        "The InTENSity PowerWall's testing framework (Minnesota, 2000) asked again and again and kept the offset of the smallest propagation delay, "
        "which bounds its error; it tells the method, and no figures. Here the way is a pipe, not Ethernet: a switch adds some tens of µs.",
        commands=["scripts/bench papers --part clock"])
    tries = 10 if options.quick else 40
    spaces = Spaces(())
    where = []
    try:
        spaces = Spaces(["far"])
        where = spaces.words("far")
    except Mistake as mistake:
        part.setup += f" ({mistake.reason}.)"
    link = Link("far", [*where, *local_words()])
    try:
        link.receive()
        points, bounds = [], []
        for count in COUNTS:
            tell(f"clocks, {count} exchanges")
            offsets = [best_offset(link.exchange() for _ in range(count)) for _ in range(tries)]
            points.append([abs(one.offset_ns) / 1e3 for one in offsets])
            bounds.append([one.bound_ns / 1e3 for one in offsets])
    finally:
        link.end()
        spaces.end()
    held = sum(error <= bound for errors, result in zip(points, bounds) for error, bound in zip(errors, result))
    part.plot("Error of the clock's offset, both scales logarithmic", "exchanges", "µs",
              [["error, median", [(n, statistics.median(one)) for n, one in zip(COUNTS, points)]],
               ["error, worst", [(n, max(one)) for n, one in zip(COUNTS, points)]],
               ["bound that was told, median", [(n, statistics.median(one)) for n, one in zip(COUNTS, bounds)]]], log_x=True, log_y=True)
    part.tables.append(("µs", [("exchanges", "error, median", "error, worst", "bound, median", "bound, worst"),
                               *((n, statistics.median(errors), max(errors), statistics.median(result), max(result))
                                 for n, errors, result in zip(COUNTS, points, bounds))]))
    part.answer = (f"With 20 exchanges the error bound is {statistics.median(bounds[COUNTS.index(20)]):.0f} µs; the error was within the reported bound in "
                   f"{held} of {len(COUNTS) * tries} tries.")
    return part
