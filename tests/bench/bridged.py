"""Bridges between walls: latency, losses and CPU of one carried stream over a bad path (`scripts/bench carried --part bridge`).

Two walls of one tile on this machine. The bad path (`vitrail impair`) is once between the near wall and the bridge, as if the
bridge ran at the far wall's site, and once between the bridge and the far wall. Latency is from the near wall's player to the
far wall's swap; in the second place from the bridge. The machine must be quiet: both walls decode the film.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

from bench_wall import BenchWall

from harness import eventually, free_port

WAY_MS = 50
MOST_LATENCY_MS = WAY_MS + 100
MOST_CPU_PCT = 5
FPS = 60
PLACES = ("far", "near")  # the wall at whose site the bridge runs


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Wall(BenchWall):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    wall_keys = {"transport": "udp"}


class FarWall(Wall):
    """Its receiver is reached by the bad path."""

    def start_receiver(self, name):
        data, path = bad_path(self)
        self.receivers[name] = self.start("vitrail-receiver", "--manager", f"127.0.0.1:{self.port}", "--name", name,
                                          "--display=null", "--data-port", data, "--announce-port", path)
        return self.receivers[name]


def bad_path(wall):
    """Starts a path that delays and loses packets; returns (port behind the path, its entry)."""
    data, path = (free_port(kind=socket.SOCK_DGRAM) for _ in range(2))
    wall.start("vitrail", "impair", "--listen", f"127.0.0.1:{path}", "--to", f"127.0.0.1:{data}", "--delay", f"{WAY_MS}ms",
               "--loss", "1%", "--seed", "7")
    return data, path


def make_film(folder, size, mbit):
    path = folder / "film.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc2=size={size[0]}x{size[1]}:rate={FPS}", "-t", "4", "-c:v", "libx264", "-preset", "ultrafast",
                    "-pix_fmt", "yuv420p", "-g", str(FPS), "-b:v", f"{mbit}M", "-maxrate", f"{mbit}M", "-bufsize", f"{mbit / 4}M", path],
                   check=True)
    return path


def stats_of(wall):
    windows = wall.call("stats")["windows"]
    return windows[0].get("stats", {}) if windows else {}


def counted(*walls):
    """The figures of paused films, which are reported once a second."""
    before = None
    while True:
        now = [stats_of(wall) for wall in walls]
        frames = [(stats["frames_shown"], stats["frames_dropped"]) for stats in now]
        if frames == before:
            return now
        before = frames
        time.sleep(1.5)


def start_bridge(near, far, place):
    ports = zip(("--data-port", "--announce-port"), bad_path(near)) if place == "far" else ()
    return near.start("vitrail-bridge", f"127.0.0.1:{far.port}", "all", "--json", *(word for pair in ports for word in pair))


def measure(place, seconds, size, mbit):
    """The figures of one bridge, at the site of the near or the far wall."""
    with Wall() as near, (Wall() if place == "far" else FarWall()) as far:
        near.play("--codec", "carried", "--loop", "--place", "0,0,320x180", make_film(near.folder, size, mbit))
        bridge = start_bridge(near, far, place)
        eventually(lambda: stats_of(far).get("frames_shown", 0) > 2 * FPS, "the far wall shows the film", 60)
        near.call("control", window=1, action="pause")
        before = counted(near, far)
        near.call("control", window=1, action="resume")
        used, began = cpu_s(bridge.pid), time.monotonic()
        time.sleep(seconds)
        cpu_pct = 100 * (cpu_s(bridge.pid) - used) / (time.monotonic() - began)
        latency = stats_of(far)
        if not latency["latency_ms_p50"]:
            sys.exit("bench: the far wall has shown nothing for a second: the machine is too busy; try a smaller --size")
        near.call("control", window=1, action="pause")
        after = counted(near, far)
        bridge.send_signal(signal.SIGTERM)
        bridge.wait()
        way_ms = json.loads(near.output(bridge).splitlines()[-1]).get("way_ms", 0)
        shown_near, shown_far = (now["frames_shown"] - then["frames_shown"] for now, then in zip(after, before))
        return {"way_ms": way_ms,
                **{f"latency_ms_{p}": round(latency[f"latency_ms_{p}"] + way_ms, 1) for p in ("p50", "p99")},
                "frames_near": shown_near, "frames_far": shown_far, "frames_lost": shown_near - shown_far,
                "cpu_pct": round(cpu_pct, 1)}


def figures(seconds, size, mbit):
    return {f"{place}_{name}": value for place in PLACES for name, value in measure(place, seconds, size, mbit).items()}


def print_figures(result):
    print(f"  {WAY_MS} ms each way, 1 % loss; bridge at".ljust(42) + " the far wall  the near wall     goal")
    for what, name, goal in (("from the near wall to the bridge, ms", "way_ms", ""), ("latency, ms (median)", "latency_ms_p50", MOST_LATENCY_MS),
                             ("latency, ms (p99)", "latency_ms_p99", ""), ("frames shown on the near wall", "frames_near", ""),
                             ("of these not on the far wall", "frames_lost", 0),
                             ("CPU of the bridge, % of a core", "cpu_pct", MOST_CPU_PCT)):
        print(f"  {what:<40}{result['far_' + name]:>13}{result['near_' + name]:>15}{goal:>9}")
