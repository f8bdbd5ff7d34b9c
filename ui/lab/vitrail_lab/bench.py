"""The hosts of a run, and the execution of one test on all of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from . import clock
from .link import Link, local_words, ssh_words, until_each
from .mistake import Mistake
from .plan import Start, Test, put_in, starts_of, words_of
from .run_file import Run
from .spaces import Spaces

LEAD_S = 0.25  # between arming and the start
LEAD_PER_PROGRAM_S = 0.02
OVER_S = 30.0  # time beyond a test's limit for the hosts' answers


@dataclass(frozen=True)
class Series:
    """Samples of one figure on one host. t_s: seconds from the test's start."""

    host: str
    subject: str
    figure: str
    t_s: list[float]
    values: list[float]


@dataclass(frozen=True)
class ProgramEnd:
    """The result of one program on one host."""

    name: str
    host: str
    command: list[str]
    start_s: float  # intended start
    late_us: float  # actual start, after start_s
    lasted_s: float | None
    code: int | None
    ended_by_us: str
    failure: str  # empty: success
    cpu_user_s: float
    cpu_system_s: float
    memory_mb: float
    text: str
    errors: str
    lines: list[tuple[float, str]]


@dataclass(frozen=True)
class Outcome:
    """The result of a test."""

    test: Test
    begin_unix_s: float
    programs: list[ProgramEnd]
    series: list[Series]
    clock_bound_us: dict[str, float]
    load: dict[str, dict[str, float]]  # by host: before, mean, most
    own_cpu_percent: dict[str, float]  # CPU use of the lab by host, in % of a core
    samples_left_out: int

    @property
    def failure(self) -> str:
        return "; ".join(f"host {one.host}: program {one.name} {one.failure}" for one in self.programs if one.failure)

    @property
    def skew_us(self) -> float:
        """The largest difference between the first and the last start of programs with the same start_s."""
        by_start: dict[float, list[float]] = {}
        for one in self.programs:
            if one.lasted_s is not None:
                by_start.setdefault(one.start_s, []).append(one.late_us)
        return max((max(late) - min(late) for late in by_start.values()), default=0.0)


