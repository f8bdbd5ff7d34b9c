"""Reads and checks the file of a run. Only read_run() does I/O."""

from __future__ import annotations

import json
import math
import pathlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .mistake import Mistake

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,40}")
MOST_FILE = 1 << 20  # bytes
MOST_HOSTS = 256
MOST_PROGRAMS = 1000
MOST_SECONDS = 7 * 24 * 3600.0
LIMITS = ("rate", "delay", "loss")  # of the link of a namespace


@dataclass(frozen=True)
class Host:
    """This host, a host reached by ssh, or a network namespace that the lab creates."""

    name: str
    ssh: str = ""
    namespace: bool = False
    limits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    name: str
    hosts: tuple[str, ...]
    command: tuple[str, ...]
    start_s: float = 0
    after: str = ""  # start_s counts from the start of this program; empty: from the start of the test
    seconds: str | float | None = None  # the program is ended after this time; None: it ends on its own
    background: bool = False  # runs until all others have ended
    output: str = "text"  # "json": figures after its end; "lines": a JSON document per line, figures while it runs
    count: str | float | None = None  # number of its hosts to use; None: all
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Samples:
    every_ms: float = 200
    programs: bool = True
    interfaces: tuple[str, ...] = ()
    sockets: bool = False
    disks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plot:
    """A plot of the table: figure y against parameter x, with a curve for each value of parameter `by`."""

    y: str
    x: str
    by: str = ""
    title: str = ""
    log_x: bool = False


@dataclass(frozen=True)
class Run:
    name: str
    hosts: Mapping[str, Host]
    programs: tuple[Program, ...]
    samples: Samples = Samples()
    sweep: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    plots: tuple[Plot, ...] = ()
    repetitions: int = 1
    seed: int = 1
    limit_s: float = 600
    clock_bound_ms: float = 5
    pause_s: float = 0.2
    text: Mapping[str, Any] = field(default_factory=dict)  # content of the file


