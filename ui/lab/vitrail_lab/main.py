"""The program vitrail-lab, also started by `vitrail lab`."""

from __future__ import annotations

import argparse
import pathlib
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from vitrail import __version__

from . import page, plots, run_plots, tables
from .bench import Bench
from .figures import duration
from .man_page import Help, ManPage, man_page
from .mistake import Mistake
from .plan import ASKS_FROM, Test, check_plan, count_tests, make_tests, starts_of
from .results import Results, csv_text
from .run_file import Run, read_run

EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
ABOUT = """Runs measurements on several hosts at the same instant.

RUN.toml (or .json) defines the hosts, their programs with start times, the
samples to take, and the parameters to vary. Programs start at the same instant;
the error of the hosts' clocks is measured and reported. Samples stay in memory
until the end of a test. The results are a folder with a page, tables, plots and
all samples. An interrupted run resumes where it stopped.

Hosts need only Python 3.8, and access by an ssh key."""
NOTES = """A run's file:
  repetitions = 5              # of each point; all points once, then again
  [hosts.here]                 # this host
  [hosts.far]
  ssh = "ann@render"
  [hosts.node]
  namespace = true             # network namespace on a switch (needs root)
  rate = "1gbit"               # limit of its outgoing traffic; also delay, loss
  [sweep]                      # all combinations of these values
  block = ["64k", "1m"]
  depth = {from = 1, to = 64, factor = 4}
  [samples]
  every_ms = 200
  interfaces = ["eth0"]        # sockets = true, disks = ["sda"]
  [[programs]]
  name = "reader"
  host = ["far", "here"]       # the first `count` of them
  command = ["vitrail", "iobench", "--json", "--block", "{block}",
             "--depth", "{depth}", "/films/opera.vmov"]
  output = "json"              # its numbers go to the table
  [[programs]]
  name = "wall"
  host = "here"
  background = true            # runs until all others have ended
  command = ["vitrail", "--json", "watch"]
  output = "lines"             # JSON lines, with their arrival times
  start = 0.5                  # seconds after the test's start, or after
  after = "reader"             # the start of this program
  seconds = 10                 # then the lab ends the program
  [[plots]]
  x = "block"
  y = "reader@far.sources./films/opera.vmov.points.0.mb_per_s"
  by = "depth"

Placeholders in commands: {host}, {address}, {address:HOST}, {index}, {folder},
{seed}, {repetition} and the parameters.

Environment: VITRAIL_SSH is the ssh command with its options."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print the error in the format of the other programs."""
        print(f"{self.prog}: {message}\nTry {self.prog} --help.", file=sys.stderr)
        sys.exit(EXIT_USAGE)


