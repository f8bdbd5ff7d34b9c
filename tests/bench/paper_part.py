"""One part of scripts/bench papers: what scripts/report needs to tell it, as plain values."""

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
    paper: str  # what was measured then, by whom, on what; and what of it can be compared
    commands: list = field(default_factory=list)
    tables: list = field(default_factory=list)  # [title, rows], the first row is the heading
    plots: list = field(default_factory=list)  # as vitrail_lab.plots.Picture has them, curves as [label, points]; and their commands
    answer: str = ""
    left_out: str = ""  # why nothing was measured

    def plot(self, title, x, y, curves, commands=None, **more):
        """commands: those that it was drawn from, unless all."""
        self.plots.append({"title": title, "x": x, "y": y, "curves": curves, "commands": list(commands or self.commands), **more})


class Missing(Exception):
    """What a part needs is not here."""


def bench(part, name, *words, wait_s=600):
    """The figures of one run of a benchmark; the part tells its command."""
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
    """How often what is short is measured."""
    return 1 if options.quick else 3


def block_seconds(options):
    """How long blocks of one size are read."""
    return 0.02 if options.shrink > 1 else 0.2 if options.quick else 0.5


def spread(values):
    """Median, least, most: as plots have points with bars."""
    return statistics.median(values), min(values), max(values)


def read_cold(path, block, depth, seconds):
    """MB/s of a file that is not in this machine's memory; it has to be larger than what is read in that time."""
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
    """Where it is, on standard error."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:110]}", end="", file=sys.stderr, flush=True)
    elif text:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
