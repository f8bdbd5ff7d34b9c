"""The tables of a run: one row per test, and one row per point and figure with the median, minimum and maximum of its
repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .figures import middle

Row = tuple[Any, ...]


def columns_of(tests: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of all figures of the tests, in the order of appearance."""
    return list(dict.fromkeys(figure for test in tests for figure in test["figures"]))


def table(tests: Sequence[Mapping[str, Any]], parameters: Sequence[str]) -> list[Row]:
    columns = columns_of(tests)
    rows: list[Row] = [("test", *parameters, "repetition", *columns)]
    for test in tests:
        what = test["test"]
        rows.append((what["number"], *(what["point"][name] for name in parameters), what["repetition"],
                     *(test["figures"].get(column, "") for column in columns)))
    return rows


def by_point(tests: Iterable[Mapping[str, Any]], parameters: Sequence[str]) -> dict[Row, list[Mapping[str, Any]]]:
    points: dict[Row, list[Mapping[str, Any]]] = {}
    for test in tests:
        points.setdefault(tuple(test["test"]["point"][name] for name in parameters), []).append(test["figures"])
    return points


def summary(tests: Sequence[Mapping[str, Any]], sweep: Mapping[str, Sequence[Any]]) -> list[Row]:
    """Return the rows by point, in the order of the sweep."""
    parameters = list(sweep)
    rows: list[Row] = [(*parameters, "figure", "median", "least", "most", "tests")]
    points = by_point(tests, parameters)
    for point in sorted(points, key=lambda one: [list(sweep[name]).index(value) for name, value in zip(parameters, one)]):
        for figure in columns_of([{"figures": row} for row in points[point]]):
            values = [row[figure] for row in points[point] if figure in row]
            rows.append((*point, figure, *middle(values), len(values)))
    return rows
