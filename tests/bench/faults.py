#!/usr/bin/env python3
"""What breaks, and how soon the wall recovers: receivers on separate machines, behind a real sshd.

A test card plays at 30 frames a second on all tiles while receivers are killed, cables pulled, and the manager, a
receiver and the player stopped for a while, one at a time; and for comparison while nothing happens
(calm_frames_lost): on a busy host, frames are lost then, too. Then a manager that has a standby is killed, another one
stopped, and a third one cut off from its standby. A live source falls silent. Finally, one receiver is unreachable.
Machines are network namespaces, which need root; without root, loopback addresses are used, and no cable is pulled.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from cut_wall import CutWall  # noqa: E402
from far_hosts import SSHD, FarHosts  # noqa: E402
from harness import BIN, eventually, free_port  # noqa: E402
from machines import Machines, why_not  # noqa: E402

FPS = 30
CALM_S = 10  # about as long as two pulled cables take


def state_of(reported):
    """Parses the output of `vitrail stats --json`; without output (the manager does not listen yet) no receiver is connected."""
    return json.loads(reported) if reported else {"receivers": [], "windows": []}


class Wall:
    def __init__(self, folder, nodes):
        self.folder = pathlib.Path(folder)
        self.names = [f"node{i + 1}" for i in range(nodes)]
        self.cables = not why_not()
        self.hosts = Machines(self.folder, nodes) if self.cables else \
            FarHosts(self.folder, [f"127.0.2.{i + 1}" for i in range(nodes)])
        manager = f"{self.hosts.here}:7440" if self.cables else f"127.0.0.1:{free_port()}"
        self.environment = {**os.environ, **self.hosts.environment, "XDG_STATE_HOME": folder, "NO_COLOR": "1",
                            "VITRAIL_KEY_FILE": f"{folder}/key", "VITRAIL_MANAGER": manager}
        self.vitrail("key", "new", f"{folder}/key")
        columns = max(c for c in range(1, nodes + 1) if nodes % c == 0 and c * c <= nodes)
        rows = nodes // columns
        self.size = f"{320 * columns}x{180 * rows}"
        receivers = [self.hosts.place(name, host, program=str(BIN / "vitrail-receiver"),
                                      environment={"VITRAIL_BENCH_NODE": f"{folder}/{name}"})
                     for name, host in zip(self.names, self.hosts.hosts)]
        self.file = self.folder / "wall.json"
        self.file.write_text(json.dumps({
            "name": "faults", "receivers": receivers,
            "grid": {"columns": columns, "rows": rows, "resolution": [320, 180]}}))

    def ask(self, *arguments):
        words = [BIN / "vitrail", *arguments]
        words = self.hosts.words(self.hosts.here, *words) if self.cables else [str(word) for word in words]
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False)

    def vitrail(self, *arguments):
        done = self.ask(*arguments)
        if done.returncode != 0:
            sys.exit(f"bench: vitrail {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def state(self):
        return state_of(self.ask("stats", "--json").stdout)

    def receiver(self, name):
        return self.process("vitrail-rec", f"VITRAIL_BENCH_NODE={self.folder}/{name}")

    def process(self, program, variable=None):
        mark = (variable or f"XDG_STATE_HOME={self.folder}").encode()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0") \
                        and (entry / "comm").read_text().startswith(program):
                    return int(entry.name)
            except OSError:
                pass
        return None

    def shown(self):
        return {r["name"]: r.get("stats", {}).get("frames_shown", 0) for r in self.state()["receivers"] if r["connected"]}


def ms_until(condition, what):
    began = time.monotonic()
    eventually(condition, what)
    return (time.monotonic() - began) * 1e3


def goes_on(wall, name):
    """Returns the time in ms until an absent receiver is back and shows a new frame."""
    spent = ms_until(lambda: name in wall.shown(), f"{name} is connected")
    before = wall.shown().get(name, 0)
    return spent + ms_until(lambda: wall.shown().get(name, 0) > before, f"{name} goes on")


def reported(wall, name):
    """Waits for a receiver's next report. Returns its time, and the number of frames shown."""
    before = wall.shown()[name]
    eventually(lambda: wall.shown().get(name, before) != before, f"{name} tells its figures")
    return time.monotonic(), wall.shown()[name]


