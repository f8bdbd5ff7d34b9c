"""Bridges between walls: latency, losses and CPU of one carried stream over a bad path (`scripts/bench carried --part bridge`).

Two walls of one tile on this machine. The far wall's receiver is behind `vitrail impair`. Latency is from the bridge, which has
the whole frame, to the far wall's swap. The machine must be quiet: both walls decode the film.
"""

import os
import pathlib
import socket
import subprocess
import sys
import time

from bench_wall import BenchWall

from harness import eventually

WAY_MS = 50
MOST_LATENCY_MS = WAY_MS + 100
MOST_CPU_PCT = 5
SIZE = (1920, 1080)
FPS = 60


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Wall(BenchWall):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    wall_keys = {"transport": "udp"}


class FarWall(Wall):
    """Its receiver is reached by a path that delays and loses packets."""

    def start_receiver(self, name):
        ports = []
        for _ in range(2):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
                free.bind(("127.0.0.1", 0))
                ports.append(free.getsockname()[1])
        data, path = ports
        self.start("vitrail", "impair", "--listen", f"127.0.0.1:{path}", "--to", f"127.0.0.1:{data}", "--delay", f"{WAY_MS}ms",
                   "--loss", "1%", "--seed", "7")
        self.receivers[name] = self.start("vitrail-receiver", "--manager", f"127.0.0.1:{self.port}", "--name", name,
                                          "--display=null", "--data-port", data, "--announce-port", path)
        return self.receivers[name]


def make_film(folder, mbit):
    path = folder / "film.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc2=size={SIZE[0]}x{SIZE[1]}:rate={FPS}", "-t", "4", "-c:v", "libx264", "-preset", "ultrafast",
                    "-pix_fmt", "yuv420p", "-g", str(FPS), "-b:v", f"{mbit}M", "-maxrate", f"{mbit}M", "-bufsize", f"{mbit / 4}M", path],
                   check=True)
    return path


def stats_of(wall):
    windows = wall.call("stats")["windows"]
    return windows[0].get("stats", {}) if windows else {}


def measure(seconds, mbit):
    """The figures of one bridge."""
    with Wall() as near, FarWall() as far:
        near.play("--codec", "carried", "--loop", "--place", "0,0,320x180", make_film(near.folder, mbit))
        bridge = near.start("vitrail-bridge", f"127.0.0.1:{far.port}", "all")
        eventually(lambda: stats_of(far).get("frames_shown", 0) > 2 * FPS, "the far wall shows the film")
        before, used, began = stats_of(far), cpu_s(bridge.pid), time.monotonic()
        time.sleep(seconds)
        after = stats_of(far)
        took = time.monotonic() - began
        if bridge.poll() is not None:
            sys.exit("bench: the bridge ended: " + near.output(bridge))
        return {"latency_ms_p50": round(after["latency_ms_p50"], 1), "latency_ms_p99": round(after["latency_ms_p99"], 1),
                "frames_shown": after["frames_shown"] - before["frames_shown"],
                "frames_lost": sum(after["dropped"][cause] - before["dropped"][cause] for cause in ("lost", "incomplete", "unsent")),
                "frames_dropped": after["frames_dropped"] - before["frames_dropped"],
                "cpu_pct": round(100 * (cpu_s(bridge.pid) - used) / took, 1)}


def print_figures(result):
    print(f"  {'a bridge, ' + str(WAY_MS) + ' ms, 1 % loss':<32} {'measured':>10} {'goal':>8}")
    for what, name, goal in (("latency, ms (median)", "latency_ms_p50", MOST_LATENCY_MS), ("latency, ms (p99)", "latency_ms_p99", ""),
                             ("frames shown", "frames_shown", ""), ("frames lost", "frames_lost", 0),
                             ("frames dropped, all causes", "frames_dropped", ""), ("CPU of the bridge, % of a core", "cpu_pct", MOST_CPU_PCT)):
        print(f"  {what:<32} {result[name]:>10} {goal:>8}")
