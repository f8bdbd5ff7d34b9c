#!/usr/bin/env python3
"""Checks the #include lines against the two tables of ARCHITECTURE.md ("Folders", "Libraries"): which folder may use
which, no cycles, and which files may include a library's headers. And what fmt::join() needs."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCT = ("codecs", "manager", "receiver", "sail", "ui")
SOURCES = {".h", ".hpp", ".c", ".cpp"}
DOCUMENTS = {".md", ".txt", ".in", ".jpg"}  # allowed beside subfolders
MOST_FILES = 40  # directly in a folder of the product or of the tests
NO_TESTS = {"corpus", "node_modules", "__pycache__"}  # inputs, and what is made

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]', re.MULTILINE)


def names_in(cell):
    """The names between backticks; `a/{b,c}` stands for `a/b` and `a/c`."""
    for name in re.findall("`(.+?)`", cell):
        before, brace, rest = name.partition("{")
        inside, _, after = rest.partition("}")
        yield from (before + one + after for one in inside.split(",")) if brace else (name,)


def table(head):
    """The rows of the table with this heading, each as the names in its first and last cells."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = text.split(f"| {head} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    cells = [row.strip().strip("|").split("|") for row in rows]
    return [(list(names_in(row[0])), list(names_in(row[-1]))) for row in cells]


def is_in(folder, place):
    return folder == place or folder.startswith(place + "/")


def cycles(uses):
    """Groups of folders that use each other, directly or indirectly (Tarjan)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(folder):
        number[folder] = lowest[folder] = len(number)
        stack.append(folder)
        for other in sorted(uses[folder]):
            if other not in number:
                visit(other)
                lowest[folder] = min(lowest[folder], lowest[other])
            elif other in stack:
                lowest[folder] = min(lowest[folder], number[other])
        if lowest[folder] == number[folder]:
            group = stack[stack.index(folder):]
            del stack[stack.index(folder):]
            if len(group) > 1:
                found.append(sorted(group))

    for folder in sorted(uses):
        if folder not in number:
            visit(folder)
    return found


def check_table(rows):
    mistakes = []
    names = [row[0][0] for row in rows]
    mistakes += [f"ARCHITECTURE.md: `{name}` has two rows" for name in sorted(set(names)) if names.count(name) > 1]
    for name in sorted({name for first, last in rows for name in (*first, *last)}):
        if not (ROOT / name).is_dir():
            mistakes.append(f"ARCHITECTURE.md: `{name}` is no folder")
        elif not any(is_in(row, name) for row in names):
            mistakes.append(f"ARCHITECTURE.md: `{name}` is used, and neither it nor a folder below it has a row")
    # The table itself must not allow a cycle.
    uses = {name: {other for other in names if other != name and any(is_in(other, place) for place in last)}
            for (name, *_), last in rows}
    mistakes += [f"ARCHITECTURE.md: the table lets these folders use each other: {', '.join(group)}" for group in cycles(uses)]
    return mistakes


def check_includes(rows, wrappers):
    mistakes = []
    may_use = {first[0]: last for first, last in rows}
    for top in PRODUCT:
        for source in sorted((ROOT / top).rglob("*")):
            if source.suffix not in SOURCES:
                continue
            path = source.relative_to(ROOT).as_posix()
            folder = path.rpartition("/")[0]
            if folder not in may_use:
                mistakes.append(f"{path}: ARCHITECTURE.md has no row for {folder}")
                continue
            text = source.read_text(encoding="utf-8")
            headers = INCLUDE.findall(text)
            if "fmt::join(" in text and "fmt/ranges.h" not in headers:
                mistakes.append(f"{path}: fmt::join() is in fmt/ranges.h, with fmt 11 only there")
            for header in headers:
                if header.startswith("sail/sail."):
                    header = "sail/include/" + header
                if (ROOT / header).is_file():
                    other = header.rpartition("/")[0]
                    if other != folder and not any(is_in(other, place) for place in may_use[folder]):
                        mistakes.append(f"{path}: {folder} may not use {header}")
                    continue
                for libraries, places in wrappers:
                    if header.startswith(tuple(libraries)) and not path.startswith(tuple(places)):
                        mistakes.append(f"{path}: {header} may be included only in {', '.join(places)}")
    return mistakes


def check_folders(rows):
    """Every folder that has files has a row, or is below a folder of a row that has no C or C++."""
    mistakes = []
    names = {first[0] for first, _ in rows}
    for top in PRODUCT:
        for folder in sorted(path for path in (ROOT / top).rglob("*") if path.is_dir() and path.name != "__pycache__"):
            files = sources_in(folder)
            name = folder.relative_to(ROOT).as_posix()
            if files and not any(is_in(name, row) for row in names):
                mistakes.append(f"{name}: ARCHITECTURE.md has no row for it")
    return mistakes


def sources_in(folder):
    return [path for path in folder.iterdir() if path.is_file() and path.suffix not in DOCUMENTS]


def check_sizes():
    mistakes = []
    for top in (*PRODUCT, "tests"):
        for folder in sorted(path for path in (ROOT / top).rglob("*") if path.is_dir()):
            if not NO_TESTS.isdisjoint(folder.relative_to(ROOT).parts):
                continue
            if (count := len(sources_in(folder))) > MOST_FILES:
                mistakes.append(f"{folder.relative_to(ROOT)}: {count} files, more than {MOST_FILES}: make subfolders")
    return mistakes


def check_names():
    mistakes = []
    allowed = {"CMakeLists.txt", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "FIGURES.md", "CHANGELOG.md",
               "SECURITY.md", "LICENSE"}
    folders = {*PRODUCT, "findings", "scripts", "tests"}
    for entry in ROOT.iterdir():
        if entry.name.startswith((".", "build")) or entry.name in ("report", "wall.png"):
            continue
        if entry.name not in (folders if entry.is_dir() else allowed):
            mistakes.append(f"{entry.name}: not a name of the top level")
    for folder in ("docs", "common", "utils", "util"):
        for entry in ROOT.rglob(folder):
            parts = entry.relative_to(ROOT).parts
            if entry.is_dir() and not parts[0].startswith((".", "build")) and "node_modules" not in parts:
                mistakes.append(f"{entry.relative_to(ROOT)}: no folder of that name here")
    return mistakes


def main():
    rows, wrappers = table("folder"), table("headers of a library")
    mistakes = [*check_table(rows), *check_includes(rows, wrappers), *check_folders(rows), *check_sizes(), *check_names()]
    print("\n".join(mistakes) or "layers: clean")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
