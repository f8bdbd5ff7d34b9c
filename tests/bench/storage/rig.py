"""Simulated machines of a storage: a gateway, three servers and a reader in network namespaces, with their processes and mounts."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "ui/lab"))

from vitrail_lab.spaces import Spaces  # noqa: E402

SERVERS = ("one", "two", "three")
NODES = ("gate", *SERVERS, "reader")
LINK = {"rate": "1gbit"}
READ_AHEAD_KB = 16384  # as our programs advise for mounts
PATIENCE_S = 120
END_S = 10  # for a process that was killed


class Failed(Exception):
    """A sentence: what an engine could not do here."""


class Rig:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.spaces = Spaces(NODES)
        self.started = []
        self.mounts = []

    def address(self, node):
        return self.spaces.addresses[node]

    def words(self, node):
        """The prefix of commands that run on the node. Unlike `ip netns exec`, they share our mounts."""
        return ["nsenter", f"--net=/run/netns/{self.spaces.names[node]}"]

    def place(self, *names):
        path = self.folder.joinpath(*names)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def start(self, node, *command, env=None):
        log = self.folder / f"log{len(self.started)}-{pathlib.Path(command[0]).name}"
        with open(log, "wb") as file:
            process = subprocess.Popen([*self.words(node), *map(str, command)], stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                       env={**os.environ, **(env or {})})
        self.started.append(process)
        return process

    def run(self, node, *command, env=None):
        """Runs a command to its end, and returns its output."""
        try:
            done = subprocess.run([*self.words(node), *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=PATIENCE_S, check=False, env={**os.environ, **(env or {})})
        except subprocess.TimeoutExpired:
            raise Failed(f"{' '.join(map(str, command))} takes more than {PATIENCE_S} s") from None
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()[-300:]}")
        return done.stdout

    def wait(self, condition, what):
        """Waits until the condition is true; a condition that fails is not true yet."""
        until_s = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(Failed, subprocess.TimeoutExpired):
                if condition():
                    return
            if time.monotonic() > until_s:
                raise Failed(f"after {PATIENCE_S} s still not: {what}")
            time.sleep(0.2)

    def mount(self, *command):
        """Mounts by a command that gets the mount point as its last word. Returns the mount point."""
        path = self.place("mount")
        self.mounts.append(path)
        self.run("reader", *command, path)
        self.wait(lambda: os.path.ismount(path), f"{command[0]} has mounted")
        device = self.run("reader", "mountpoint", "-d", path).strip()
        pathlib.Path(f"/sys/class/bdi/{device}/read_ahead_kb").write_text(str(READ_AHEAD_KB))
        return path

    def unmount(self):
        for path in self.mounts:
            subprocess.run(["umount", "-l", path], capture_output=True, check=False)
        self.mounts = []

    def limit(self):
        """From now on, what each server sends is limited. What the reader takes is not."""
        for node in NODES[:-1]:
            self.spaces.limit(node, LINK)

    def cut(self, node, up=False):
        """Pulls the node's cable, or plugs it in."""
        self.spaces.ip("-n", self.spaces.switch, "link", "set", f"p{NODES.index(node)}", "up" if up else "down")

    def processes(self, node):
        """Numbers of all processes on the node, also those that its programs have started."""
        listed = subprocess.run([self.spaces.ip_path, "netns", "pids", self.spaces.names[node]], capture_output=True, text=True, check=False)
        return [int(process) for process in listed.stdout.split()]

    def kill(self, node):
        for process in self.processes(node):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def cpu_s(self):
        """CPU time that all processes have taken so far: those on the nodes, and those of ours that have ended."""
        ticks = 0
        for process in (process for node in NODES for process in self.processes(node)):
            with contextlib.suppress(OSError):
                words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                ticks += int(words[11]) + int(words[12])
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ticks / os.sysconf("SC_CLK_TCK") + ended.ru_utime + ended.ru_stime

    def end(self):
        try:
            self.unmount()
            for _ in range(2):  # again, for what was being started
                for node in NODES:
                    self.kill(node)
            for process in self.started:
                try:
                    process.wait(END_S)
                except subprocess.TimeoutExpired:  # the kernel does not let go of it
                    print(f"bench: process {process.pid} was killed and has not ended within {END_S} s", file=sys.stderr)
        finally:
            self.spaces.end()
