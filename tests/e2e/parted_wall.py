"""A wall of four machines that can be cut from each other in every way, each way for itself.

The manager, its standby, the two receivers and the player of the film have a machine each. A manager that ends because
another one took over is started again, as `vitrail up` does.
"""

import json
import os
import pathlib
import re
import subprocess
import time

from cut_wall import CutWall
from harness import BIN, eventually, key_named
from web import request

PARTIES = ("manager", "standby", "receivers", "senders")
EXIT_OUTRUN = 4
NOWHERE = "02:00:00:00:00:01"  # no machine has this address of a network card
PAGE_PORT = 7441
LOG_LINES = 60  # of each log, for the message of a failed test
FAKETIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


class PartedWall(CutWall):
    PLACE = "0,0,640x180"

    def __init__(self, folder):
        super().__init__(folder, machines=3)
        self.at = dict(zip(PARTIES, (self.machines.here, *self.machines.hosts)))
        self.first, self.second = self.at["manager"], self.at["standby"]
        self.wall.write_text(json.dumps({"name": "cut", "grid": {"columns": 2, "rows": 1, "resolution": [320, 180]}}))
        self.managers = {}  # process by name
        self.rulers = {}  # by term: the names of the managers that ruled it
        for party in PARTIES:
            self.set_clock(party, 0)

    def begin(self):
        """Starts everything; returns when both receivers show the film and the standby knows of the film."""
        self.managers["manager"] = self.start_manager("manager", self.first)
        self.managers["standby"] = self.start_manager("standby", self.second, "--standby-of", f"{self.first}:7440")
        eventually(lambda: "standing by for" in self.said("standby"), "the standby follows")
        for name in ("node1", "node2"):
            self.start(name, self.at["receivers"], "vitrail-receiver", "--manager", f"{self.first}:7440", "--name", name,
                       "--display=null")
        eventually(lambda: len(self.shown()) == 2, "both receivers are connected")
        self.start("player", self.at["senders"], "bplay", "--manager", f"{self.first}:7440", "--place", self.PLACE,
                   f"test:640x180@{self.FPS}")
        self.wait_for_frames(2)
        eventually((self.folder / "standby" / "sessions" / "autosave.json").exists, "the standby knows of the film")

    def start_manager(self, name, machine, *arguments):
        return self.start(name, machine, "vitrail-manager", "--wall", self.wall, "--listen", f"{machine}:7440", "--page",
                          f"127.0.0.1:{PAGE_PORT}", "--state", self.folder / name, "--restore", "autosave", *arguments)

    def start(self, name, machine, program, *arguments):
        party, = [party for party, address in self.at.items() if address == machine]
        fakes = {}
        if FAKETIME and not os.environ.get("VITRAIL_SANITIZE"):
            fakes = {"LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": self.clock(party), "FAKETIME_NO_CACHE": 1,
                     "DONT_FAKE_MONOTONIC": 1, "FAKETIME_DONT_RESET": 1}
        words = self.machines.words(machine, "env", *(f"{key}={value}" for key, value in fakes.items()), BIN / program, *arguments)
        with open(self.folder / f"{name}.log", "a", encoding="utf-8") as log:
            process = subprocess.Popen(words, stdout=log, stderr=log, env=self.env)
        self.processes.append(process)
        return process

    def clock(self, party):
        return self.folder / f"{party}.clock"

    def set_clock(self, party, seconds):
        """Moves the machine's real-time clock; libfaketime reads the file once a second."""
        new = self.clock(party).with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        os.replace(new, self.clock(party))

    # --- cables

    def block(self, senders, receivers, wanted=True):
        """What these machines send to those is lost silently, or arrives again."""
        for sender in senders:
            for receiver in receivers:
                self.machines.ip("-n", self.machines.spaces[self.at[sender]], "neigh", *(
                    ("replace", self.at[receiver], "lladdr", NOWHERE, "dev", "eth0", "nud", "permanent") if wanted else
                    ("del", self.at[receiver], "dev", "eth0")))

    def received_bytes(self):
        """The number of bytes that have come to the receivers' machine."""
        devices = self.machines.run("cat", "/proc/net/dev", at=self.at["receivers"]).stdout
        return int(re.search(r"eth0: *(\d+)", devices)[1])

    # --- managers

    def term_of(self, name):
        """The term in which this manager rules, asked at its own machine; None: it does not rule."""
        named = {"Authorization": f"Bearer {key_named(self.env['VITRAIL_KEY'], 'metrics')}"}
        with self.machines.as_one_of(self.at[name]):
            try:
                status, _, body = request(PAGE_PORT, "GET", "/metrics", headers=named)
            except OSError:
                return None
        return int(float(re.search(rb"^vitrail_term (\S+)$", body, re.MULTILINE)[1])) if status == 200 else None

    def look(self):
        """Notes who rules now, starts managers that were outrun again, and returns {manager: term}."""
        found = {}
        for name, process in list(self.managers.items()):
            ended = process.poll()
            if ended == EXIT_OUTRUN:
                self.managers[name] = self.start_manager(name, self.at[name])
            elif ended is not None:
                raise AssertionError(f"{name} ended with {ended}: {self.said(name)}")
            elif term := self.term_of(name):
                found[name] = term
                self.rulers.setdefault(term, set()).add(name)
        return found

    def look_for(self, seconds):
        began = time.monotonic()
        eventually(lambda: self.look() is not None and time.monotonic() - began > seconds, f"{seconds} s are over")

    def ask(self, name, *words):
        """One command at this manager's machine; returns the process."""
        return self.machines.run("vitrail", "--manager", f"{self.at[name]}:7440", *words, at=self.at[name],
                                 env={**self.env, "XDG_STATE_HOME": str(self.folder / f"console-{name}")})

    def explained(self):
        """Each manager's answers about its wall, what runs where, and the ends of all logs: for the message of a failed test."""
        parts = [f"rulers by term: {self.rulers}; players: {self.players()}"]
        for name in self.managers:
            for words in (("why",), ("ls",), ("history",)):
                try:
                    told = self.ask(name, *words)
                    parts.append(f"--- {name}: vitrail {words[0]}: {told.returncode}\n{told.stdout}{told.stderr}")
                except subprocess.TimeoutExpired:
                    parts.append(f"--- {name}: vitrail {words[0]}: no answer")
        for party, address in self.at.items():
            running = ", ".join(f"{pid} {self.name_of(pid)}" for pid in self.machines.run(
                "ip", "netns", "pids", self.machines.spaces[address]).stdout.split())
            sockets = self.machines.run("ss", "-tnpo", at=address)
            parts.append(f"--- at {party} ({address}): {running}\n{sockets.stdout}")
        for log in sorted(self.folder.rglob("*.log")):
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
            parts.append("\n".join([f"--- {log.relative_to(self.folder)}", *lines[-LOG_LINES:]]))
        return "\n".join(parts)

    def listed(self):
        listed = self.machines.run("vitrail", "--manager", f"{self.asked_at}:7440", "ls", "--json", at=self.asked_at,
                                   env={**self.env, "XDG_STATE_HOME": str(self.folder / "console")})
        return json.loads(listed.stdout) if listed.returncode == 0 else {}