def make_parser() -> Parser:
    parser = Parser(prog="vitrail-lab", description=ABOUT, epilog=NOTES, formatter_class=Help, add_help=False, allow_abbrev=False)
    parser.add_argument("run", metavar="RUN", type=pathlib.Path, help="the run's file")
    parser.add_argument("--out", metavar="FOLDER", type=pathlib.Path, help="folder for the results [RUN.lab, next to RUN]")
    parser.add_argument("--fresh", action="store_true", help="remove the results of an earlier run first")
    parser.add_argument("--plan", action="store_true", help="print the plan of the run and exit")
    parser.add_argument("--yes", action="store_true", help=f"do not ask for confirmation before runs of more than {ASKS_FROM} tests")
    parser.add_argument("-h", "--help", action="help", help="print this help and exit")
    parser.add_argument("--version", action="version", version=f"vitrail-lab {__version__}", help="print the version and exit")
    parser.add_argument("--man-page", action=ManPage, text=lambda one: man_page(one, __version__))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = make_parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        run = read_run(options.run)
        out = options.out or options.run.with_suffix(".lab")
        return lab(run, out, options)
    except Mistake as mistake:
        print(f"vitrail-lab: {mistake}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print("\nvitrail-lab: interrupted; finished tests are kept, and the same command resumes the run", file=sys.stderr)
        return EXIT_INTERRUPTED


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def lab(run: Run, out: pathlib.Path, options: argparse.Namespace) -> int:
    # The plan does not depend on the addresses, which are not known yet.
    least_s = check_plan(run, {name: "0.0.0.0" for name in run.hosts})
    if options.plan:
        tell_plan(run, least_s)
        return EXIT_DONE
    wanted = count_tests(run)
    if wanted > ASKS_FROM and not options.yes and not asked(f"The run has {wanted:,} tests and takes at least {duration(least_s)}. Start it? [y/N] "):
        raise Mistake("sweep", f"{wanted:,} tests take at least {duration(least_s)}: confirm with --yes")
    results = Results(out, run, options.fresh)
    missing = [test for test in make_tests(run) if not results.has(test)]
    notes = perform_all(run, results, missing, options) if missing else []
    finish(run, results, notes)
    print(f"{out / 'index.html'}: {len(results.tests())} of {wanted} tests")
    for note in notes[:10]:
        print(f"vitrail-lab: {note}", file=sys.stderr)
    return EXIT_FAILED if notes else EXIT_DONE


def asked(question: str) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def tell_plan(run: Run, least_s: float) -> None:
    print(f"{run.name}: {count_tests(run):,} tests, {duration(least_s)} at least, seed {run.seed}")
    first = next(make_tests(run))
    print(f"the first, {first.title}:")
    for start in sorted(starts_of(run, first, {name: f"({name})" for name in run.hosts}), key=lambda one: one.start_s):
        until = "until the others end" if start.background else "until it ends" if start.seconds is None else f"for {start.seconds:g} s"
        words = " ".join(start.command).replace("\0folder\0", "{folder}")
        print(f"  {start.start_s:8.3f} s  {start.name} on {start.host} {until}: {words}")


class Progress:
    """Shows progress: one line that changes on a terminal, else one line per test."""

    def __init__(self, tests: int, each_s: float | None) -> None:
        """each_s: the expected time of a test; None: not known before the first one has ended."""
        self.tests = tests
        self.each_s = each_s
        self.begun = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def tell(self, done: int, test: Test) -> None:
        spent = time.monotonic() - self.begun
        each_s = spent / done if done else self.each_s
        left = "time left not known yet" if each_s is None else f"{duration((self.tests - done) * each_s)} left"
        line = f"test {done + 1} of {self.tests}: {test.title}, {left}"
        print(f"\r\033[K{line[:100]}" if self.terminal else line, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def perform_all(run: Run, results: Results, missing: Sequence[Test], options: argparse.Namespace) -> list[str]:
    """Run the missing tests. Returns the failures as sentences. Mistake: the run cannot continue."""
    bench = Bench(run)
    least_s = check_plan(run, bench.addresses)
    ends = all(program.background or program.seconds is not None for program in run.programs)
    progress = Progress(len(missing), least_s / count_tests(run) if ends else None)
    notes = []
    try:
        results.manifest = manifest_of(run, bench, options)
        results.write_manifest()
        for done, test in enumerate(missing):
            progress.tell(done, test)
            outcome = bench.perform(test)
            results.add(outcome)
            if outcome.failure:
                notes.append(f"test {test.number} ({test.title}): {outcome.failure}")
            time.sleep(run.pause_s)
    except Mistake as mistake:
        progress.end()
        finish(run, results, [*notes, str(mistake)])
        raise Mistake(mistake.place, f"{mistake.reason}; {len(results.tests())} of {count_tests(run)} tests are kept in "
                                     f"{results.folder}") from None
    finally:
        progress.end()
        bench.end()
    return notes


def manifest_of(run: Run, bench: Bench, options: argparse.Namespace) -> dict[str, Any]:
    reached = {name: f"ssh {host.ssh}" if host.ssh else "namespace" if host.namespace else "this host" for name, host in run.hosts.items()}
    return {"name": run.name, "run": run.text, "file_text": options.run.read_text(encoding="utf-8"), "tests": count_tests(run),
            "seed": run.seed, "version": __version__, "begun": time.strftime("%Y-%m-%d %H:%M:%S %z"),
            "command": "vitrail lab " + " ".join(sys.argv[1:]), "addresses": bench.addresses,
            "hosts": {name: {"reached": reached[name], **description} for name, description in bench.described.items()}}


def finish(run: Run, results: Results, notes: Sequence[str]) -> None:
    """Write tables, plots and the page from the tests that are finished."""
    tests = results.tests()
    if not tests:
        return
    notes = list(notes)
    rows = tables.summary(tests, run.sweep)
    results.write(results.folder / "table.csv", csv_text(tables.table(tests, list(run.sweep))))
    results.write(results.folder / "summary.csv", csv_text(rows))
    pictures = []
    try:
        if plots.can_draw():
            drawn = [(f"asked-{number}", picture) for number, picture in enumerate(run_plots.asked_for(run, tests), 1)]
            for name, picture in [*drawn, *run_plots.over_time(results.folder, tests)]:
                results.write(results.folder / "plots" / f"{name}.svg", plots.svg(picture))
                pictures.append((f"plots/{name}.svg", picture.title))
        else:
            notes.append("No plots: gnuplot is not installed.")
    except Mistake as mistake:
        notes.append(str(mistake))
        print(f"vitrail-lab: {mistake}", file=sys.stderr)
    results.write(results.folder / "index.html", page.run_page(results.manifest, tests, rows, pictures, notes))


if __name__ == "__main__":
    sys.exit(main())