def lost_while(wall, fault):
    """Returns the fault's result, and the number of frames that an unaffected receiver (the last one) missed from just
    before until a second after the fault; accurate to two or three frames, because it reports once a second."""
    began, before = reported(wall, wall.names[-1])
    result = fault()
    reported(wall, wall.names[-1])
    ended, after = reported(wall, wall.names[-1])
    return result, max(0, round((ended - began) * FPS) - (after - before))


def kill_receiver(wall, name):
    process = wall.receiver(name)
    os.kill(process, signal.SIGKILL)
    spent = ms_until(lambda: wall.receiver(name) not in (None, process), f"{name} is started again")
    return spent + ms_until(lambda: name in wall.shown(), f"{name} is connected")


def pull_cable(wall, name):
    host = wall.hosts.hosts[wall.names.index(name)]
    wall.hosts.link(host, "down")
    while name in wall.shown():
        time.sleep(0.5)  # polling takes CPU time from the 16 receivers
    wall.hosts.link(host, "up")
    return goes_on(wall, name)


def kill_manager(wall):
    process = wall.process("vitrail-man")
    os.kill(process, signal.SIGKILL)
    spent = ms_until(lambda: wall.process("vitrail-man") not in (None, process), "the manager is started again")
    return spent + ms_until(lambda: len(wall.shown()) == len(wall.names), "all receivers are back")


def stop_process(wall, process, seconds):
    os.kill(process, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(process, signal.SIGCONT)
    return ms_until(lambda: len(wall.shown()) == len(wall.names), "all receivers are back") + goes_on(wall, wall.names[0])


def play(wall, figures):
    began = time.monotonic()
    wall.vitrail("up", "--fresh", wall.file)
    figures["up_s"] = time.monotonic() - began
    figures["up_s_per_node"] = figures["up_s"] / len(wall.names)
    wall.vitrail("play", f"test:{wall.size}@{FPS}")
    wall.vitrail("fit", 1)
    eventually(lambda: len([n for n in wall.shown().values() if n > 0]) == len(wall.names), "all show the test card")


def measure(wall, options, figures):
    figures["calm_frames_lost"] = lost_while(wall, lambda: time.sleep(CALM_S))[1]
    names = [wall.names[i % (options.nodes - 1)] for i in range(max(options.kills, options.cables, 1))]
    times, lost = lost_while(wall, lambda: [kill_receiver(wall, name) for name in names[:options.kills]])
    figures["receiver_rejoin_ms"] = statistics.median(times or [0])
    figures["receiver_rejoin_ms_max"] = max(times, default=0)
    figures["frames_lost_receivers_killed"] = lost
    if wall.cables:
        times, lost = lost_while(wall, lambda: [pull_cable(wall, name) for name in names[:options.cables]])
        figures["node_link_flap_ms"] = max(times, default=0)
        figures["frames_lost_link_flaps"] = lost
    figures["manager_killed_ms"], figures["frames_lost_manager_killed"] = lost_while(wall, lambda: kill_manager(wall))
    for what, process in (("manager", wall.process("vitrail-man")), ("receiver", wall.receiver(names[0]))):
        spent, lost = lost_while(wall, lambda process=process: stop_process(wall, process, options.stop))
        figures[f"{what}_stopped_back_ms"] = spent
        figures[f"frames_lost_{what}_stopped"] = lost
    figures["player_stopped_back_ms"] = stop_process(wall, wall.process("bplay"), options.stop)


class Programs(contextlib.ExitStack):
    """Programs on loopback; ended with the block."""

    def __init__(self, folder, columns):
        super().__init__()
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.wall = self.folder / "wall.json"
        self.columns = columns
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.folder), "NO_COLOR": "1"}
        self.wall.write_text(json.dumps({
            "name": "faults", "grid": {"columns": columns, "rows": 1, "resolution": [320, 180]}}))

    def start(self, program, *arguments):
        log = self.enter_context(open(self.folder / f"{program}.log", "a", encoding="utf-8"))
        process = subprocess.Popen([BIN / program, *map(str, arguments)], env=self.environment, stdout=log, stderr=log)
        self.callback(process.wait)
        self.callback(process.kill)
        return process

    def manager(self, name, *arguments):
        port = self.folder / f"{name}.port"
        process = self.start("vitrail-manager", "--wall", self.wall, "--listen", "127.0.0.1:0", "--port-file", port,
                             "--page", "off", "--state", self.folder / name, *arguments)
        eventually(lambda: port.exists() and port.read_text(), f"the {name} manager listens")
        return process, f"127.0.0.1:{port.read_text().strip()}"

    def receiver(self, number, *arguments):
        return self.start("vitrail-receiver", "--name", f"node{number}", "--display=null", *arguments)

    def reported(self, *arguments):
        return subprocess.run([BIN / "vitrail", *arguments], env=self.environment, capture_output=True, text=True,
                              check=False).stdout

    def state(self):
        return state_of(self.reported("stats", "--json"))

    def all_connected(self):
        return sum(receiver["connected"] for receiver in self.state()["receivers"]) == self.columns

    def shown(self, name):
        return next((r.get("stats", {}).get("frames_shown", 0) for r in self.state()["receivers"] if r["name"] == name), 0)

    def figures(self):
        return eventually(lambda: [w["stats"] for w in self.state()["windows"] if "stats" in w], "the film has figures")[0]


