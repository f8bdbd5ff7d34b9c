#!/usr/bin/env python3
"""Carried streams: what a player's process costs when many receivers get its access units by multicast.

One film over UDP, on a wall of narrow tiles with a receiver each, on the loopback interface. The window covers one tile,
whose receiver gets packets of its own, and all tiles, whose receivers get one multicast group, in turn. So machine, film
and process are the same. CPU is that of the player, with the system's work for it; on the loopback interface this
includes the delivery of each packet to all receivers' sockets, which a network card and a switch do otherwise.

--cameras N: in place of this, N films stand for cameras, side by side on a wall of --nodes tiles with a receiver each. A
player for each sends access units (--codec carried) and, in another part of the round, blocks (--codec dxt1). The render
node is all players, a node its receiver with its decoders. 64 streams on 8 nodes:
  scripts/bench carried --cameras 64 --size 320x180 --nodes 8 --tile 640x360 --mbit 0.3
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

import bridged
import joined
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


def make_film(path, size, mbit, fps):
    """A film of about this rate: noise, which hardly compresses."""
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc2=size={size[0]}x{size[1]}:rate={fps},noise=alls=60:allf=t", "-t", "4", "-c:v", "libx264",
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
        film = FilmWall(wall, make_film(wall.folder / "film.mp4", (TILE[0] * receivers, TILE[1]), options.mbit, options.fps))
        for number in range(options.rounds):
            for tiles in costs if number % 2 == 0 else reversed(costs):
                costs[tiles].append(film.cost(tiles, options.seconds))
    return costs


# --- cameras

WAYS = ("dxt1", "carried")  # as today, and carried


def cpu_s(pids):
    """CPU time so far of the processes and of their descendants, with those that have ended."""
    parents, used = {}, {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # has just ended
            continue
        pid = int(stat.parent.name)
        parents[pid], used[pid] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS_PER_S

    def belongs(pid):
        while pid and pid not in pids:
            pid = parents.get(pid, 0)
        return pid in pids
    return sum(seconds for pid, seconds in used.items() if belongs(pid))


class CameraWall:
    def __init__(self, wall, film, cameras):
        self.wall, self.film = wall, film
        width, height = wall.call("list")["wall"]["size"]
        columns = math.ceil(math.sqrt(cameras))
        rows = math.ceil(cameras / columns)
        size = width // columns, height // rows
        self.places = [(i % columns * size[0], i // columns * size[1], *size) for i in range(cameras)]

    def stats(self):
        windows = self.wall.call("stats")["windows"]
        return {name: sum(window.get("stats", {}).get(name, 0) for window in windows) for name in ("bytes_sent", "frames_shown")}

    def usage(self, players):
        groups = {"players": {player.pid for player in players}, "nodes": {node.pid for node in self.wall.receivers.values()},
                  "manager": {self.wall.manager.pid}}
        return {"at": time.monotonic(), **self.stats(), **{name: cpu_s(pids) for name, pids in groups.items()}}

    def measure(self, way, seconds):
        """What a frame costs while all cameras play this way, and how many are shown."""
        shown = [self.wall.play("--codec", way, "--loop", "--place", "{},{},{}x{}".format(*place), self.film) for place in self.places]

        def all_play():
            windows = self.wall.call("stats")["windows"]
            return all(window.get("stats", {}).get("frames_shown", 0) > 10 for window in windows)
        eventually(all_play, "all cameras are shown", 120)
        players = [player for player, _ in shown]
        before = self.usage(players)
        time.sleep(seconds)
        after = self.usage(players)
        self.wall.call("close", windows=[window for _, window in shown])
        used = {name: value - before[name] for name, value in after.items()}
        span, frames = used.pop("at"), used.pop("frames_shown")
        if not frames:
            sys.exit(f"bench: no frame was shown in {span:.0f} s of {way}: use a longer --seconds or fewer --cameras")
        return {"fps": frames / span, **{name: value / frames for name, value in used.items()}}


def cameras(options):
    """Costs of a frame by way: a list with an entry for each round."""
    costs = {way: [] for way in WAYS}
    wall = BenchWall()
    columns = math.ceil(math.sqrt(options.nodes))
    wall.grid = {"columns": columns, "rows": math.ceil(options.nodes / columns), "resolution": list(options.tile)}
    with wall:
        film = make_film(wall.folder / "camera.mp4", options.size, options.mbit, options.fps)
        walls = CameraWall(wall, film, options.cameras)
        for number in range(options.rounds):
            for way in WAYS if number % 2 == 0 else reversed(WAYS):
                costs[way].append(walls.measure(way, options.seconds))
    return costs


def camera_figures(costs):
    """Medians of both ways, and the ratio of each figure to that of blocks in the median round."""
    for one in (cost for way in costs.values() for cost in way):
        one["all"] = one["players"] + one["nodes"]
    result = {}
    for name in ("players", "nodes", "all", "manager", "bytes_sent", "fps"):
        for way in WAYS:
            result[f"{name}_{way}"] = round(statistics.median(cost[name] for cost in costs[way]), 6)
        ratios = [new[name] / max(old[name], 1e-9) for old, new in zip(*costs.values())]
        result[f"{name}_ratio"] = round(statistics.median(ratios), 4)
    return result


CAMERA_GOALS = {"players": 0.05, "all": 0.7, "bytes_sent": 0.02}


def print_cameras(result):
    print(f"  {'a frame':<32} {'dxt1':>14} {'carried':>14} {'ratio':>8} {'goal':>6}")
    for name, what, factor in (("players", "CPU of the players, µs", 1e6), ("nodes", "CPU of all nodes, µs", 1e6),
                               ("all", "CPU of players and nodes, µs", 1e6), ("manager", "CPU of the manager, µs", 1e6),
                               ("bytes_sent", "bytes to the wall", 1), ("fps", "frames shown in a second", 1)):
        print(f"  {what:<32} {result[name + '_dxt1'] * factor:>14.1f} {result[name + '_carried'] * factor:>14.1f} "
              f"{result[name + '_ratio']:>8.4f} {CAMERA_GOALS.get(name, ''):>6}")


# --- one film by multicast


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


def print_multicast(options, result):
    print(f"  {'a frame, for':<24} {'1 receiver':>12} {str(options.receivers) + ' by group':>12} {'ratio':>8} {'least, most':>16} {'goal':>6}")
    for name, what in (("cpu_us", "CPU of the player, µs"), ("bytes", "bytes sent")):
        least, most = result[f"{name}_ratios"]
        print(f"  {what:<24} {result[name + '_of_one']:>12} {result[name + '_of_all']:>12} {result[name + '_ratio']:>8.3f} "
              f"{f'{least:.3f}, {most:.3f}':>16} {GOAL:>6}")
    print(f"  {'of these to each alone':<24} {'':>12} {result['bytes_alone']:>12}")


def sides(text):
    """WxH as two numbers."""
    width, height = map(int, text.split("x"))
    if min(width, height) < 16:
        raise ValueError(text)
    return width, height


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench carried", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--receivers", type=int, default=8, metavar="N", help="of the multicast group (%(default)s)")
    parser.add_argument("--rounds", type=int, default=9, metavar="N",
                        help="in each the film goes to one and to all, or a tile joins by a move and by a restart (%(default)s)")
    parser.add_argument("--seconds", type=float, default=5, metavar="S", help="of each measurement (%(default)s)")
    parser.add_argument("--mbit", type=float, default=4, metavar="RATE", help="of the film, Mbit/s (%(default)s)")
    parser.add_argument("--fps", type=int, default=30, metavar="N", help="of the film (%(default)s)")
    parser.add_argument("--part", choices=("multicast", "bridge", "join"), default="multicast",
                        help="multicast: as above; bridge: a stream of 60 fps between two walls, by a path of 50 ms that loses 1 %%; "
                             "join: how long until a tile joins a film with a key picture a second")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--cameras", type=int, metavar="N", help="compare N carried cameras with blocks, in place of multicast")
    parser.add_argument("--size", type=sides, default=(1920, 1080), metavar="WxH",
                        help="of the cameras', the bridge's and the joined film's pictures (1920x1080)")
    parser.add_argument("--nodes", type=int, default=4, metavar="N", help="of the cameras' wall, with a tile each (%(default)s)")
    parser.add_argument("--tile", type=sides, default=(1920, 1080), metavar="WxH", help="of the cameras' wall (1920x1080)")
    options = parser.parse_args()
    if options.receivers < 2 or min(options.rounds, options.mbit, options.fps, options.nodes) <= 0:
        parser.error("--receivers must be at least 2; --rounds, --mbit, --fps and --nodes positive")
    if options.cameras is not None and options.cameras < 1:
        parser.error("--cameras must be positive")
    if options.cameras:
        result = camera_figures(cameras(options))
        print_cameras(result)
    elif options.part == "bridge":
        result = bridged.figures(options.seconds, options.size, options.mbit)
        bridged.print_figures(result)
    elif options.part == "join":
        result = joined.figures(options.rounds, lambda path: make_film(path, options.size, options.mbit, options.fps))
        joined.print_figures(result)
    else:
        result = figures(multicast(options))
        print_multicast(options, result)
    if options.json:
        options.json.write_text(json.dumps(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
