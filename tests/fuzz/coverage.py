#!/usr/bin/env python3
"""Reports which lines of the parsers the corpora reach: coverage.py BUILD [TARGET …] (scripts/fuzz --coverage).

BUILD/bin/fuzz_coverage runs the corpus of each target. The table has, for each file that a target names in
CMakeLists.txt, its lines of code (or those of some functions), the share that was reached, and the numbers of the other
lines. Fails if a target has less than 95 %."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

FEWEST_PERCENT = 95
HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[1]


def run_corpora(build, targets):
    """Returns the object folder of fuzz_coverage, with fresh counts."""
    objects = build / "tests/fuzz/CMakeFiles/fuzz_coverage.dir"
    for counts in objects.rglob("*.gcda"):
        counts.unlink()
    for target in targets:
        subprocess.run([build / "bin/fuzz_coverage", target, HERE / "corpus" / target], check=True,
                       stdout=subprocess.DEVNULL)
    return objects


def line_counts(objects):
    """Returns how often each line ran, {file: {line: {function: count}}}."""
    files = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for unit in objects.rglob("*.gcda"):
        report = json.loads(subprocess.run(["gcov", "--json-format", "--stdout", unit], check=True,
                                           stdout=subprocess.PIPE).stdout)
        for file in report["files"]:
            path = os.path.normpath(os.path.join(report["current_working_directory"], file["file"]))
            names = {function["name"]: function["demangled_name"] for function in file["functions"]}
            for line in file["lines"]:
                function = names.get(line.get("function_name"), "")
                files[path][line["line_number"]][function] += line["count"]
    return files


def chosen_lines(lines, names):
    """Returns {line: count} of the functions and classes "NAME,NAME", of all others ("-NAME,NAME"), or of all ("")."""
    others = not names or names.startswith("-")
    named = re.compile("|".join(rf"\b{name}(::|[\[(<])" for name in names.lstrip("-").split(",") if name) or "$^")
    counts = {}
    for line, by_function in lines.items():
        chosen = [count for function, count in by_function.items() if bool(named.search(function)) != others]
        if chosen:
            counts[line] = sum(chosen)
    return counts


def ranges(lines):
    """"3-5 9" of [3, 4, 5, 9]."""
    found = []
    for line in lines:
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    parsers = {}
    for line in (build / "tests/fuzz/parsers.txt").read_text().splitlines():
        target, *files = line.split()
        parsers[target] = files
    targets = sys.argv[2:] or list(parsers)
    if unknown := set(targets) - set(parsers):
        sys.exit(f"coverage.py: no target '{unknown.pop()}': there are {' '.join(parsers)}")
    counts = line_counts(run_corpora(build, targets))
    short, every, reached = [], 0, 0
    for target in targets:
        lines = missed = 0
        print(target)
        for file in parsers[target]:
            path, _, names = file.partition(":")
            of_file = chosen_lines(counts[str(PROJECT / path)], names)
            missing = sorted(line for line, count in of_file.items() if count == 0)
            share = 100 * (1 - len(missing) / len(of_file)) if of_file else 0
            print(f"  {path:55} {len(of_file):5} {share:6.1f} %  {ranges(missing)}")
            lines += len(of_file)
            missed += len(missing)
        every += lines
        reached += lines - missed
        if 100 * (lines - missed) < FEWEST_PERCENT * lines or not lines:
            short.append(target)
    print(f"{len(targets)} targets, {every} lines, {100 * reached / max(every, 1):.1f} %")
    if short:
        sys.exit(f"coverage.py: less than {FEWEST_PERCENT} %: {' '.join(short)}")


main()
