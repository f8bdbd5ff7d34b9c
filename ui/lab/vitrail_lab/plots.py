"""Plots as SVG, drawn by gnuplot."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .mistake import Mistake

COLOURS = ("#0b6e99", "#d1495b", "#5b8c2a", "#8d5a97", "#c77d0a", "#2f4858", "#777777", "#b5179e")
HEAD = """set terminal svg size {width},{height} noenhanced font 'DejaVu Sans,12' background '#ffffff'
set output
set title {title}
set xlabel {x} offset 0,0.5
set ylabel {y}
set grid lc rgb '#dddddd'
set border 3
set tics nomirror
set key {key}
set yrange [0:*]
"""


@dataclass(frozen=True)
class Curve:
    """Points (x, y), or (x, y, minimum, maximum) with error bars. x may be texts, which are placed side by side."""

    label: str
    points: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Picture:
    title: str
    x: str
    y: str
    curves: Sequence[Curve] = field(default_factory=tuple)
    log_x: bool = False
    log_y: bool = False  # False: linear from 0
    steps: bool = False
    marks: bool = True
    height: int = 420
    width: int = 860


def can_draw() -> bool:
    return shutil.which("gnuplot") is not None


def quoted(text: str) -> str:
    return "'" + " ".join(text.split()).replace("'", "''") + "'"


def script(picture: Picture) -> str:
    values = [point[0] for curve in picture.curves for point in curve.points]
    words = [] if all(isinstance(value, (int, float)) for value in values) else list(dict.fromkeys(map(str, values)))
    text = HEAD.format(width=picture.width, height=picture.height, title=quoted(picture.title), x=quoted(picture.x),
                       y=quoted(picture.y), key="outside bottom center horizontal" if len(picture.curves) > 1 else "off")
    if words:
        text += "set xtics (" + ", ".join(f"{quoted(word)} {place}" for place, word in enumerate(words)) + ")\n"
        text += f"set xrange [-0.5:{len(words) - 0.5}]\n"
    elif picture.log_x:
        text += "set logscale x\nset format x '%.0s%c'\n"
    elif min(values) >= 0:
        text += "set xrange [0:*]\n"
    if picture.log_y:
        text += "set yrange [*:*]\nset logscale y\n"
    plots = []
    for number, curve in enumerate(picture.curves):
        rows = [" ".join([str(words.index(str(point[0])) if words else point[0]), *map(str, point[1:])]) for point in curve.points]
        text += f"$d{number} << EOD\n" + "\n".join(rows) + "\nEOD\n"
        style = "steps" if picture.steps else "linespoints pt 7 ps 0.5" if picture.marks else "lines"
        look = f"lw 2 lc rgb '{COLOURS[number % len(COLOURS)]}'"
        if curve.points and len(curve.points[0]) == 4:
            plots.append(f"$d{number} using 1:2:3:4 with yerrorbars ps 0 {look} notitle")
        plots.append(f"$d{number} using 1:2 with {style} {look} title {quoted(curve.label)}")
    return text + "plot " + ", \\\n ".join(plots) + "\n"


def svg(picture: Picture) -> str:
    """Draw a picture. Mistake: gnuplot is not installed or failed, or there are no points."""
    if not any(curve.points for curve in picture.curves):
        raise Mistake(f"plot {picture.title!r}", "there is nothing to draw")
    try:
        done = subprocess.run(["gnuplot"], input=script(picture), capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Mistake(f"plot {picture.title!r}", f"cannot be drawn: gnuplot: {error}") from None
    if done.returncode != 0 or "</svg>" not in done.stdout:
        raise Mistake(f"plot {picture.title!r}", f"cannot be drawn: gnuplot: {done.stderr.strip()[-300:]}")
    return done.stdout
