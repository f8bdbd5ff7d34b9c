#!/usr/bin/env python3
"""Checks all documents: lines of at most 120 columns except in tables, links that exist, the version of the project, and
tables that agree with the measurements."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 120
MEASURED = re.compile(r"^\| measured .*\n\|---.*\n((?:\|.*\n)+)", re.MULTILINE)  # README.md's table
LONGEST_README = 150  # lines


def main():
    mistakes = []
    for document in sorted(ROOT.rglob("*.md")):
        name = document.relative_to(ROOT).as_posix()
        if name.startswith((".", "build")) or "node_modules" in name:
            continue
        text = document.read_text(encoding="utf-8")
        lines = text.splitlines()
        mistakes += [f"{name}:{number}: {len(line)} columns, more than {COLUMNS}"
                     for number, line in enumerate(lines, 1) if len(line) > COLUMNS and not line.startswith("|")]
        links = (link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link)
        mistakes += [f"{name}: {link} is not there" for link in links if not (document.parent / link).exists()]
        if name == "README.md" and len(lines) > LONGEST_README:
            mistakes.append(f"{name}: {len(lines)} lines, more than {LONGEST_README}")
        if name == "README.md":
            reported = (row.strip("| ").split(" | ")[-1] for row in MEASURED.search(text)[1].splitlines())
            mistakes += [f"{name}: nobody knows where {cell} was measured: it wants a comment as in scripts/figures --help"
                         for cell in reported if re.search(r"(?<![\d.>])\d", re.sub(r"<!--.*?-->", ">", cell))]
    version = re.search(r"^project\(vitrail VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
    if newest != version:
        mistakes.append(f"CHANGELOG.md: its newest version is {newest}, the project's {version}")
    measured = subprocess.run([sys.executable, ROOT / "scripts/figures", "--check"], capture_output=True, text=True, check=False)
    mistakes += measured.stderr.strip().splitlines()
    print("\n".join(mistakes) or "documents: clean")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
