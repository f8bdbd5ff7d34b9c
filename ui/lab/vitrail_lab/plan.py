"""The tests of a run: all points of the sweep with their repetitions, in an order that depends on the seed."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .mistake import Mistake
from .run_file import Program, Run, start_of

PLACE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][\w:.-]*)\}")
FOLDER = "\0folder\0"  # the agent replaces this by the name of a temporary folder on its host
MOST_TESTS = 1_000_000
ASKS_FROM = 1000  # number of tests from which the lab asks for confirmation


@dataclass(frozen=True)
class Test:
    number: int  # from 1, in the order in which they run
    point: Mapping[str, Any]  # parameter → value
    repetition: int  # from 1

    @property
    def title(self) -> str:
        words = [f"{name}={value}" for name, value in self.point.items()]
        return " ".join([*words, f"#{self.repetition}"])


@dataclass(frozen=True)
class Start:
    """A program on a host in one test, with all placeholders replaced."""

    name: str
    host: str
    command: list[str]
    environment: dict[str, str]
    start_s: float
    seconds: float | None
    background: bool
    output: str


def count_tests(run: Run) -> int:
    return math.prod(len(values) for values in run.sweep.values()) * run.repetitions


def make_tests(run: Run) -> Iterator[Test]:
    """Yield all points once, then again for each repetition, so that slow changes affect all points equally."""
    names = list(run.sweep)
    points = math.prod(len(values) for values in run.sweep.values())
    order = random.Random(run.seed)
    number = 0
    for repetition in range(1, run.repetitions + 1):
        for place in order.sample(range(points), points):
            number += 1
            point = {}
            for name in reversed(names):
                place, index = divmod(place, len(run.sweep[name]))
                point[name] = run.sweep[name][index]
            yield Test(number, {name: point[name] for name in names}, repetition)


def put_in(text: str, words: Mapping[str, str], place: str) -> str:
    def word(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        if found[1] not in words:
            raise Mistake(place, f"unknown placeholder {found[0]}: use one of {', '.join(sorted(words))} "
                                 "({{ stands for a brace)")
        return words[found[1]]
    return PLACE.sub(word, text)


def words_of(run: Run, test: Test, addresses: Mapping[str, str]) -> dict[str, str]:
    """Return the values of placeholders that do not depend on the host."""
    return {**{f"address:{name}": address for name, address in addresses.items()},
            **{name: str(value) for name, value in test.point.items()},
            "repetition": str(test.repetition), "seed": str(run.seed * 1000 + test.repetition), "test": str(test.number)}


def number_of(text: str | float | None, words: Mapping[str, str], place: str) -> float | None:
    if text is None:
        return None
    try:
        number = float(put_in(str(text), words, place))
    except ValueError:
        raise Mistake(place, f"{put_in(str(text), words, place)!r} is not a number") from None
    if not 0 <= number <= 1e6:
        raise Mistake(place, f"must be 0 to 1e6, not {number:g}")
    return number


def starts_of(run: Run, test: Test, addresses: Mapping[str, str]) -> list[Start]:
    by_name = {program.name: program for program in run.programs}
    return [start for program in run.programs
            for start in starts_of_program(program, start_of(program, by_name), words_of(run, test, addresses))]


def starts_of_program(program: Program, start_s: float, words: Mapping[str, str]) -> list[Start]:
    place = f"program {program.name}"
    count = number_of(program.count, words, f"{place}, count")
    hosts = program.hosts if count is None else program.hosts[:int(count)]
    if count is not None and count > len(program.hosts):
        raise Mistake(f"{place}, count", f"must be at most {len(program.hosts)}, the number of its hosts, not {count:g}")
    starts = []
    for index, host in enumerate(hosts):
        here = {**words, "host": host, "index": str(index), "folder": FOLDER, "address": words.get(f"address:{host}", "")}
        starts.append(Start(
            program.name, host, [put_in(word, here, f"{place}, command") for word in program.command],
            {name: put_in(text, here, f"{place}, environment") for name, text in program.environment.items()},
            start_s, number_of(program.seconds, here, f"{place}, seconds"), program.background, program.output))
    return starts


def check_plan(run: Run, addresses: Mapping[str, str]) -> float:
    """Check each value of each parameter once, with the first values of the others. Returns the least duration of the
    run in seconds. Mistake: a test is invalid."""
    if count_tests(run) > MOST_TESTS:
        raise Mistake("sweep", f"the run has {count_tests(run):,} tests, more than {MOST_TESTS:,}")
    first = {name: values[0] for name, values in run.sweep.items()}
    longest = 0.0
    points = [first, *({**first, name: value} for name, values in run.sweep.items() for value in values[1:])]
    for point in points:
        starts = starts_of(run, Test(1, point, 1), addresses)
        lasts = [start.start_s + (start.seconds or 0) for start in starts if not start.background]
        if not lasts:
            raise Mistake("programs", f"at {point} no program would end the test")
        if max(lasts) > run.limit_s:
            raise Mistake("limit_s", f"tests end after {run.limit_s:g} s, but their programs run for {max(lasts):g} s")
        longest = max(longest, *lasts)
    return (longest + run.pause_s + 1) * count_tests(run)
