"""The plots of a run: those that its file requests, and for each point the time series of one test."""

from __future__ import annotations

import csv
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .figures import middle
from .mistake import Mistake
from .plots import Curve, Picture
from .run_file import Plot, Run

MOST_POINTS = 12  # points of the sweep with plots over time
WALL_FIGURE = re.compile(r"windows\..*\.(fps_shown|latency_ms_p50|latency_ms_p99|skew_us_p99)$")

Tests = Sequence[Mapping[str, Any]]


def asked_for(run: Run, tests: Tests) -> Iterator[Picture]:
    for plot in run.plots:
        curves = []
        for by in run.sweep.get(plot.by, (None,)):
            points = []
            for x in run.sweep[plot.x]:
                values = [test["figures"][plot.y] for test in tests if plot.y in test["figures"]
                          and test["test"]["point"][plot.x] == x and by in (None, test["test"]["point"].get(plot.by))]
                if values:
                    points.append((x, *middle(values)))
            if points:
                curves.append(Curve(plot.y if by is None else f"{plot.by} {by}", points))
        if not curves:
            raise Mistake(f"plot {plot.y}", "no test has this figure; table.csv lists all figures")
        yield Picture(plot.title or title_of(plot), plot.x, plot.y, curves, log_x=plot.log_x)


def title_of(plot: Plot) -> str:
    return f"{plot.y} against {plot.x}" + (f", by {plot.by}" if plot.by else "")


def over_time(folder: pathlib.Path, tests: Tests) -> Iterator[tuple[str, Picture]]:
    """Yield the time series of the last test of each point: (file name without extension, picture)."""
    last = {tuple(test["test"]["point"].items()): test for test in tests}
    for test in list(last.values())[:MOST_POINTS]:
        number = test["test"]["number"]
        what = " ".join(f"{name}={value}" for name, value in test["test"]["point"].items()) or f"test {number}"
        series = read_series(folder / "tests" / f"{number:04}" / "samples.csv")
        for kind, title, unit, curves in kinds(series):
            if curves:
                yield f"{number:04}-{kind}", Picture(f"{title}, {what}", "s", unit, curves, marks=False)


def kinds(series: Mapping[tuple[str, str, str], list[tuple[float, float]]]) -> Iterator[tuple[str, str, str, list[Curve]]]:
    cpu, traffic, disk, wall = [], [], [], []
    for (host, subject, figure), points in series.items():
        label = f"{subject} on {host}"
        if figure == "cpu_s":
            cpu.append(Curve(label, rate(points, 100)))
        elif subject.startswith("interface") and figure.endswith("_bytes"):
            traffic.append(Curve(f"{label} {figure.removesuffix('_bytes')}", rate(points, 8e-6)))
        elif subject.startswith("disk"):
            disk.append(Curve(f"{label} {figure.removesuffix('_bytes')}", rate(points, 1e-6)))
        elif WALL_FIGURE.search(figure):
            wall.append(Curve(figure, points))
    yield "cpu", "CPU of programs", "% of a core", cpu
    yield "traffic", "Interfaces", "Mbit/s", traffic
    yield "disk", "Disks", "MB/s", disk
    yield "wall", "Statistics of the wall", "fps, ms, µs", wall


def rate(points: Sequence[tuple[float, float]], factor: float) -> list[tuple[float, float]]:
    return [(after[0], factor * (after[1] - before[1]) / (after[0] - before[0]))
            for before, after in zip(points, points[1:]) if after[0] > before[0]]


def read_series(path: pathlib.Path) -> dict[tuple[str, str, str], list[tuple[float, float]]]:
    series: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = (row["host"], row["subject"], row["figure"])
                series.setdefault(key, []).append((float(row["t_s"]), float(row["value"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Mistake(str(path), f"cannot be read: {error}") from None
    return series
