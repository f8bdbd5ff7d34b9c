#!/usr/bin/env python3
"""What breaks, and how soon the wall is whole again: receivers on hosts of their own, behind a real sshd on loopback.

A test card plays at 30 frames a second on all tiles while receivers are killed, one at a time. Then a manager that
has a standby is killed, and another one stopped.
"""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from far_hosts import SSHD, FarHosts, free_port  # noqa: E402
from harness import BIN, eventually  # noqa: E402


class Wall:
    def __init__(self, folder, nodes):
        self.folder = pathlib.Path(folder)
        self.names = [f"node{i + 1}" for i in range(nodes)]
        hosts = [f"127.0.2.{i + 1}" for i in range(nodes)]
        self.hosts = FarHosts(folder, hosts)
        self.environment = {**os.environ, **self.hosts.environment, "XDG_STATE_HOME": folder, "NO_COLOR": "1",
                            "VITRAIL_MANAGER": f"127.0.0.1:{free_port()}"}
        columns = max(c for c in range(1, nodes + 1) if nodes % c == 0 and c * c <= nodes)
        receivers = [self.hosts.place(name, host, program=str(BIN / "vitrail-receiver"),
                                      environment={"VITRAIL_BENCH_NODE": f"{folder}/{name}"})
                     for name, host in zip(self.names, hosts)]
        self.file = self.folder / "wall.json"
        self.file.write_text(json.dumps({
            "name": "faults", "receivers": receivers,
            "grid": {"columns": columns, "rows": nodes // columns, "resolution": [320, 180]}}))

    def vitrail(self, *arguments):
        done = subprocess.run([BIN / "vitrail", *map(str, arguments)], env=self.environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"bench: vitrail {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def state(self):
        return json.loads(self.vitrail("stats", "--json"))

    def process(self, name):
        mark = f"VITRAIL_BENCH_NODE={self.folder}/{name}".encode()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0") \
                        and (entry / "comm").read_text().startswith("vitrail-rec"):
                    return int(entry.name)
            except OSError:
                pass
        return None

    def shown(self):
        return {r["name"]: r.get("stats", {}).get("frames_shown", 0) for r in self.state()["receivers"] if r["connected"]}


def rejoin_ms(wall, name):
    """From the end of a receiver until the manager has another one."""
    process = wall.process(name)
    began = time.monotonic()
    os.kill(process, signal.SIGKILL)
    eventually(lambda: wall.process(name) not in (None, process), f"{name} is started again")
    eventually(lambda: name in wall.shown(), f"{name} is connected")
    return (time.monotonic() - began) * 1e3


def film(wall):
    """The test card's figures; empty before the first ones have come."""
    window, = wall.state()["windows"]
    return window.get("stats", {"frames_shown": 0, "frames_dropped": 0})


def standby_takeover_ms(folder, lost_by, receivers=4):
    """From the loss of a manager until its standby has all receivers, while a film plays; and the frames it dropped."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    wall = folder / "wall.json"
    wall.write_text(json.dumps({"name": "standby", "grid": {"columns": receivers, "rows": 1, "resolution": [320, 180]}}))
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "NO_COLOR": "1"}
    with contextlib.ExitStack() as all_of_it:
        def start(program, *arguments):
            log = all_of_it.enter_context(open(folder / f"{program}.log", "a", encoding="utf-8"))
            process = subprocess.Popen([BIN / program, *map(str, arguments)], env=environment, stdout=log, stderr=log)
            all_of_it.callback(process.wait)
            all_of_it.callback(process.kill)
            return process

        def manager(name, *arguments):
            port = folder / f"{name}.port"
            process = start("vitrail-manager", "--wall", wall, "--listen", "127.0.0.1:0", "--port-file", port, "--page",
                            "off", "--state", folder / name, *arguments)
            eventually(lambda: port.exists() and port.read_text(), f"the {name} manager listens")
            return process, f"127.0.0.1:{port.read_text().strip()}"

        def state():
            told = subprocess.run([BIN / "vitrail", "stats", "--json"], env=environment, capture_output=True, text=True,
                                  check=False).stdout
            return json.loads(told) if told else {"receivers": [], "windows": []}

        def all_connected():
            return sum(receiver["connected"] for receiver in state()["receivers"]) == receivers

        def figures():
            return eventually(lambda: [w["stats"] for w in state()["windows"] if "stats" in w], "the film has figures")[0]

        first, environment["VITRAIL_MANAGER"] = manager("first")
        for i in range(receivers):
            start("vitrail-receiver", "--name", f"node{i + 1}", "--display=null")
        eventually(all_connected, "all receivers are connected")
        start("bplay", "--place", f"0,0,{320 * receivers}x180", "test:1280x720@30")
        before = figures()
        second = manager("second", "--standby-of", environment["VITRAIL_MANAGER"])[1]
        eventually((folder / "second" / "sessions" / "autosave.json").exists, "the standby knows of the film")
        began = time.monotonic()
        first.send_signal(lost_by)
        environment["VITRAIL_MANAGER"] = second
        eventually(all_connected, "the standby has all receivers")
        took_ms = (time.monotonic() - began) * 1e3
        return took_ms, figures()["frames_dropped"] - before["frames_dropped"]


def measure(options):
    with tempfile.TemporaryDirectory(prefix="vitrail-faults-") as folder:
        wall = Wall(folder, options.nodes)
        try:
            began = time.monotonic()
            wall.vitrail("up", "--fresh", wall.file)
            figures = {"nodes": options.nodes, "up_s": time.monotonic() - began}
            figures["up_s_per_node"] = figures["up_s"] / options.nodes
            wall.vitrail("play", "test:1280x720@30")
            wall.vitrail("fit", 1)
            eventually(lambda: len([n for n in wall.shown().values() if n > 0]) == options.nodes, "all show the test card")
            eventually(lambda: film(wall)["frames_shown"] > 0, "its figures have come")
            before = film(wall)
            times = [rejoin_ms(wall, wall.names[i % options.nodes]) for i in range(options.kills)]
            after = film(wall)
            eventually(lambda: film(wall)["frames_shown"] > after["frames_shown"] + 30, "the film goes on")
            figures["receiver_rejoin_ms_p50"] = statistics.median(times)
            figures["receiver_rejoin_ms_max"] = max(times)
            figures["frames_dropped"] = film(wall)["frames_dropped"] - before["frames_dropped"]
            began = time.monotonic()
            wall.vitrail("down")
            figures["down_s"] = time.monotonic() - began
            return {name: round(value, 3) for name, value in figures.items()}
        finally:
            subprocess.run([BIN / "vitrail", "down"], env=wall.environment, capture_output=True, check=False)
            wall.hosts.end()


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench faults", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=16, choices=range(1, 65), metavar="N", help="1 to 64 (%(default)s)")
    parser.add_argument("--kills", type=int, default=8, metavar="N", help="receivers that are killed (%(default)s)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="the figures, as JSON")
    options = parser.parse_args()
    if not SSHD:
        sys.exit("bench: needs sshd (openssh-server)")
    figures = measure(options)
    with tempfile.TemporaryDirectory(prefix="vitrail-standby-") as folder:
        for name, lost_by in (("killed", signal.SIGKILL), ("stopped", signal.SIGSTOP)):
            took_ms, dropped = standby_takeover_ms(folder, lost_by)
            figures[f"standby_takeover_ms_{name}"] = round(took_ms, 1)
            figures[f"standby_frames_dropped_{name}"] = dropped
    for name, value in figures.items():
        print(f"{name:24} {value}")
    if options.json:
        options.json.write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
