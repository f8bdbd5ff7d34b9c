#!/usr/bin/env python3
"""Checks that no function of kernels_LEVEL.cpp is in the objects of two levels: the linker keeps one copy, which may
need instructions that the processor lacks. Arguments: object files."""

import collections
import pathlib
import re
import subprocess
import sys


def shared_functions(objects):
    places = collections.defaultdict(set)
    for path in objects:
        names = subprocess.run(["nm", "--demangle", path], capture_output=True, text=True, check=True).stdout
        for name in re.findall(r"^[0-9a-f]+ W (.+)$", names, re.MULTILINE):
            places[name].add(pathlib.Path(path).name)
    return {name: found for name, found in places.items() if len(found) > 1}


def main():
    objects = [path for path in sys.argv[1:] if re.search(r"kernels_\w+\.cpp", path)]
    if len(objects) < 3:
        sys.exit(f"too few objects of kernels: {objects}")
    shared = shared_functions(objects)
    for name, found in sorted(shared.items()):
        print(f"{name}: in {', '.join(sorted(found))}. Give it the level as a template's parameter.")
    sys.exit(1 if shared else 0)


if __name__ == "__main__":
    main()
