#!/usr/bin/env python3
"""What it costs to end a pipeline of GStreamer on a wall: CPU time of gst-launch-1.0 with vitrailsink beside that of bplay,
for the same film.

A wall of one tile on this machine's loopback. The film's pictures are not compressed, so that neither decodes; both play
it to its end at its own rate, one after the other, in turns.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/e2e")]

from harness import BIN, WallTest  # noqa: E402

PLUGINS = BIN.parent / "sail/bindings/gstreamer"


class OneTile(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [640, 360]}

    def runTest(self):
        """Not run: only the fixture's programs are used."""


def make_film(folder, options):
    film = pathlib.Path(folder) / "film.mkv"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={options.size}:r={options.fps}", "-t",
                    str(options.seconds), "-pix_fmt", "yuv420p", "-c:v", "rawvideo", film], check=True)
    return film


def cpu_ms(command, environment):
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {child.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--fps", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=5, help="of the film")
    parser.add_argument("--runs", type=int, default=5, help="of each")
    parser.add_argument("--codec", default="dxt1")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    wall = OneTile()
    with tempfile.TemporaryDirectory() as folder:
        film = make_film(folder, options)
        commands = {
            "bplay": [BIN / "bplay", "--quiet", "--codec", options.codec, film],
            "vitrailsink": ["gst-launch-1.0", "-q", "filesrc", f"location={film}", "!", "matroskademux", "!", "queue", "!",
                            "vitrailsink", f"codec={options.codec}"]}
        cpu = {name: [] for name in commands}
        try:
            wall.setUp()
            environment = wall.env(GST_PLUGIN_PATH=str(PLUGINS), GST_REGISTRY=f"{folder}/registry")
            cpu_ms(commands["vitrailsink"], environment)  # first run: writes the plugin registry
            for _ in range(options.runs):
                for name, command in commands.items():
                    cpu[name].append(cpu_ms(command, environment))
        finally:
            wall.doCleanups()
    frames = options.fps * options.seconds
    result = {name: statistics.median(each) / frames for name, each in cpu.items()}
    result = {"size": options.size, "codec": options.codec, "cpu_ms_per_frame": result,
              "ratio": result["vitrailsink"] / result["bplay"]}
    print(f"{options.size}, {options.codec}; CPU of the program a frame, its start included\n")
    for name, each in result["cpu_ms_per_frame"].items():
        print(f"{name:<12}{each:>8.2f} ms")
    print(f"{'ratio':<12}{result['ratio']:>8.2f}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