class Table:
    """A table of the file. Each entry is taken once; entries that remain are errors."""

    def __init__(self, place: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise Mistake(place, "must be a table")
        self.place = place
        self.left = dict(value)

    def mistake(self, name: str, reason: str) -> Mistake:
        return Mistake(f"{self.place}, {name}" if self.place else name, reason)

    def take(self, name: str, kind: type, default: Any = None, needed: bool = False) -> Any:
        if name not in self.left:
            if needed:
                raise self.mistake(name, "is missing")
            return default
        value = self.left.pop(name)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            words = {str: "a text", float: "a number", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
            raise self.mistake(name, f"must be {words[kind]}, not {json.dumps(value, default=str)[:60]}")
        return value

    def number(self, name: str, least: float, most: float, default: float) -> float:
        value = float(self.take(name, float, default))
        if not least <= value <= most:
            raise self.mistake(name, f"must be {least:g} to {most:g}, not {value:g}")
        return value

    def texts(self, name: str, needed: bool = False) -> tuple[str, ...]:
        values = self.take(name, list, [], needed)
        if not all(isinstance(value, str) and "\0" not in value for value in values) or (needed and not values):
            raise self.mistake(name, "must be a list of texts")
        return tuple(values)

    def mapping(self, name: str) -> dict[str, str]:
        values = self.take(name, dict, {})
        for key, value in values.items():
            if not isinstance(value, (str, int, float)) or "\0" in str(value) or "\0" in key or "=" in key or not key:
                raise self.mistake(name, f"{key!r} must be a text or a number")
        return {key: str(value) for key, value in values.items()}

    def end(self) -> None:
        for name in self.left:
            raise self.mistake(name, "unknown name")


def read_run(path: pathlib.Path) -> Run:
    """Read a run's file. Mistake: an error, with its place in the file."""
    try:
        if path.stat().st_size > MOST_FILE:
            raise Mistake(str(path), "is larger than 1 MB, the limit for a run's file")
        text = path.read_text(encoding="utf-8")
        value = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise Mistake(str(path), error.strerror or str(error)) from None
    except (UnicodeDecodeError, json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise Mistake(str(path), str(error)) from None
    try:
        return parse_run(value, path.stem)
    except Mistake as mistake:
        raise Mistake(f"{path}: {mistake.place}", mistake.reason) from None


def parse_run(value: Any, name: str) -> Run:
    table = Table("", value)
    name = checked_name(table.take("name", str, name), "name")
    hosts = {}
    for host_name, entry in table.take("hosts", dict, {"here": {}}).items():
        hosts[host_name] = parse_host(host_name, entry)
    if not 1 <= len(hosts) <= MOST_HOSTS:
        raise Mistake("hosts", f"there must be 1 to {MOST_HOSTS}")
    sweep = parse_sweep(table.take("sweep", dict, {}))
    programs = tuple(parse_program(number, entry, hosts)
                     for number, entry in enumerate(table.take("programs", list, needed=True), 1))
    run = Run(name=name, hosts=hosts, programs=programs, sweep=sweep,
              samples=parse_samples(table.take("samples", dict, {})),
              plots=tuple(parse_plot(number, entry, sweep) for number, entry in enumerate(table.take("plots", list, []), 1)),
              repetitions=int(table.number("repetitions", 1, 10_000_000, 1)),
              seed=table.take("seed", int, 1), limit_s=table.number("limit_s", 0.1, MOST_SECONDS, 600),
              clock_bound_ms=table.number("clock_bound_ms", 1e-6, 1e6, 5), pause_s=table.number("pause_s", 0, 3600, 0.2),
              text=value)
    table.end()
    check_programs(run)
    return run


def checked_name(name: str, place: str) -> str:
    if not NAME.fullmatch(name):
        raise Mistake(place, f"{name!r} is not a valid name: use letters, digits, '_', '.', '-', at most 41")
    return name


def parse_host(name: str, value: Any) -> Host:
    table = Table(f"hosts.{name}", value)
    checked_name(name, "hosts")
    ssh = table.take("ssh", str, "")
    namespace = table.take("namespace", bool, False)
    limits = {limit: table.take(limit, str) for limit in LIMITS if limit in table.left}
    table.end()
    if ssh and namespace:
        raise Mistake(table.place, "'ssh' and 'namespace' exclude each other")
    if ssh.startswith("-") or "\0" in ssh or "\n" in ssh:
        raise table.mistake("ssh", f"{ssh!r} is not a host")
    if limits and not namespace:
        raise table.mistake(next(iter(limits)), "only namespaces can have limits")
    return Host(name, ssh, namespace, limits)


def parse_sweep(value: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    sweep: dict[str, tuple[Any, ...]] = {}
    for name, values in value.items():
        place = f"sweep.{name}"
        checked_name(name, "sweep")
        if isinstance(values, dict):
            table = Table(place, values)
            first, last = table.take("from", float, needed=True), table.take("to", float, needed=True)
            step, factor = table.take("step", float), table.take("factor", float)
            table.end()
            sweep[name] = steps(place, first, last, step, factor)
            continue
        if not isinstance(values, list) or not values or not all(isinstance(one, (str, int, float)) for one in values):
            raise Mistake(place, "must be a list of texts or numbers, or {from, to, step or factor}")
        if len(set(map(str, values))) != len(values):
            raise Mistake(place, "has the same value twice: to repeat tests, use `repetitions`")
        sweep[name] = tuple(values)
    return sweep


def steps(place: str, first: float, last: float, step: float | None, factor: float | None) -> tuple[float, ...]:
    if (step is None) == (factor is None):
        raise Mistake(place, "needs either a step or a factor")
    grows = step > 0 if step is not None else factor is not None and factor > 1 and first > 0
    if not grows or last < first or not math.isfinite(last + first):
        raise Mistake(place, "must grow from `from` to `to`: step > 0, factor > 1 from a number > 0")
    values = [first]
    while len(values) <= 1_000_000:
        value = first + len(values) * step if step is not None else values[-1] * (factor or 1)
        if value > last * (1 + 1e-12):
            break
        values.append(value)
    return tuple(int(value) if value.is_integer() else value for value in values)


def parse_program(number: int, value: Any, hosts: Mapping[str, Host]) -> Program:
    table = Table(f"program {number}", value)
    name = checked_name(table.take("name", str, needed=True), f"program {number}, name")
    table.place = f"program {name}"
    listed = table.left.pop("host", None)
    if listed is None and len(hosts) == 1:
        listed = next(iter(hosts))
    where = [listed] if isinstance(listed, str) else listed
    if not isinstance(where, list) or not where or not all(isinstance(one, str) for one in where):
        raise table.mistake("host", "must be a host's name, or a list of them")
    for one in where:
        if one not in hosts:
            raise table.mistake("host", f"unknown host {one!r}: the hosts are {', '.join(hosts)}")
    if len(set(where)) != len(where):
        raise table.mistake("host", "names a host twice")
    command = table.texts("command", needed=True)
    program = Program(
        name, tuple(where), command, start_s=table.number("start", 0, MOST_SECONDS, 0), after=table.take("after", str, ""),
        seconds=text_or_number(table, "seconds"), background=table.take("background", bool, False),
        output=table.take("output", str, "text"), count=text_or_number(table, "count"),
        environment=table.mapping("environment"))
    if program.output not in ("text", "json", "lines"):
        raise table.mistake("output", f"must be text, json or lines, not {program.output!r}")
    table.end()
    return program


def text_or_number(table: Table, name: str) -> str | float | None:
    """Return a number, or a text that becomes one when its placeholders are replaced."""
    value = table.left.get(name)
    return table.take(name, str if isinstance(value, str) else float)  # type: ignore[no-any-return]


def parse_samples(value: Any) -> Samples:
    table = Table("samples", value)
    samples = Samples(every_ms=table.number("every_ms", 5, 60_000, 200), programs=table.take("programs", bool, True),
                      interfaces=table.texts("interfaces"), sockets=table.take("sockets", bool, False),
                      disks=table.texts("disks"))
    table.end()
    return samples


def parse_plot(number: int, value: Any, sweep: Mapping[str, Any]) -> Plot:
    table = Table(f"plot {number}", value)
    plot = Plot(y=table.take("y", str, needed=True), x=table.take("x", str, needed=True), by=table.take("by", str, ""),
                title=table.take("title", str, ""), log_x=table.take("log_x", bool, False))
    table.end()
    for axis in ("x", "by"):
        parameter = getattr(plot, axis)
        if parameter and parameter not in sweep:
            raise table.mistake(axis, f"{parameter!r} is not a parameter of the sweep")
    return plot


def check_programs(run: Run) -> None:
    """Refuse duplicate names, unknown or circular `after`, and runs with background programs only."""
    if not 1 <= len(run.programs) <= MOST_PROGRAMS:
        raise Mistake("programs", f"there must be 1 to {MOST_PROGRAMS}")
    by_name: dict[str, Program] = {}
    for program in run.programs:
        if program.name in by_name:
            raise Mistake(f"program {program.name}", "another program has this name")
        by_name[program.name] = program
    if all(program.background for program in run.programs):
        raise Mistake("programs", "all programs run in the background, so no test would end")
    for program in run.programs:
        start_of(program, by_name)


def start_of(program: Program, by_name: Mapping[str, Program]) -> float:
    """Return the program's start in seconds from the start of the test."""
    start, way = 0.0, [program.name]
    while True:
        start += program.start_s
        if not program.after:
            return start
        if program.after not in by_name:
            raise Mistake(f"program {program.name}, after", f"there is no program {program.after!r}")
        program = by_name[program.after]
        if program.name in way:
            raise Mistake(f"program {way[0]}, after",
                          "the starts form a cycle: " + " after ".join([*way, program.name]))
        way.append(program.name)
