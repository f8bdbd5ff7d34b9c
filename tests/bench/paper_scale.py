"""The part of scripts/bench papers about size: what limits a wall first. SAGE's own papers promise it, and have no figures."""

import math

from law import law_of
from paper_part import Missing, Part, bench, tell

SIZES = {"receivers": (1, 4, 16, 64), "streams": (10, 50, 100, 200), "clients": (10, 100, 300, 1000), "windows": (20, 100, 300, 1000)}
QUICK = {"receivers": (1, 4), "streams": (5, 20), "clients": (5, 50), "windows": (10, 60)}
USUAL = {"receivers": 16, "streams": 20, "clients": 10, "windows": 0}
LARGEST = {"receivers": 64, "streams": 200, "clients": 1000, "windows": 0}
CPU = {"cpu_pct_manager": "CPU of the manager", "cpu_pct_sender": "CPU of the sender of all", "cpu_pct_receiver": "CPU of a receiver"}
TIMES = {"command_to_state_ms_p50": "a change is known to the last client", "move_ms_p50": "a moved film is shown at its new place"}
MEMORY = {
    "rss_mb_manager": "memory of the manager", "rss_mb_sender": "memory of the sender", "rss_mb_receiver": "memory of a receiver"}
COLUMNS = {
    "receivers": "receivers", "streams": "streams", "windows": "windows", "clients": "clients", "frames_per_second": "frames a second",
    "frames_dropped": "dropped", "cpu_pct_manager": "CPU, % of a core: manager", "cpu_pct_sender": "sender", "cpu_pct_receiver": "a receiver",
    "cpu_ms_per_frame_manager": "CPU a frame, ms: manager", "cpu_ms_per_frame_sender": "sender", "cpu_ms_per_frame_receivers": "receivers",
    "move_ms_p50": "a film is moved, ms: p50", "move_ms_p95": "p95", "command_to_state_ms_p50": "last client knows, ms: p50",
    "rss_mb_manager": "MB: manager", "rss_mb_sender": "sender", "rss_mb_receiver": "a receiver", "windows_open_s": "windows are open after, s",
    "clients_join_s": "clients after, s"}


def scale(options):
    part = Part(
        "What limits a wall first",
        "What do manager, sender and receivers cost as receivers, streams, clients and windows become more, and what is full first?",
        "A wall of receivers with 4×2 tiles of 240×136 pixels each, real ones that paint in memory, in at most four processes; one application "
        "shows streams of 160×96 at 5 frames a second, and still pictures where there are more windows; clients follow everything and make ten "
        "changes a second. All of it is on this machine. One size is changed at a time, from 16 receivers, 20 streams and 10 clients; n is that size. "
        "Then a film is moved among the others, and random pixels are looked at while windows move.",
        "The Scalable Adaptive Graphics Environment was shown on 55 tiles with 30 nodes (LambdaVision, 2005); what its manager costs by size was not told.")
    sizes = QUICK if options.quick or options.shrink > 1 else SIZES
    looks = 3 if options.shrink > 1 else 20
    kept, failed = {}, []

    def run(**size):
        wanted = {**USUAL, **size}
        wanted["windows"] = max(wanted["windows"], wanted["streams"])
        key = tuple(wanted.values())
        if key not in kept:
            tell("scale: " + ", ".join(f"{value} {name}" for name, value in wanted.items()))
            words = [word for name, value in wanted.items() for word in (f"--{name}", value)]
            try:
                kept[key] = bench(part, "scale", *words, "--seconds", options.seconds / 2, "--looks", looks)
            except Missing as missing:
                kept[key] = None
                failed.append(str(missing))
        return kept[key]

    laws = {}
    for axis, values in sizes.items():
        points = [(value, run(**{axis: value})) for value in values]
        points = [(value, figures) for value, figures in points if figures]
        if len(points) < 2:
            continue
        for y, costs in (("% of a core", CPU), ("ms", TIMES), ("MB", MEMORY)):
            curves = [[label, [(value, figures[cost]) for value, figures in points]] for cost, label in costs.items()]
            part.plot(f"{y}, by {axis}", axis, y, curves)
            laws.update({(axis, label): law_of([(x, max(y, 1e-3)) for x, y in curve]) for label, curve in curves})
    if sizes is SIZES:
        run(**LARGEST)
    rows = [figures for figures in kept.values() if figures]
    if not rows:
        raise Missing(failed[0])
    part.tables.append(("What was measured", [list(COLUMNS.values()), *([figures[name] for name in COLUMNS] for figures in rows)]))
    full = {key: law.reaches(100) for key, law in laws.items() if key[1] in CPU.values()}
    part.tables.append(("The law of each cost, n of a size", [
        ("n", "cost", "law", "exponent", "misses by at most, %", "a core is full at n"),
        *((axis, cost, law.text(), law.exponent, 100 * law.off, round(full[axis, cost]) if full.get((axis, cost), math.inf) < 1e6 else "")
          for (axis, cost), law in laws.items())]))
    part.answer = answer(sizes, full, rows, failed)
    return part


def answer(sizes, full, rows, failed):
    """What is full first, as a share of the largest size that was measured; and what the pixels were."""
    (axis, cost), at = min(full.items(), key=lambda item: item[1] / sizes[item[0][0]][-1])
    looks, pixels, wrong, torn, mixed = (sum(row[name] for row in rows) for name in (
        "looks", "pixels", "pixels_wrong", "looks_torn", "looks_mixed"))
    text = (f"By these laws the {cost} is a whole core first: at {at:,.0f} {axis}." if at < math.inf else "Nothing that was measured grows.")
    text += (f" Of {pixels:,} pixels in {looks} looks while windows moved {wrong} were not what the layout says; {torn} looks saw "
             f"tiles before and after the move at one instant, {mixed} two frames of a stream.")
    return text + "".join(f" Failed: {one}." for one in failed)