def standby_takeover_ms(folder, lost_by, receivers=4):
    """Time from the loss of a manager until its standby has all receivers, while a film plays; and the frames dropped."""
    with Programs(folder, receivers) as wall:
        first, wall.environment["VITRAIL_MANAGER"] = wall.manager("first")
        for i in range(receivers):
            wall.receiver(i + 1)
        eventually(wall.all_connected, "all receivers are connected")
        wall.start("bplay", "--place", f"0,0,{320 * receivers}x180", "test:1280x720@30")
        before = wall.figures()
        second = wall.manager("second", "--standby-of", wall.environment["VITRAIL_MANAGER"])[1]
        eventually((wall.folder / "second" / "sessions" / "autosave.json").exists, "the standby knows of the film")
        began = time.monotonic()
        first.send_signal(lost_by)
        wall.environment["VITRAIL_MANAGER"] = second
        eventually(wall.all_connected, "the standby has all receivers")
        took_ms = (time.monotonic() - began) * 1e3
        return took_ms, wall.figures()["frames_dropped"] - before["frames_dropped"]


def partition_heal_ms(folder, seconds):
    """Cuts the network between a manager and its standby for this time. Returns the time from its repair until all
    receivers show the film under the active manager, in one window, by one player."""
    wall = CutWall(tempfile.mkdtemp(dir=folder))
    try:
        wall.begin()
        wall.cut(True)
        time.sleep(seconds)
        wall.cut(False)
        wall.asked_at = wall.second
        return ms_until(lambda: len(wall.shown()) == 3 and len(wall.state()["windows"]) == len(wall.players()) == 1,
                        "one manager has all receivers, and one player the window") + ms_until_frames(wall)
    finally:
        wall.end()


def ms_until_frames(wall):
    began = time.monotonic()
    wall.wait_for_frames()
    return (time.monotonic() - began) * 1e3


def unreachable_receiver_fps_others(folder, transport, seconds):
    """Frame rate of a receiver next to an unreachable one, measured from a second after the film's start."""
    with Programs(folder, 2) as wall, socket.create_server(("127.0.0.1", 0)) as silent:
        wall.environment["VITRAIL_MANAGER"] = wall.manager("first")[1]
        wall.receiver(1)
        wall.receiver(2, "--announce-port", silent.getsockname()[1])  # accepts connections, but never answers
        eventually(wall.all_connected, "all receivers are connected")
        wall.start("bplay", "--transport", transport, "--place", "0,0,640x180", f"test:640x180@{FPS}")
        eventually(lambda: wall.state()["windows"], "its window opens")
        time.sleep(1)

        def report(before):
            count = eventually(lambda: (now := wall.shown("node1")) != before and now, "node1 reports")
            return time.monotonic(), count
        began, first = report(wall.shown("node1"))
        ended, last = began, first
        while ended - began < seconds:
            ended, last = report(last)
        return (last - first) / (ended - began)


