"""A wall of three machines whose network can be cut between manager and standby.

The manager, a receiver and the player run on the first machine; a receiver and the standby on the second; and a
third receiver on the third. So the standby's side has the majority of receivers.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess

from harness import BIN, eventually
from machines import Machines


class CutWall:
    FPS = 30

    def __init__(self, folder, machines=2):
        self.folder = pathlib.Path(folder)
        self.processes = []
        self.machines = Machines(self.folder, machines)
        self.first, self.second, self.third = (self.machines.here, *self.machines.hosts)[:3]
        self.asked_at = self.first
        self.env = {"PATH": f"{BIN}:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.folder), "NO_COLOR": "1",
                    "VITRAIL_KEY": "a secret of sixteen", "XDG_STATE_HOME": str(self.folder), "VITRAIL_ANNOUNCE": "off"}
        self.wall = self.folder / "wall.json"
        self.wall.write_text(json.dumps({"name": "cut", "grid": {"columns": 3, "rows": 1, "resolution": [320, 180]}}))

    def begin(self):
        """Starts everything; returns when all three receivers show the film."""
        manager = self.start_manager("first", self.first)
        self.start_manager("second", self.second, "--standby-of", f"{self.first}:7440")
        eventually(lambda: "standing by for" in self.said("second"), "the standby follows")
        for name, machine in (("node1", self.first), ("node2", self.second), ("node3", self.third)):
            self.start(name, machine, "vitrail-receiver", "--manager", f"{self.first}:7440", "--name", name, "--display=null")
        eventually(lambda: len(self.shown()) == 3, "all receivers are connected")
        self.start("player", self.first, "bplay", "--manager", f"{self.first}:7440", "--place", "0,0,960x180",
                   f"test:960x180@{self.FPS}")
        self.wait_for_frames()
        eventually((self.folder / "second" / "sessions" / "autosave.json").exists, "the standby knows of the film")
        return manager

    def start(self, name, machine, program, *arguments):
        with open(self.folder / f"{name}.log", "a", encoding="utf-8") as log:
            process = subprocess.Popen(self.machines.words(machine, BIN / program, *arguments), stdout=log, stderr=log,
                                       env=self.env)
        self.processes.append(process)
        return process

    def start_manager(self, name, machine, *arguments):
        return self.start(name, machine, "vitrail-manager", "--wall", self.wall, "--listen", f"{machine}:7440", "--page",
                          "off", "--state", self.folder / name, *arguments)

    def said(self, name):
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def cut(self, wanted):
        """Unplugs the first machine at the switch, so that it keeps its own address."""
        self.machines.ip("-n", self.machines.switch, "link", "set", "here", "down" if wanted else "up")

    def state(self):
        reported = self.machines.run("vitrail", "--manager", f"{self.asked_at}:7440", "stats", "--json", at=self.asked_at,
                                 env={**self.env, "XDG_STATE_HOME": str(self.folder / "console")})
        return json.loads(reported.stdout) if reported.returncode == 0 else {"receivers": [], "windows": []}

    def shown(self):
        return {r["name"]: r.get("stats", {}).get("frames_shown", 0) for r in self.state()["receivers"] if r["connected"]}

    def wait_for_frames(self, receivers=3):
        before = self.shown()
        eventually(lambda: len(now := self.shown()) == receivers and all(now[name] > before.get(name, 0) for name in now),
                   "all receivers show something new")

    def programs(self):
        """What runs on any machine."""
        return [pid for machine in (self.machines.here, *self.machines.hosts)
                for pid in self.machines.run("ip", "netns", "pids", self.machines.spaces[machine]).stdout.split()]

    def players(self):
        """The players that run on any machine."""
        return [pid for pid in self.programs() if self.name_of(pid) == "bplay"]

    @staticmethod
    def name_of(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()
        for pid in self.programs():  # players that a killed manager started
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        self.machines.end()
