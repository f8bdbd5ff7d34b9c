"""Numbers in the output of programs, their statistics, and their formatting."""

from __future__ import annotations

import itertools
import json
import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

NAMES = ("name", "window", "receiver", "tile", "codec")  # fields that identify the entries of a list
MOST_FIGURES = 10_000


def flat(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield all finite numbers of a JSON document with their paths, such as "receivers.left.stats.fps"."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from flat(one, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            word = next((str(one[name]) for name in NAMES if isinstance(one, dict) and isinstance(one.get(name), (str, int))),
                        str(number))
            yield from flat(one, f"{path}.{word}" if path else word)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        yield path, float(value)


def figures_of(text: str) -> dict[str, float] | None:
    """Return the numbers of a text that is a JSON document, or whose last line is one; else None."""
    for part in (text, text.strip().rpartition("\n")[2]):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        return dict(itertools.islice(flat(value), MOST_FIGURES))
    return None


def middle(values: Sequence[float]) -> tuple[float, float, float]:
    """Return median, minimum and maximum."""
    return statistics.median(values), min(values), max(values)


def plain(value: float) -> str:
    """Format a number with about four significant digits."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{min(digits, 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"