def silent_source_named_ms(folder):
    """Time from the end of a live source's sender until the window's health reports a silent source."""
    with Programs(folder, 1) as wall, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"udp://127.0.0.1:{probe.getsockname()[1]}"
        probe.close()
        wall.environment["VITRAIL_MANAGER"] = wall.manager("first")[1]
        wall.receiver(1)
        eventually(wall.all_connected, "the receiver is connected")
        sender = subprocess.Popen(["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i",
                                   "testsrc2=s=320x180:r=25", "-c:v", "mpeg2video", "-g", "12", "-f", "mpegts",
                                   url + "?pkt_size=1316"])
        wall.callback(sender.wait)
        wall.callback(sender.kill)
        wall.start("bplay", url)
        eventually(lambda: wall.figures()["frames_shown"] > 50, "the film is shown")
        sender.kill()
        return ms_until(lambda: any(w.get("health", {}).get("cause") == "silent" for w in wall.state()["windows"]),
                        "the silent source is named")


def run(options):
    with tempfile.TemporaryDirectory(prefix="vitrail-faults-") as folder:
        wall = Wall(folder, options.nodes)
        try:
            figures = {"nodes": options.nodes}
            play(wall, figures)
            measure(wall, options, figures)
            began = time.monotonic()
            wall.vitrail("down")
            figures["down_s"] = time.monotonic() - began
            return {name: round(value, 3) for name, value in figures.items()}
        finally:
            subprocess.run([BIN / "vitrail", "down"], env=wall.environment, capture_output=True, check=False)
            wall.hosts.end()


def soak(options, folder):
    """Runs random changes, joins, leaves and kills for a while. Returns the results."""
    reported = pathlib.Path(folder) / "soak.json"
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    # About eight changes a second.
    done = subprocess.run([BIN / "soak_bench", "--minutes", str(options.soak), "--seed", str(seed), "--json", reported,
                           "--changes", str(max(1, round(options.soak * 500)))], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return json.loads(reported.read_text())


def tell(figures, file):
    for name, value in figures.items():
        print(f"{name:32} {value}")
    if file:
        known = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps({**known, **figures}) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench faults", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=16, choices=range(2, 65), metavar="N", help="2 to 64 (%(default)s)")
    parser.add_argument("--kills", type=int, default=8, metavar="N", help="receivers that are killed (%(default)s)")
    parser.add_argument("--cables", type=int, default=2, metavar="N", help="cables that are pulled (%(default)s)")
    parser.add_argument("--stop", type=float, default=10, metavar="S", help="how long processes are stopped (%(default)s)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="the figures, as JSON; what else FILE has stays, as that of --soak does")
    parser.add_argument("--soak", type=float, metavar="MINUTES",
                        help="instead: random changes of a wall of 8 tiles with 6 streams for so long (30 is a good "
                             "time), receivers and applications that come, go and are killed; memory and descriptors "
                             "by then, and whether the pixels are right")
    parser.add_argument("--seed", type=int, metavar="N", help="of --soak; printed, and random unless given")
    options = parser.parse_args()
    if options.soak:
        with tempfile.TemporaryDirectory(prefix="vitrail-soak-") as folder:
            return tell(soak(options, folder), options.json)
    if not SSHD:
        sys.exit("bench: needs sshd (openssh-server)")
    figures = run(options)
    with tempfile.TemporaryDirectory(prefix="vitrail-standby-") as folder:
        for name, lost_by in (("killed", signal.SIGKILL), ("stopped", signal.SIGSTOP)):
            took_ms, dropped = standby_takeover_ms(folder, lost_by)
            figures[f"standby_takeover_ms_{name}"] = round(took_ms, 1)
            figures[f"standby_frames_dropped_{name}"] = dropped
        figures["silent_source_named_ms"] = round(silent_source_named_ms(folder), 1)
        if not why_not():
            figures["partition_heal_ms"] = round(partition_heal_ms(folder, max(3, options.stop)), 1)
        figures["unreachable_receiver_fps_others"] = round(min(
            unreachable_receiver_fps_others(folder, transport, options.stop) for transport in ("tcp", "udp")), 1)
    figures["standby_takeover_ms"] = max(value for name, value in figures.items() if "takeover_ms" in name)
    figures["frames_lost_others"] = sum(value for name, value in figures.items() if name.startswith("frames_lost_")) + \
        sum(value for name, value in figures.items() if name.startswith("standby_frames_dropped_"))
    return tell(figures, options.json)


if __name__ == "__main__":
    main()
