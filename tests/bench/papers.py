#!/usr/bin/env python3
"""SHD over a wall as the papers described it, measured here, beside their figures.

Runs scripts/bench wall once for each row: a wall of 2x2 tiles on this machine's loopback. The paper's figures are those of
the research report on SAGE and the NTT codec for CineGrid (University of Amsterdam, 2008): what it measured with a 1080p clip, what it
calculated from that for SHD, and what it says of the hardware codec.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BITS_PER_PIXEL = 24  # of the pictures before compression, as the paper counts

# Name, size, frames a second, codec, 4:2:0?, transport, and the paper's: Mbit/s, ratio, remark.
ROWS = [
    ("DXT, 1080p", (1920, 1080), 24, "dxt1:fast", False, "tcp", (208.1, 7.2, "measured")),
    ("DXT, 1080p", (1920, 1080), 24, "dxt1:fast", False, "udp", (218.4, 6.8, "measured")),
    ("DXT, SHD", (3840, 2160), 24, "dxt1:fast", False, "tcp", (832, 7.2, "calculated")),
    ("DXT, SHD", (3840, 2160), 24, "dxt1:fast", False, "udp", (873.6, 6.8, "calculated")),
    ("DXT, SHD", (3840, 2160), 30, "dxt1:fast", False, "udp", (800, None, "documented")),
    ("DXT + LZ4, SHD", (3840, 2160), 24, "dxt1+lz4:fast", False, "tcp", (832, 7.2, "calculated")),
    ("JPEG 2000 (high throughput), SHD", (3840, 2160), 30, "htj2k:500mbit", True, "udp", (500, 12, "4 boards")),
    ("JPEG 2000 (high throughput), SHD, 4:4:4", (3840, 2160), 30, "htj2k:500mbit", False, "udp", (500, 12, "4 boards")),
    ("JPEG 2000 (Part 1), SHD", (3840, 2160), 30, "j2k:500mbit", True, "udp", (500, 12, "4 boards")),
]


def measure(program, row, options):
    name, size, fps, codec, yuv, transport, paper = row
    width, height = (side // options.shrink // 16 * 16 for side in size)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "figures.json"
        command = [program, "--size", f"{width}x{height}", "--fps", str(fps), "--codec", codec, "--transport", transport,
                   "--seconds", str(options.seconds), "--json", path]
        if yuv:
            command.append("--yuv")
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: {name}: {done.stderr.strip()}")
        figures = json.loads(path.read_text())
    raw_bytes = width * height * BITS_PER_PIXEL / 8
    shown = figures["fps_shown"]
    return {
        "name": name, "codec": codec, "size": [width, height], "fps": fps, "subsampled": yuv, "transport": transport,
        "fps_shown": shown,
        "mbit_per_s": figures["mbit_per_s"],
        "ratio": raw_bytes / figures["bytes_per_frame"] if figures["bytes_per_frame"] else None,
        "cores_sender": figures["cpu_ms_per_frame_sender"] * shown / 1000,
        "cores_receivers": figures["cpu_ms_per_frame_receivers"] * shown / 1000,
        "psnr_db": figures["psnr_db"],
        "paper": dict(zip(("mbit_per_s", "ratio", "what"), paper)),
    }


def print_table(results):
    head = (f"{'what':<40} {'codec':<15} {'over':<4} {'fps':>9} {'Mbit/s':>8} {'ratio':>6} "
            f"{'cores, both ends':>17} {'PSNR dB':>8}   the paper")
    print(head)
    print("-" * len(head))
    for row in results:
        paper = row["paper"]
        ratio = f", {paper['ratio']:g}:1" if paper["ratio"] else ""
        print(f"{row['name']:<40} {row['codec']:<15} {row['transport']:<4} {row['fps_shown']:>4.1f}/{row['fps']:<4} "
              f"{row['mbit_per_s']:>8.0f} {row['ratio'] or 0:>5.1f}: "
              f"{row['cores_sender']:>7.2f} + {row['cores_receivers']:<7.2f} {row['psnr_db']:>8.2f}   "
              f"{paper['mbit_per_s']:g} Mbit/s{ratio} ({paper['what']})")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench papers", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10, help="for each row (10)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--shrink", type=int, default=1, metavar="N",
                        help="sides divided by N: to see that it runs (1)")
    options = parser.parse_args()
    program = os.environ.get("WALL_BENCH", "build/bin/wall_bench")
    results = []
    for number, row in enumerate(ROWS, 1):
        print(f"\r{number}/{len(ROWS)} {row[0]:<45}", end="", file=sys.stderr, flush=True)
        results.append(measure(program, row, options))
    print("\r" + " " * 55 + "\r", end="", file=sys.stderr)
    print_table(results)
    print("\nOn loopback, manager, sender and four receivers on this machine; bits of blocks that two tiles\n"
          "show count twice. Not kept up where fewer frames are shown than asked for.")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
