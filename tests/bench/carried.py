#!/usr/bin/env python3
"""Carried streams: what a player's process costs when many receivers get its access units by multicast.

One film over UDP, on a wall of narrow tiles with a receiver each, on the loopback interface. The window covers one tile,
whose receiver gets packets of its own, and all tiles, whose receivers get one multicast group, in turn. So machine, film
and process are the same. CPU is that of the player, with the system's work for it; on the loopback interface this
includes the delivery of each packet to all receivers' sockets, which a network card and a switch do otherwise.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import bridged
from bench_wall import BenchWall

from harness import eventually

GOAL = 1.1
TILE = (80, 90)
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Usage:
    """What the player has used so far; two of these give a cost per frame."""

    def __init__(self, pid, stats):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        self.cpu_s = (int(fields[11]) + int(fields[12])) / TICKS_PER_S
        self.frames = stats["frames_sent"]
        self.bytes = stats["bytes_sent"]
        self.bytes_alone = sum(link["bytes_sent"] for link in stats["links"] if link.get("multicast"))

    def since(self, before):
        frames = self.frames - before.frames
        return {"cpu_us": (self.cpu_s - before.cpu_s) / frames * 1e6, "bytes": (self.bytes - before.bytes) / frames,
                "bytes_alone": (self.bytes_alone - before.bytes_alone) / frames}


class FilmWall:
    """A wall on which one carried film plays."""

    def __init__(self, wall, film):
        self.wall = wall
        self.player, self.window = wall.play("--codec", "carried", "--transport", "udp", "--loop", "--place",
                                             f"0,0,{TILE[0]}x{TILE[1]}", film)

    def stats(self):
        windows = self.wall.call("stats")["windows"]
        return next((window.get("stats", {}) for window in windows if window["window"] == self.window), {})

    def next_usage(self):
        """The usage at the next report of the player, which comes once a second."""
        before = self.stats().get("frames_sent", 0)

        def reported():
            stats = self.stats()
            return stats if stats.get("frames_sent", 0) > before else None
        stats = eventually(reported, "the film plays")
        return Usage(self.player.pid, stats)

    def cover(self, tiles):
        self.wall.call("place", windows=[{"window": self.window, "rect": [0, 0, TILE[0] * tiles, TILE[1]]}])

        def routed():
            links = self.stats().get("links", [])
            by_group = [link for link in links if link.get("multicast")]
            return len(links) == tiles and len(by_group) == (tiles if tiles > 1 else 0)
        eventually(routed, f"{tiles} receivers get the film by the group" if tiles > 1 else "one receiver gets the film")
        self.next_usage()  # the report during the change

    def cost(self, tiles, seconds):
        """The player's cost per frame while this many tiles show the film."""
        self.cover(tiles)
        before = self.next_usage()
        time.sleep(seconds)
        return self.next_usage().since(before)


def make_film(path, tiles, mbit, fps):
    """A film of about this rate: noise, which hardly compresses."""
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc2=size={TILE[0] * tiles}x{TILE[1]}:rate={fps},noise=alls=60:allf=t", "-t", "4", "-c:v", "libx264",
                    "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", str(fps), "-b:v", f"{mbit}M", "-maxrate", f"{mbit}M",
                    "-bufsize", f"{mbit / 4}M", path], check=True)
    return path


def multicast(options):
    """Costs per frame by number of receivers: a list with an entry for each round."""
    receivers = options.receivers
    costs = {1: [], receivers: []}
    wall = BenchWall()
    wall.grid = {"columns": receivers, "rows": 1, "resolution": list(TILE)}
    wall.wall_keys = {"multicast": "239.77.1.0/24"}
    with wall:
        film = FilmWall(wall, make_film(wall.folder / "film.mp4", receivers, options.mbit, options.fps))
        for number in range(options.rounds):
            for tiles in costs if number % 2 == 0 else reversed(costs):
                costs[tiles].append(film.cost(tiles, options.seconds))
    return costs


def figures(costs):
    """Medians, and the ratio of each figure with the many receivers to that with one, in the median round."""
    one, many = costs.values()
    result = {"receivers": max(costs)}
    for name in ("cpu_us", "bytes"):
        result[f"{name}_of_one"] = round(statistics.median(cost[name] for cost in one))
        result[f"{name}_of_all"] = round(statistics.median(cost[name] for cost in many))
        ratios = sorted(b[name] / a[name] for a, b in zip(one, many))
        result[f"{name}_ratio"] = round(statistics.median(ratios), 3)
        result[f"{name}_ratios"] = [round(ratios[0], 3), round(ratios[-1], 3)]
    result["bytes_alone"] = round(statistics.median(cost["bytes_alone"] for cost in many))
    return result


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench carried", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--receivers", type=int, default=8, metavar="N", help="of the multicast group (%(default)s)")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="in each the film goes to one and to all (%(default)s)")
    parser.add_argument("--seconds", type=float, default=5, metavar="S", help="of each measurement (%(default)s)")
    parser.add_argument("--mbit", type=float, default=4, metavar="RATE", help="of the film, Mbit/s (%(default)s)")
    parser.add_argument("--fps", type=int, default=30, metavar="N", help="of the film (%(default)s)")
    parser.add_argument("--part", choices=("multicast", "bridge"), default="multicast",
                        help="multicast: as above; bridge: a 1080p60 stream between two walls, by a path of 50 ms that loses 1 %%")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to this file, too")
    options = parser.parse_args()
    if options.receivers < 2 or min(options.rounds, options.mbit, options.fps) <= 0:
        parser.error("--receivers must be at least 2; --rounds, --mbit and --fps positive")
    result = bridged.measure(options.seconds, options.mbit) if options.part == "bridge" else figures(multicast(options))
    if options.json:
        options.json.write_text(json.dumps(result) + "\n")
    if options.part == "bridge":
        bridged.print_figures(result)
        return 0
    print(f"  {'a frame, for':<24} {'1 receiver':>12} {str(options.receivers) + ' by group':>12} {'ratio':>8} {'least, most':>16} {'goal':>6}")
    for name, what in (("cpu_us", "CPU of the player, µs"), ("bytes", "bytes sent")):
        least, most = result[f"{name}_ratios"]
        print(f"  {what:<24} {result[name + '_of_one']:>12} {result[name + '_of_all']:>12} {result[name + '_ratio']:>8.3f} "
              f"{f'{least:.3f}, {most:.3f}':>16} {GOAL:>6}")
    print(f"  {'of these to each alone':<24} {'':>12} {result['bytes_alone']:>12}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
