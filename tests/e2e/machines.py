"""Machines for tests: network namespaces on one switch with their own addresses; `Machines` also run an sshd.

This machine's own network is not touched. Needs root and `ip` (iproute2).
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import threading

from far_hosts import SSHD, FarHosts
from harness import BIN, PATIENCE_S, eventually

IP = shutil.which("ip", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
SSH_PORT = 22


def why_no_network():
    """The reason why namespaces cannot be used here, or ""."""
    if not IP:
        return "needs ip (iproute2)"
    if os.getuid() != 0:
        return "needs root, to make network namespaces"
    name = f"vt{os.getpid()}try"
    tried = subprocess.run([IP, "netns", "add", name], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        return f"makes no network namespaces here: {tried.stderr.strip()}"
    subprocess.run([IP, "netns", "del", name], check=True)
    return ""


def why_not():
    """The reason why Machines cannot be used here, or ""."""
    return why_no_network() if SSHD else "needs sshd"


class Network:
    """Machines on one switch without an address; `run` runs at `here` by default."""

    here = "10.77.0.1"

    def __init__(self):
        self.spaces = {}  # name of the namespace by address; the switch's by "sw"
        self.switch = self.add_space("sw")
        self.ip("-n", self.switch, "link", "add", "switch", "type", "bridge")
        self.ip("-n", self.switch, "link", "set", "switch", "up")

    def add_space(self, name):
        space = f"vt{os.getpid()}{name}"
        self.ip("netns", "add", space)
        self.spaces[name] = space
        return space

    def add_machine(self, name, address, *more, device="eth0"):
        """Adds a machine, identified by its first address; `more` are further addresses with prefix lengths."""
        space = self.add_space(name)
        self.spaces[address] = self.spaces.pop(name)
        self.ip("-n", space, "link", "set", "lo", "up")
        self.ip("-n", self.switch, "link", "add", name, "type", "veth", "peer", "name", device, "netns", space)
        self.ip("-n", self.switch, "link", "set", name, "master", "switch", "up")
        if more:  # the only link-local address, if any, is one of `more`, and valid at once
            self.ip("-n", space, "link", "set", device, "addrgenmode", "none")
        for one in (f"{address}/16", *more):
            self.ip("-n", space, "addr", "add", one, "dev", device, *(["nodad"] if ":" in one else []))
        self.ip("-n", space, "link", "set", device, "up")

    @staticmethod
    def ip(*words):
        subprocess.run([IP, *words], check=True, capture_output=True)

    def words(self, address, *command):
        """The command line that runs the command on that machine."""
        return [IP, "netns", "exec", self.spaces[address], *map(str, command)]

    @contextlib.contextmanager
    def as_one_of(self, address):
        """Makes this thread's connections start from that machine. (Python's os.setns is newer than Debian's Python.)"""
        libc = ctypes.CDLL(None, use_errno=True)

        def go(path):
            with open(path, encoding="ascii") as space:
                if libc.setns(space.fileno(), 0) != 0:
                    raise OSError(ctypes.get_errno(), f"no way to {path}")
        with open(f"/proc/self/task/{threading.get_native_id()}/ns/net", encoding="ascii") as home:
            go(f"/run/netns/{self.spaces[address]}")
            try:
                yield
            finally:
                go(f"/proc/self/fd/{home.fileno()}")

    def run(self, program, *arguments, at=None, **options):
        """Runs one of Vitrail's programs, or another one, to its end."""
        path = BIN / program if (BIN / program).exists() else program
        return subprocess.run(self.words(at or self.here, path, *arguments),
                              **{"capture_output": True, "text": True, "check": False, "timeout": PATIENCE_S, **options})

    def end(self):
        for space in self.spaces.values():
            subprocess.run([IP, "netns", "del", space], capture_output=True, check=False)
        self.spaces = {}


class Machines(Network, FarHosts):
    """`count` hosts in addition to `here`."""

    def __init__(self, folder, count):
        self.spaces = {}
        self.sshds = []
        hosts = [f"10.77.{i // 250}.{i % 250 + 2}" for i in range(count)]
        try:
            Network.__init__(self)
            self.add_machine("here", self.here)
            for number, host in enumerate(hosts):
                self.add_machine(f"m{number}", host)
            FarHosts.__init__(self, folder, hosts, SSH_PORT)
        except BaseException:
            self.end()
            raise

    def link(self, address, state):
        """Unplugs or plugs in the machine's cable; state: "down" or "up"."""
        self.ip("-n", self.spaces[address], "link", "set", "eth0", state)

    def start(self):
        os.makedirs("/run/sshd", exist_ok=True)
        for host in self.hosts:
            config = self.folder / f"sshd_config.{host}"
            config.write_text(self.sshd_config([host]))
            self.sshds.append(subprocess.Popen(self.words(host, SSHD, "-D", "-e", "-f", config), stderr=subprocess.DEVNULL))
        for host in self.hosts:
            eventually(lambda host=host: self.run("ssh", "-F", self.folder / "config", "-o", "ConnectTimeout=1", host, "true")
                       .returncode == 0, f"sshd on {host} listens")

    def end(self):
        for sshd in self.sshds:
            sshd.terminate()
            sshd.wait()
        Network.end(self)
