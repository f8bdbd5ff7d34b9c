"""The folder of a run's results. Each finished test is complete, even if the run is interrupted.

  manifest.json         the run, its hosts, versions and seed
  tests/0001/           samples.csv, programs.json, output of programs
  table.csv, summary.csv, plots/*.svg, index.html
"""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import pathlib
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from .bench import Outcome
from .figures import figures_of, flat
from .mistake import Mistake
from .plan import Test
from .run_file import Run

FOLDERS = ("tests", "plots")
FILES = ("manifest.json", "table.csv", "summary.csv", "index.html")
LOCK = ".lock"


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


class Results:
    def __init__(self, folder: pathlib.Path, run: Run, fresh: bool) -> None:
        self.folder = folder
        self.run = run
        if folder.exists() and not folder.is_dir() or (
                folder.is_dir() and not self.manifest_path.exists() and set(os.listdir(folder)) - {LOCK}):
            raise Mistake(str(folder), "exists and is not the folder of a run: choose another with --out")
        self.manifest = self.read() if self.manifest_path.exists() else {}
        self.lock = self.locked()
        if fresh:
            self.remove()
        if self.manifest and self.manifest.get("run") != json.loads(json.dumps(run.text, default=str)):
            raise Mistake(str(folder), "has the results of another run or of an older version of this file: "
                                       "choose another with --out, or remove the results with --fresh")

    @property
    def manifest_path(self) -> pathlib.Path:
        return self.folder / "manifest.json"

    def read(self) -> dict[str, Any]:
        try:
            value = json.loads(self.manifest_path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Mistake(str(self.manifest_path), f"cannot be read: {error}") from None
        if not isinstance(value, dict) or not {"run", "file_text", "seed"} <= set(value):
            raise Mistake(str(self.manifest_path), "is not the manifest of a run: choose another folder with --out")
        return value

    def locked(self) -> int:
        """Lock the folder until this process ends."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Mistake(str(self.folder), "is in use by another lab") from None
        except OSError as error:
            raise Mistake(str(self.folder), f"cannot be written: {error.strerror}") from None
        return lock

    def remove(self) -> None:
        """Remove the files of an earlier run, and no others."""
        for name in (*FOLDERS, *FILES):
            path = self.folder / name
            if name in FOLDERS:
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        self.manifest = {}

    def test_folder(self, test: Test) -> pathlib.Path:
        return self.folder / "tests" / f"{test.number:04}"

    def has(self, test: Test) -> bool:
        return (self.test_folder(test) / "programs.json").exists()

    def write(self, path: pathlib.Path, text: str) -> None:
        """Write a file atomically."""
        part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise Mistake(str(path), f"cannot be written: {error.strerror}; finished tests are kept") from None

    def write_manifest(self) -> None:
        self.write(self.manifest_path, json.dumps(self.manifest, indent=2, default=str) + "\n")

    def add(self, outcome: Outcome) -> None:
        """Store a test. A failed test is stored as tests/0001.failed, and is repeated when the run continues."""
        folder = self.test_folder(outcome.test)
        part = folder.with_name(folder.name + ".part")
        failed = folder.with_name(folder.name + ".failed")
        for old in (part, failed):
            shutil.rmtree(old, ignore_errors=True)
        try:
            self.write_test(part, outcome)
            part.rename(failed if outcome.failure else folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise

    def write_test(self, folder: pathlib.Path, outcome: Outcome) -> None:
        rows: list[tuple[str, str, str, str, str]] = [("t_s", "host", "subject", "figure", "value")]
        for series in outcome.series:
            rows += [(f"{at:.6f}", series.host, series.subject, series.figure, f"{value:.12g}")
                     for at, value in zip(series.t_s, series.values)]
        for program in outcome.programs:
            rows += line_rows(program.host, program.name, program.lines)
        self.write(folder / "samples.csv", csv_text(rows))
        for program in outcome.programs:
            for kind, text in (("out", program.text), ("err", program.errors)):
                if text:
                    self.write(folder / f"{program.name}@{program.host}.{kind}", text)
        results = {
            "test": asdict(outcome.test), "begin_unix_s": outcome.begin_unix_s, "skew_us": outcome.skew_us,
            "clock_bound_us": outcome.clock_bound_us, "load": outcome.load, "own_cpu_percent": outcome.own_cpu_percent,
            "samples_left_out": outcome.samples_left_out, "failure": outcome.failure,
            "programs": [{name: value for name, value in asdict(program).items() if name not in ("text", "errors", "lines")}
                         for program in outcome.programs],
            "figures": figures(self.run, outcome)}
        self.write(folder / "programs.json", json.dumps(results, indent=1) + "\n")

    def tests(self) -> list[dict[str, Any]]:
        """Return the stored results of all finished tests, ordered by number."""
        results = []
        for path in sorted(self.folder.glob("tests/*/programs.json")):
            if path.parent.name.isdigit():
                try:
                    results.append(json.loads(path.read_text(encoding="utf-8")))
                except (OSError, ValueError) as error:
                    raise Mistake(str(path), f"cannot be read: {error}") from None
        return results


def line_rows(host: str, program: str, lines: Iterable[tuple[float, str]]) -> list[tuple[str, str, str, str, str]]:
    """Return the numbers of a program's JSON lines as rows of samples."""
    rows = []
    for at, line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        rows += [(f"{at:.6f}", host, f"reported by {program}", figure, f"{number:.12g}") for figure, number in flat(value)]
    return rows


def figures(run: Run, outcome: Outcome) -> dict[str, float]:
    """Return a test's row of the table."""
    kinds = {program.name: program for program in run.programs}
    row: dict[str, float] = {"skew_us": outcome.skew_us, "clock_bound_us": max(outcome.clock_bound_us.values()),
                             "lab_cpu_percent": max(outcome.own_cpu_percent.values()),
                             "load_mean": max(load["mean"] for load in outcome.load.values())}
    for program in outcome.programs:
        name = program.name if len(kinds[program.name].hosts) == 1 else f"{program.name}@{program.host}"
        row |= {f"{name}.cpu_s": program.cpu_user_s + program.cpu_system_s, f"{name}.memory_mb": program.memory_mb,
                f"{name}.lasted_s": program.lasted_s or 0.0}
        if kinds[program.name].output == "json":
            reported = figures_of(program.text) or {}
            row |= {f"{name}.{figure}": value for figure, value in reported.items()}
    return row | rates(outcome)


def rates(outcome: Outcome) -> dict[str, float]:
    """Return the mean rates of counters, from the first to the last sample."""
    row = {}
    for series in outcome.series:
        span = series.t_s[-1] - series.t_s[0]
        if series.figure.endswith(("_bytes", "_packets")) and "queue" not in series.figure and span > 0:
            rate = (series.values[-1] - series.values[0]) / span
            unit = ("mb_per_s", 1e-6) if series.figure.endswith("_bytes") else ("packets_per_s", 1)
            row[f"{series.subject}@{series.host}.{series.figure.rpartition('_')[0]}_{unit[0]}"] = rate * unit[1]
        elif series.figure == "cpu_busy_s" and span > 0:
            row[f"host {series.host}.cores_busy"] = (series.values[-1] - series.values[0]) / span
    return row
