#!/usr/bin/env python3
"""Draws what scripts/bench link measures, TCP beside UDP, in the manner of the papers.

Runs the two in turns, so that a noisy machine is as noisy for both, and writes PNG files through gnuplot: the bandwidth over
time, the CPU of both ends, and the traffic of one second in bins of 10 ms and 1 ms.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRANSPORTS = ("tcp", "udp")
FIGURES = ("fps_shown", "frames_dropped", "mbit_per_s", "cpu_ms_per_frame_sender", "cpu_ms_per_frame_receivers",
           "cpu_ms_per_frame_transport", "latency_ms_p50", "latency_ms_p99", "packets_lost", "packets_mended_fec",
           "packets_mended_retransmit", "packets_retransmitted", "fec_overhead_pct", "overhead_pct", "burst_peak_to_mean_10ms",
           "burst_peak_to_mean_1ms")
HEAD = """set terminal pngcairo size 1000,500 font 'DejaVu Sans,11'
set output '{png}'
set title '{title}'
set xlabel '{xlabel}'
set ylabel '{ylabel}'
set grid
set key outside bottom center horizontal
set yrange [0:*]
"""


def measure(program, transport, options, link_options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "figures.json"
        command = [program, "--transport", transport, "--seconds", str(options.seconds), "--json", path, *link_options]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: {transport}: {done.stderr.strip()}")
        return json.loads(path.read_text())


def mean(values):
    return sum(values) / len(values) if values else 0


def table(runs):
    rows = [(name, *(mean([run.get(name, 0) for run in runs[transport]]) for transport in TRANSPORTS)) for name in FIGURES]
    lines = [f"{'mean of the runs':<32} {'TCP':>12} {'UDP':>12}"]
    lines += [f"{name:<32} {tcp:>12.2f} {udp:>12.2f}" for name, tcp, udp in rows]
    return "\n".join(lines)


def draw(folder, name, title, xlabel, ylabel, curves, style="lines lw 2"):
    """curves: [(label, xs, ys)]"""
    png = folder / f"{name}.png"
    script = HEAD.format(png=png, title=title, xlabel=xlabel, ylabel=ylabel)
    blocks = []
    plots = []
    for number, (label, xs, ys) in enumerate(curves):
        points = "\n".join(f"{x} {y}" for x, y in zip(xs, ys))
        blocks.append(f"$d{number} << EOD\n{points}\nEOD\n")
        plots.append(f"$d{number} using 1:2 with {style} title '{label}'")
    script += "".join(blocks) + "plot " + ", ".join(plots) + "\n"
    done = subprocess.run(["gnuplot"], input=script, text=True, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"bench: gnuplot: {done.stderr.strip()}")
    return png


def mbit(series, bin_ms):
    return [count * 8 / 1000 / bin_ms for count in series]


def draw_all(folder, runs, what):
    first = {transport: runs[transport][0]["series"] for transport in TRANSPORTS}
    over_time = [(transport.upper(), first[transport]["t_s"], first[transport]["mbit_per_s"]) for transport in TRANSPORTS]
    cpu = [(f"{transport.upper()} {end}", first[transport]["t_s"], first[transport][f"cpu_{end}_pct"])
           for transport in TRANSPORTS for end in ("sender", "receivers", "transport")]
    written = [
        draw(folder, "bandwidth", f"Bandwidth, {what}", "s", "Mbit/s", over_time),
        draw(folder, "cpu", f"CPU of both ends, {what}", "s", "% of a core", cpu),
        draw(folder, "latency", f"Latency (median), {what}", "s", "ms",
             [(transport.upper(), first[transport]["t_s"], first[transport]["latency_ms_p50"])
              for transport in TRANSPORTS]),
    ]
    for bin_ms, seconds in ((10, 1), (1, 0.2)):
        count = int(seconds * 1000 / bin_ms)
        curves = [(transport.upper(), [bin_ms * n for n in range(count)],
                   mbit(first[transport][f"traffic_bytes_{bin_ms}ms"][:count], bin_ms)) for transport in TRANSPORTS]
        written.append(draw(folder, f"traffic_{bin_ms}ms", f"Traffic in bins of {bin_ms} ms, {what}", "ms", "Mbit/s",
                            curves, "steps lw 2"))
    return written


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/bench report", description=__doc__.splitlines()[0],
        epilog="Other options go to scripts/bench link: --size, --fps, --codec, --impair …")
    parser.add_argument("--seconds", type=float, default=10, help="of each run (10)")
    parser.add_argument("--runs", type=int, default=1, help="of each transport, in turns (1)")
    parser.add_argument("--out", metavar="FOLDER", default="link-report", help="for the pictures (link-report)")
    parser.add_argument("--json", metavar="FILE", help="write the figures of all runs to this file, too")
    options, link_options = parser.parse_known_args()
    program = os.environ.get("LINK_BENCH", "build/bin/link_bench")
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    runs = {transport: [] for transport in TRANSPORTS}
    for number in range(options.runs):
        for transport in TRANSPORTS:
            print(f"\rrun {number + 1}/{options.runs}, {transport} ", end="", file=sys.stderr, flush=True)
            runs[transport].append(measure(program, transport, options, link_options))
    print("\r" + " " * 30 + "\r", end="", file=sys.stderr)
    text = table(runs)
    print(text)
    (folder / "figures.txt").write_text(text + "\n")
    for png in draw_all(folder, runs, " ".join(link_options) or "3840x2160 at 30 fps"):
        print(png)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(runs) + "\n")


if __name__ == "__main__":
    main()
