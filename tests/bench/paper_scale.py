"""The part of scripts/bench papers about size: the first limit of a wall. SAGE's papers claim scalability without figures."""

import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import tomllib

from law import law_of
from paper_part import BIN, ROOT, Missing, Part

RUN = ROOT / "tests/bench/scale.toml"
QUICK = ["receivers=1", "receivers=4", "receivers=16", "streams=5", "clients=5", "clients=50", "windows=60"]
SMALL = ["receivers=1", "receivers=16", "streams=5", "clients=5", "windows=60"]  # two of each size
USUAL = {"receivers": 16, "streams": 20, "clients": 10, "stills": 0}  # the defaults of scale_bench
AXES = {"receivers": "receivers", "streams": "streams", "clients": "clients", "windows": "stills"}  # the option that varies
CPU = {"cpu_pct_manager": "CPU of the manager", "cpu_pct_sender": "CPU of the sender", "cpu_pct_receiver": "CPU of a receiver"}
TIMES = {"command_to_state_ms_p50": "a change reaches the last client", "move_ms_p50": "a moved film is at its new place"}
MEMORY = {
    "rss_mb_manager": "memory of the manager", "rss_mb_sender": "memory of the sender", "rss_mb_receiver": "memory of a receiver"}
COLUMNS = {
    "receivers": "receivers", "streams": "streams", "windows": "windows", "clients": "clients", "frames_per_second": "frames a second",
    "frames_dropped": "dropped", "cpu_pct_manager": "CPU, % of a core: manager", "cpu_pct_sender": "sender", "cpu_pct_receiver": "a receiver",
    "cpu_ms_per_frame_manager": "CPU a frame, ms: manager", "cpu_ms_per_frame_sender": "sender", "cpu_ms_per_frame_receivers": "receivers",
    "move_ms_p50": "moved film shown after, ms: p50", "move_ms_p95": "p95", "command_to_state_ms_p50": "change at the last client, ms: p50",
    "rss_mb_manager": "MB: manager", "rss_mb_sender": "sender", "rss_mb_receiver": "a receiver", "windows_open_s": "windows open after, s",
    "clients_join_s": "clients joined after, s"}
LOOKS = ("looks", "pixels", "pixels_wrong", "looks_torn", "looks_mixed")


def scale(options):
    part = Part(
        "What limits a wall first",
        "What do manager, sender and receivers cost as receivers, streams, clients and windows become more, and what is full first?",
        "A wall of receivers with 4×2 tiles of 240×136 pixels each, real ones that paint in memory, in at most four processes; one application "
        "shows streams of 160×96 at 5 frames a second, and still pictures where there are more windows; clients follow everything and make ten "
        "changes a second. All of it is on this machine. One size is changed at a time, from 16 receivers, 20 streams and 10 clients; n is that size. "
        "Then a film is moved among the others, and random pixels are looked at while windows move.",
        "The Scalable Adaptive Graphics Environment was shown on 55 tiles with 30 nodes (LambdaVision, 2005); what its manager costs by size was not told.")
    rows, failed = run(part, options)
    laws = {}
    for axis in AXES:
        points = sorted(((row[axis], row) for row in rows if is_on(axis, row)), key=lambda point: point[0])
        if len(points) < 2:
            continue
        for y, costs in (("% of a core", CPU), ("ms", TIMES), ("MB", MEMORY)):
            curves = [[label, [(value, figures[cost]) for value, figures in points]] for cost, label in costs.items()]
            part.plot(f"{y}, by {axis}", axis, y, curves)
            laws.update({(axis, label): law_of([(x, max(y, 1e-3)) for x, y in curve]) for label, curve in curves})
    part.tables.append(("What was measured", [list(COLUMNS.values()), *([row[name] for name in COLUMNS] for row in rows)]))
    full = {key: law.reaches(100) for key, law in laws.items() if key[1] in CPU.values()}
    part.tables.append(("The law of each cost by the size n, and its largest error", [
        ("cost, by the size n", *(f"n {axis}" for axis in AXES)),
        *((cost, *(law_text(laws.get((axis, cost)), full.get((axis, cost), math.inf)) for axis in AXES))
          for cost in (CPU | TIMES | MEMORY).values())]))
    part.answer = answer(full, rows, failed)
    return part


def law_text(law, full_at):
    """The law with its largest error, and the size at which a core is full."""
    if law is None:
        return ""
    return f"{law.text()} (±{100 * law.off:.0f} %{f'; a core at {full_at:,.0f}' if full_at < 1e6 else ''})"


def run(part, options):
    """Returns the results for each size, named as in the run's file, and the sizes that failed."""
    described = tomllib.loads(RUN.read_text(encoding="utf-8"))
    described["sweep"] |= {"seconds": [options.seconds / 2], "looks": [3 if options.shrink > 1 else 20]}
    if options.quick or options.shrink > 1:
        described["sweep"]["size"] = SMALL if options.shrink > 1 else QUICK
    part.commands.append(f'PATH="$PWD/build/bin:$PATH" vitrail lab {RUN.relative_to(ROOT)}')
    with tempfile.TemporaryDirectory(prefix="vitrail-scale-") as folder:
        file, results = pathlib.Path(folder, "scale.json"), pathlib.Path(folder, "results")
        file.write_text(json.dumps(described), encoding="utf-8")
        subprocess.run([BIN / "vitrail-lab", file, "--out", results], stdout=subprocess.DEVNULL, check=False,
                       env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
        try:
            with open(results / "table.csv", encoding="utf-8", newline="") as table:
                reported = {row["size"]: row for row in csv.DictReader(table)}
        except OSError as error:
            raise Missing(f"{part.commands[-1]} failed: {error}") from None
    sizes = described["sweep"]["size"]
    rows = [{name: float(reported[size][f"wall.{name}"]) for name in (*COLUMNS, *LOOKS)} for size in sizes if size in reported]
    return rows, [size for size in sizes if size not in reported]


def is_on(axis, row):
    """Returns true if all other sizes of the row have their defaults."""
    sizes = {**row, "stills": row["windows"] - row["streams"]}
    return all(sizes[name] == usual for name, usual in USUAL.items() if name != AXES[axis])


def answer(full, rows, failed):
    """Text: the first limit reached, relative to the largest measured size; and the result of the pixel checks."""
    (axis, cost), at = min(full.items(), key=lambda item: item[1] / max(row[item[0][0]] for row in rows))
    looks, pixels, wrong, torn, mixed = (round(sum(row[name] for row in rows)) for name in LOOKS)
    text = (f"By these laws the first cost to fill a core is the {cost}, at {at:,.0f} {axis}." if at < math.inf else "Nothing that was measured grows.")
    text += (f" While windows moved, {wrong} of {pixels:,} sampled pixels in {looks} snapshots differed from the layout; {torn} snapshots "
             f"mixed two layouts, {mixed} mixed two frames of a stream.")
    return text + "".join(f" Failed: --{size}." for size in failed)
