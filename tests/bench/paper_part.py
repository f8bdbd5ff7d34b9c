"""One part of scripts/bench papers: the input of scripts/report, as plain values."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("VITRAIL_BIN", ROOT / "build/bin"))


@dataclass
class Part:
    """Question → set-up → plots and tables → answer."""

    title: str
    question: str
    setup: str
    paper: str  # original measurement: by whom, on what hardware; and which results are comparable
    commands: list = field(default_factory=list)
    tables: list = field(default_factory=list)  # [title, rows], the first row is the heading
    plots: list = field(default_factory=list)  # as vitrail_lab.plots.Picture, with curves as [label, points] and their commands
    answer: str = ""
    left_out: str = ""  # reason if nothing was measured

    def plot(self, title, x, y, curves, commands=None, **more):
        """commands: those whose results are drawn; default: all."""
        self.plots.append({"title": title, "x": x, "y": y, "curves": curves, "commands": list(commands or self.commands), **more})


class Missing(Exception):
    """A requirement of the part is missing here."""


def bench(part, name, *words, wait_s=600):
    """Runs a benchmark and returns its results; records the command in the part."""
    part.commands.append(" ".join(["scripts/bench", name, *map(str, words)]))
    program = BIN / f"{name}_bench"
    if not program.exists():
        raise Missing(f"{program} is not built")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "figures.json"
        done = subprocess.run([program, *map(str, words), "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, timeout=wait_s, check=False)
        if done.returncode != 0:
            raise Missing(f"{part.commands[-1]} failed: {done.stderr.strip()[-300:]}")
        return json.loads(path.read_text())


def write_film(folder, megabytes, name="film"):
    path = pathlib.Path(folder) / name
    with open(path, "wb") as file:
        for _ in range(megabytes):
            file.write(os.urandom(1 << 16) * 16)
    return path


def repeats(options):
    """Number of repetitions of short measurements."""
    return 1 if options.quick else 3


def block_seconds(options):
    """Read time for each block size, in seconds."""
    return 0.02 if options.shrink > 1 else 0.2 if options.quick else 0.5


def spread(values):
    """Returns median, minimum and maximum, for points with error bars."""
    return statistics.median(values), min(values), max(values)


def read_cold(path, block, depth, seconds):
    """Returns MB/s of an uncached file, which must be larger than the amount read in this time."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    words = [BIN / "vitrail", "--json", "iobench", "--block", str(block), "--depth", str(depth), "--seconds", str(seconds), path]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise Missing(f"vitrail iobench failed: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)["sources"][0]["points"][0]["mb_per_s"]


def size_text(block):
    return f"{block >> 20} MB" if block >> 20 else f"{block >> 10} KB"


def tell(text):
    """Shows progress on standard error."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:110]}", end="", file=sys.stderr, flush=True)
    elif text:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
