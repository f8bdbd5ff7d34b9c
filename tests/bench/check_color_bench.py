#!/usr/bin/env python3
"""Runs the colour benchmark on a small frame and checks its output, never its speed.

check_color_bench.py PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "figures.json"
        subprocess.run([sys.argv[1], "--quick", "--seconds", "0.02", "--json", path], check=True)
        figures = json.loads(path.read_text())
    assert list(figures) == ["mpixel_per_s", "delta_e_mean", "delta_e_p99"], figures
    speeds = figures["mpixel_per_s"]
    assert {"reference", "memory-limit"} <= set(speeds), speeds
    assert all(speed > 0 for speed in speeds.values()), speeds
    assert 0 < figures["delta_e_mean"] < 0.6 and figures["delta_e_p99"] < 2.5, figures


if __name__ == "__main__":
    main()