class Bench:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.links: dict[str, Link] = {}
        self.described: dict[str, Any] = {}
        self.spaces = Spaces(name for name, host in run.hosts.items() if host.namespace)
        try:
            for name, host in run.hosts.items():
                words = ssh_words(host.ssh) if host.ssh else local_words()
                self.links[name] = Link(name, [*self.spaces.words(name), *words] if host.namespace else words)
            for link in self.links.values():
                link.receive()  # "ready"
                link.send(do="describe")
                self.described[link.host] = link.receive()
            self.check_devices()
        except BaseException:
            self.end()
            raise

    @property
    def addresses(self) -> dict[str, str]:
        """The address of each host for the other hosts."""
        return {name: self.spaces.addresses.get(name) or host.ssh.rpartition("@")[2] or "127.0.0.1"
                for name, host in self.run.hosts.items()}

    def check_devices(self) -> None:
        for name, description in self.described.items():
            for kind in ("interfaces", "disks"):
                missing = set(getattr(self.run.samples, kind)) - set(description[kind])
                everywhere = all(missing & set(getattr(self.run.samples, kind)) - set(other[kind])
                                 for other in self.described.values())
                if missing and everywhere:
                    raise Mistake(f"samples, {kind}", f"no host has {', '.join(sorted(missing))}; {name} has "
                                                      f"{', '.join(sorted(description[kind])) or 'none'}")

    def clock_of(self, link: Link) -> clock.Offset:
        return clock.measure(link.exchange, link.host, self.run.clock_bound_ms)

    def perform(self, test: Test) -> Outcome:
        words = words_of(self.run, test, self.addresses)
        for host in self.run.hosts.values():
            if host.namespace:
                self.spaces.limit(host.name, {limit: put_in(text, words, f"host {host.name}, {limit}")
                                              for limit, text in host.limits.items()})
        starts = starts_of(self.run, test, self.addresses)
        before = {name: self.clock_of(link) for name, link in self.links.items()}
        load = {name: self.load_of(link) for name, link in self.links.items()}
        own_before_s = time.process_time()
        begin_ns = time.monotonic_ns() + int((LEAD_S + LEAD_PER_PROGRAM_S * len(starts)) * 1e9)
        begin_unix_s = time.time() + (begin_ns - time.monotonic_ns()) / 1e9
        for name, link in self.links.items():
            link.send(do="run", begin_ns=begin_ns + round(before[name].offset_ns), limit_s=self.run.limit_s,
                      samples=asdict(self.run.samples), programs=[program_message(one) for one in starts if one.host == name])
        links = list(self.links.values())
        until_each(links, "armed", LEAD_S + OVER_S)
        until_each(links, "done", self.run.limit_s + OVER_S)
        for link in links:
            link.send(do="end")
        results = until_each(links, "programs", OVER_S)
        own_s = time.process_time() - own_before_s
        clocks = {name: clock.Clock(before[name], self.clock_of(link)) for name, link in self.links.items()}
        for name, one in clocks.items():
            one.check(name)
        return self.outcome(test, begin_ns, begin_unix_s, starts, results, clocks, load, own_s)

    def load_of(self, link: Link) -> float:
        link.send(do="clock")
        return float(link.receive()["load"])

    def outcome(self, test: Test, begin_ns: int, begin_unix_s: float, starts: Sequence[Start], results: dict[str, Any],
                clocks: dict[str, clock.Clock], load: dict[str, float], own_s: float) -> Outcome:
        programs, series = [], []
        for name, host_results in results.items():
            def since(theirs_ns: float, of: clock.Clock = clocks[name]) -> float:
                return (of.ours(theirs_ns) - begin_ns) / 1e9
            here = [one for one in starts if one.host == name]
            programs += [program_end(start, result, since) for start, result in zip(here, host_results["programs"], strict=True)]
            for subject, figure, values in host_results["samples"]:
                series.append(Series(name, subject, figure, [since(at) for at, _ in values], [value for _, value in values]))
        watched_s = max(one["watched_s"] for one in results.values())
        own = {name: 100 * one["own_cpu_s"] / one["watched_s"] for name, one in results.items()}
        own["(the lab itself)"] = 100 * own_s / watched_s
        return Outcome(
            test, begin_unix_s, programs, series, {name: one.bound_ns / 1e3 for name, one in clocks.items()},
            {name: {"before": load[name], "mean": one["load_mean"], "most": one["load_most"]} for name, one in results.items()},
            own, sum(one["samples_left_out"] for one in results.values()))

    def end(self) -> None:
        for link in self.links.values():
            link.end()
        self.spaces.end()


def program_message(start: Start) -> dict[str, Any]:
    return {"name": start.name, "command": start.command, "environment": start.environment, "start_s": start.start_s,
            "seconds": start.seconds, "background": start.background, "lines": start.output == "lines"}


def program_end(start: Start, result: dict[str, Any], since: Any) -> ProgramEnd:
    ended, began = result["ended"], result["started_ns"]
    last_words = result["errors"].strip().splitlines()
    failure = ""
    if began is None or result["failure"]:
        failure = f"could not be started: {result['failure'] or 'the test ended before its start'}"
    elif result["ended_by_us"] not in ("", "its time limit was reached", "the test ended"):
        failure = f"was ended: {result['ended_by_us']}"
    elif ended["code"] != 0 and not result["ended_by_us"]:
        how = f"ended with {ended['code']}" if ended["code"] > 0 else f"was ended by signal {-ended['code']}"
        failure = how + (f": {last_words[-1][:300]}" if last_words else "")
    elif start.background and not result["ended_by_us"]:
        failure = "is a background program and ended before the others"
    at = since(began) if began is not None else 0.0
    return ProgramEnd(
        start.name, start.host, start.command, start.start_s, (at - start.start_s) * 1e6,
        None if began is None else since(ended["ns"]) - at, ended["code"], result["ended_by_us"], failure,
        max(0.0, ended["cpu_user_s"]), ended["cpu_system_s"], ended["memory_mb"], result["output"], result["errors"],
        [(since(at_ns), line) for at_ns, line in result["lines"]])
