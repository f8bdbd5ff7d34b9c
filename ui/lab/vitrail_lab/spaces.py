"""Simulated hosts: network namespaces with an address each, connected by one switch. Needs root, `ip` and `tc`.

The machine's own network is not changed. The names of namespaces contain the lab's process id, so that the next lab can
remove those of a lab that was killed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping

from .mistake import Mistake

PREFIX = "vtlab"
SBIN = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
LATENCY = "50ms"  # longest time that a packet waits in the rate limiter


def ip_program() -> str:
    path = shutil.which("ip", path=SBIN)
    if not path:
        raise Mistake("hosts", "namespaces need `ip` (iproute2)")
    if os.getuid() != 0:
        raise Mistake("hosts", "namespaces need root")
    return path


class Spaces:
    def __init__(self, names: Iterable[str]) -> None:
        self.names = {name: f"{PREFIX}{os.getpid()}-{number}" for number, name in enumerate(names)}
        self.addresses = {name: f"10.78.{number // 250}.{number % 250 + 1}" for number, name in enumerate(self.names)}
        self.switch = f"{PREFIX}{os.getpid()}-sw"
        self.limits: dict[str, Mapping[str, str]] = {}
        if not self.names:
            return
        self.ip_path = ip_program()
        self.sweep_up()
        try:
            self.make()
        except BaseException:
            self.end()
            raise

    def make(self) -> None:
        self.ip("netns", "add", self.switch)
        self.ip("-n", self.switch, "link", "add", "switch", "type", "bridge")
        self.ip("-n", self.switch, "link", "set", "switch", "up")
        for number, (name, space) in enumerate(self.names.items()):
            self.ip("netns", "add", space)
            self.ip("-n", space, "link", "set", "lo", "up")
            self.ip("-n", self.switch, "link", "add", f"p{number}", "type", "veth", "peer", "name", "eth0", "netns", space)
            self.ip("-n", self.switch, "link", "set", f"p{number}", "master", "switch", "up")
            self.ip("-n", space, "addr", "add", f"{self.addresses[name]}/16", "dev", "eth0")
            self.ip("-n", space, "link", "set", "eth0", "up")

    def ip(self, *words: str) -> None:
        done = subprocess.run([self.ip_path, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Mistake("hosts", f"cannot create namespaces: {done.stderr.strip()}")

    def words(self, name: str) -> list[str]:
        """Return the prefix of commands that run in the namespace."""
        return [self.ip_path, "netns", "exec", self.names[name]]

    def limit(self, name: str, limits: Mapping[str, str]) -> None:
        """Limit the outgoing traffic of the namespace: `rate` by tbf, `delay` and `loss` by netem."""
        if self.limits.get(name, {}) == limits:
            return
        self.limits[name] = limits
        where = ["dev", "eth0"]
        place = f"host {name}"
        self.tc(name, place, "qdisc", "replace", *where, "root", "pfifo")
        parent = ["root", "handle", "1:"]
        if limits.get("rate"):
            self.tc(name, f"{place}, rate", "qdisc", "replace", *where, *parent, "tbf", "rate", limits["rate"],
                    "burst", "256kb", "latency", LATENCY)
            parent = ["parent", "1:1", "handle", "2:"]
        bad = [word for limit in ("delay", "loss") if limits.get(limit) for word in (limit, limits[limit])]
        if bad:
            self.tc(name, f"{place}, {bad[0]}", "qdisc", "replace", *where, *parent, "netem", *bad)

    def tc(self, name: str, place: str, *words: str) -> None:
        path = shutil.which("tc", path=SBIN)
        if not path:
            raise Mistake(place, "limits need `tc` (iproute2)")
        done = subprocess.run([path, "-n", self.names[name], *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            hint = "; this kernel may lack netem; `vitrail impair` simulates delay and loss without it" if "netem" in words else ""
            raise Mistake(place, f"{' '.join(done.stderr.split())}{hint}")

    def sweep_up(self) -> None:
        """Remove the namespaces of labs whose process has ended."""
        listed = subprocess.run([self.ip_path, "netns", "list"], capture_output=True, text=True, check=False).stdout
        for space in (line.split()[0] for line in listed.splitlines() if line.startswith(PREFIX)):
            process = space.removeprefix(PREFIX).partition("-")[0]
            if process.isdigit() and not os.path.exists(f"/proc/{process}"):
                subprocess.run([self.ip_path, "netns", "del", space], capture_output=True, check=False)

    def end(self) -> None:
        for space in [*self.names.values(), self.switch] if self.names else []:
            subprocess.run([self.ip_path, "netns", "del", space], capture_output=True, check=False)
        self.names = {}
