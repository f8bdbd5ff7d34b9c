"""Parts of scripts/bench operation: a tour through many sources, a ticker across all tiles, and the page in a browser."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from operated_wall import WALL, Eyes, OperatedWall

from harness import BIN, eventually

CELLS = 9
PAGE_BENCH = pathlib.Path(__file__).resolve().parents[1] / "page" / "bench" / "page_bench.js"


def memory_mb(root):
    """Memory of all programs that this process started, and that they started; shared pages count by their share."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended

    def is_below(process):
        while process in parents and process != root:
            process = parents[process]
        return process == root
    total_kb = 0
    for process in parents:
        if process == root or not is_below(process):
            continue
        try:
            lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total_kb += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total_kb / 1024


def tour(options):
    """Turns as soon as the next sources are open. Windows that wait for their turn are counted, too. On a busy machine some
    cells keep their picture for another turn: they are late."""
    with OperatedWall() as wall:
        began = time.monotonic()
        shown = cells_of(wall.call("tour_start", name="stills", columns=3, rows=3, every_s=86400,
                                   sources=[wall.still(i) for i in range(options.sources)]))
        first_s = time.monotonic() - began
        turn_s, windows, memory, late = [], [], [], 0
        with Eyes(wall.port) as eyes:
            eyes.settled()
            usual = eyes.pictures[-1]["black"]  # around the pictures
            begin = len(eyes.pictures)
            for _ in range(options.turns):
                began = time.monotonic()
                wall.call("tour_control", name="stills", action="next")
                now = eventually(lambda shown=shown: (now := cells_of(wall.call("tour_list")["tours"][0])) != shown and now,
                                 "the cells have their next sources", 60)
                turn_s.append(time.monotonic() - began)
                late += len(now & shown)
                shown = now
                windows.append(len(wall.state()["windows"]))
                memory.append(memory_mb(wall.manager.pid))
            eyes.settled()
            pictures = eyes.pictures[begin:]
        return {"tour_sources": options.sources, "tour_turns": options.turns, "tour_pictures": len(pictures),
                "tour_black": sum(picture["black"] > usual for picture in pictures), "tour_cells_late": late,
                "tour_windows_max": max(windows),
                "tour_players_mb_max": max(memory), "tour_first_s": first_s, "tour_turn_s_p50": statistics.median(turn_s)}


def cells_of(answer):
    return {cell["window"] for cell in answer["cells"]}


def ticker(options):
    """A ticker across all tiles of a row moves by one pixel each sixtieth of a second."""
    with OperatedWall() as wall:
        window = wall.call("play", media=["ticker:?speed=60?Doors open at 18:00"], place=[0, 20, WALL[0], 32])["window"]
        eventually(lambda: wall.shown(window) > 60, "the ticker moves")
        with Eyes(wall.port) as eyes:
            before, begin_ns = wall.shown(window), wall.now_ns()
            eventually(lambda: wall.now_ns() - begin_ns >= options.ticker_seconds * 1e9, "the time is over", options.ticker_seconds + 30)
            steps, seconds = wall.shown(window) - before, (wall.now_ns() - begin_ns) / 1e9
            pictures = list(eyes.pictures)
        return {"ticker_steps_per_s": steps / seconds, "ticker_pictures": len(pictures),
                "ticker_mixed": sum(picture["mixed"] for picture in pictures)}


def page(options):
    """The page and the remote in a browser, which needs Node.js and Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "page.json"
        run = subprocess.run(["node", PAGE_BENCH, "--windows", str(options.page_windows), "--clients", "1", "--paints", str(options.paints),
                              "--seconds", str(options.drag_seconds), "--json", report],
                             env={**os.environ, "VITRAIL_BIN": str(BIN)}, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"bench: page: {run.stdout}{run.stderr}")
        figures = json.loads(report.read_text())
    return {"page_windows": options.page_windows,
            **{name: figures[name] for name in ("remote_paint_ms_p50", "remote_paint_ms_p95", "remote_paint_slow_ms_p50",
                                           "remote_paint_slow_ms_p95", "drag_frame_ms_max", "drag_frames_over_50_ms")}}
