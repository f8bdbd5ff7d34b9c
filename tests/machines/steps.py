"""The steps of the test, in order. Each is a function of the Wall; its first line says what it shows."""

import collections
import json
import re
import subprocess
import time

import picture
from machine import DISPLAY, PATIENCE_S, Failed, eventually
from page import good_codes

LIST = "/etc/apt/sources.list.d/vitrail.list"
FILM = "vitrail play --loop /films/film.vmov"
KIOSK = "vitrail-kiosk"
OUTPUTS = ("Virtual-1", "Virtual-2")  # the kernel's names of QEMU's displays
PRESENTER = "a password for anna\n"


class Wall:
    """The head, its nodes, and the page that says how to set them up."""

    def __init__(self, head, nodes, page):
        self.head, self.nodes, self.page = head, nodes, page
        self.exports = []
        self.times = {}

    @property
    def machines(self):
        """All machines."""
        return [self.head, *self.nodes]

    def follow(self, title, machine):
        """Runs the commands of one section of the page on a machine."""
        for command in self.page.commands(title, "head" if machine is self.head else "node"):
            if command.startswith("export "):
                self.exports.append(command)
            self.run(machine, command)

    def run(self, machine, command):
        """Runs a command as at the prompt of the page's reader, and returns what it printed."""
        exports = self.exports if machine is self.head else []
        began = time.monotonic()
        said = machine.run("; ".join(["export NO_COLOR=1", *exports, command]), good_codes(command), PRESENTER)
        self.times[f"{machine.name}: {command}"] = time.monotonic() - began
        return said

    def vitrail(self, words):
        """What `vitrail … --json` prints on the head, as an object; None while the manager does not answer."""
        ran = self.head.ssh("; ".join([*self.exports, f"vitrail {words} --json"]), patience=120)
        try:
            return json.loads(ran.stdout.strip().splitlines()[-1]) if ran.returncode in (0, 1, 4) else None
        except (IndexError, ValueError):
            return None

    def is_connected(self, node):
        """Whether the manager has the node's receiver; None while the manager does not answer."""
        state = self.vitrail("ls")
        if not state or "receivers" not in state:
            return None
        return any(receiver["name"] == node.name and receiver["connected"] for receiver in state["receivers"])

    def waits_for_update(self, node):
        """Whether the node's receiver runs although a newer one is installed."""
        problems = (self.vitrail("ls") or {}).get("health", {}).get("problems", [])
        return any(problem["cause"] == "update" and problem.get("receiver") == node.name for problem in problems)

    def windows(self, node):
        """On how many displays the node's receiver says that it shows tiles; None while the manager does not answer."""
        for receiver in (self.vitrail("ls") or {}).get("receivers", []):
            if receiver["name"] == node.name:
                return len(receiver.get("stats", {}).get("display", {}).get("windows", []))
        return None

    def player(self):
        """The process number of the player of the film."""
        return self.head.ssh("pgrep -o bplay").stdout.strip()

    def stats(self):
        """The counters of all windows."""
        return [window.get("stats", {}) for window in (self.vitrail("stats") or {}).get("windows", [])]

    def shown(self):
        """The number of frames that the wall has shown."""
        return sum(counters.get("frames_shown", 0) for counters in self.stats())

    def lost(self):
        """The numbers of frames that the wall has not shown, by cause."""
        causes = collections.Counter()
        for counters in self.stats():
            causes.update({"skipped": counters.get("frames_skipped", 0), **counters.get("dropped", {})})
        return causes

    def difference(self, node):
        """How the node's display differs from the film at its place; "" if it shows the film."""
        state = self.vitrail("ls")
        if not state or "windows" not in state:
            return "the manager does not answer"
        film = next((window["rect"] for window in state["windows"] if window["title"] == "film.vmov"), None)
        tiles = [tile for tile in state["wall"]["tiles"] if tile["receiver"] == node.name]
        if film is None or not tiles:
            return "no film on the wall" if film is None else "the wall has no tile of this node"
        for tile in tiles:
            size, pixels = node.screendump(OUTPUTS.index(tile["output"]) if "output" in tile else 0)
            if list(size) != tile["size"]:
                return f"a display of {size[0]}×{size[1]} pixels"
            if different := picture.differences(film, [*tile["at"], *size], pixels):
                return f"{tile['name']}: {different}"
        return ""

    def change(self, file):
        """Starts the manager again with another wall file, while the players continue."""
        self.head.run("cat >/etc/vitrail/wall.json", text=file)
        self.head.run("systemctl restart vitrail-manager")

    def wait_for_film(self, what, nodes=()):
        """Waits until the displays of these nodes, or of all, show their parts of the film."""
        for node in nodes or self.nodes:
            seen = []
            try:
                eventually(lambda node=node, seen=seen: not seen.append(self.difference(node)) and not seen[-1], what)
            except Failed as late:
                raise Failed(f"{late}: {node.name}: {seen[-1]}") from late


def tell(said):
    """Prints a figure below its step's line."""
    print(" " * 10 + said, flush=True)


def slowness(machine):
    """How many times as long as this computer the machine takes for a loop."""
    loop = "TIMEFORMAT=%U; time for ((i = 0; i < 100000; i++)); do :; done"
    here = subprocess.run(["bash", "-c", loop], capture_output=True, text=True, check=True).stderr
    return float(machine.run(f"{{ {loop}; }} 2>&1")) / float(here)


def boot(wall):
    """all machines start"""
    for machine in wall.machines:
        machine.start()
    for machine in wall.machines:
        machine.wait()
        machine.run("findmnt /srv/vitrail")


def packages(wall):
    """Packages: apt installs them from the repository"""
    for machine in wall.machines:
        machine.run(f"echo 'deb [trusted=yes] file:/srv/vitrail ./' >{LIST}")
        wall.follow("Packages", machine)


def head(wall):
    """Head: wall, key, unit"""
    wall.follow("Head", wall.head)
    began = time.monotonic()
    for address in ("7440", "7480"):
        eventually(lambda port=address: wall.head.ssh(f"exec 3<>/dev/tcp/127.0.0.1/{port}").returncode == 0, f"the head listens at {address}")
    commands = sum(seconds for what, seconds in wall.times.items() if what.startswith("head: "))
    tell(f"the page is there {commands + time.monotonic() - began:.0f} s after the head's first command, apt update")


def node(wall):
    """Node: key, setup, check; the manager has all receivers"""
    for machine in wall.nodes:
        wall.follow("Node", machine)
        eventually(lambda node=machine: wall.is_connected(node), f"the manager has {machine.name}")


def films(wall):
    """Films: a converted film is on the display"""
    wall.head.run("cp /srv/vitrail/film.mkv .")
    wall.follow("Films", wall.head)
    wall.wait_for_film("the display shows the film")
    eventually(lambda: wall.shown() > 0, "frames are counted")


def guests(wall):
    """Page: addresses and people"""
    wall.follow("Page", wall.head)


def checks(wall):
    """Test: calibration, names, test card"""
    wall.follow("Test", wall.head)
    for machine in wall.nodes[1:]:
        eventually(lambda node=machine: picture.colours(node.screendump()[1]) > 20, f"{machine.name} shows the test card")
    # The test card keeps an emulated head busy.
    wall.run(wall.head, "vitrail close all")
    wall.run(wall.head, FILM)
    wall.wait_for_film("the display shows the film again")


def reboot_node(wall):
    """a node restarts: its picture comes back"""
    node = wall.nodes[0]
    node.restart()
    wall.wait_for_film("the picture is back")
    tell(f"{eventually(lambda: node.ssh('systemd-analyze').stdout, 'the system has started').partition(chr(10))[0]}")
    kernel = int(node.run("systemctl show -P UserspaceTimestampMonotonic")) / 1e6
    kiosk = int(node.run(f"systemctl show -P ExecMainStartTimestampMonotonic {KIOSK}")) / 1e6 - kernel
    journal = node.run("journalctl -b -t vitrail-receiver -g painted -n 1 -o json --output-fields=__MONOTONIC_TIMESTAMP")
    painted = int(json.loads(journal)["__MONOTONIC_TIMESTAMP"]) / 1e6 - kernel
    tell(f"after the kernel's start, the receiver starts in {kiosk:.1f} s, and its tiles are painted in {painted:.1f} s; "
         f"the node is {slowness(node):.0f} times as slow as this computer")


def crash_of_manager(wall):
    """the manager crashes: its player and the picture stay"""
    before = wall.player()
    wall.head.run("systemctl kill --kill-whom=main -s KILL vitrail-manager")
    eventually(lambda: wall.is_connected(wall.nodes[0]), "the manager is back and has the node")
    if wall.player() != before:
        raise Failed(f"the player {before} has not survived: {wall.player() or 'none'}")
    wall.wait_for_film("the picture is there")


def reboot_head(wall):
    """the head restarts: the film comes back"""
    wall.head.restart()
    eventually(wall.player, "the player is back")
    eventually(lambda: wall.shown() > 0, "frames are shown")
    wall.wait_for_film("the picture is there")


def power_cut(wall):
    """the power of a node is cut: its picture comes back"""
    wall.nodes[0].cut_power()
    eventually(lambda: wall.is_connected(wall.nodes[0]) is False, "the manager misses the node")
    wall.nodes[0].start()
    wall.nodes[0].wait()
    wall.wait_for_film("the picture is back")


def power_cut_of_head(wall):
    """the power of the head is cut: the film comes back"""
    wall.head.cut_power()
    wall.head.start()
    wall.head.wait()
    eventually(wall.player, "the player is back")
    eventually(lambda: wall.shown() > 0, "frames are shown")
    wall.wait_for_film("the picture is there")


def link_down(wall):
    """a node's cable is unplugged and plugged in: the manager says so, the film continues"""
    wall.nodes[0].link(False)
    try:
        eventually(lambda: wall.is_connected(wall.nodes[0]) is False, "the manager misses the node")
    finally:
        wall.nodes[0].link(True)
    eventually(lambda: wall.is_connected(wall.nodes[0]), "the manager has the node")
    before = wall.shown()
    eventually(lambda: wall.shown() > before, "frames are shown")
    wall.wait_for_film("the picture is there")


def netem(wall):
    """a bad network (loss 5 %, 20 ms): the film continues"""
    wall.head.run("tc qdisc add dev eth1 root netem loss 5% delay 20ms 5ms")
    try:
        before = wall.shown()
        eventually(lambda: wall.shown() > before + 2, "frames are shown")
    finally:
        wall.head.run("tc qdisc del dev eth1 root")
    wall.wait_for_film("the picture is there")


def clock_back(wall):
    """a node's clock is set back by an hour: the film continues"""
    wall.nodes[0].run("date -s '1 hour ago'")
    try:
        before = wall.shown()
        eventually(lambda: wall.shown() > before + 2, "frames are shown")
        if not wall.is_connected(wall.nodes[0]):
            raise Failed("the manager has lost the node")
        wall.wait_for_film("the picture is there")
    finally:
        wall.nodes[0].run("date -s '1 hour'")  # else apt refuses the repository, which is newer


def unplug(wall, node):
    """Unplugs the second display of a node that shows the film on both, and plugs it in."""
    wall.wait_for_film("both displays show their parts of the film", [node])
    plug = f"/sys/class/drm/card0-{OUTPUTS[1]}/status"
    node.run(f"echo off >{plug}")
    eventually(lambda: wall.windows(node) == 1, "the manager misses the display")
    node.run(f"echo on >{plug}")
    eventually(lambda: wall.windows(node) == 2, "the manager has the display")
    wall.wait_for_film("both displays show the film again", [node])


def outputs(wall):
    """a node with two displays, by CPU and by OpenGL: each shows the tile of its output, also after one was unplugged"""
    node, file = wall.nodes[0], wall.head.run("cat /etc/vitrail/wall.json")
    node.cut_power()
    node.start(displays=len(OUTPUTS))
    node.wait()
    tiles = [{"receiver": node.name, "at": [place * DISPLAY[0], 0], "resolution": DISPLAY, "output": output}
             for place, output in enumerate(reversed(OUTPUTS))]
    wall.change(json.dumps({"name": "wall", "receivers": [{"name": node.name, "host": node.name}], "tiles": tiles}))
    try:
        unplug(wall, node)
        node.run(f"sed -i '$a OPTIONS=\"--display gl\"' /etc/vitrail/receiver.env; systemctl restart {KIOSK}")
        unplug(wall, node)
        node.run("sed -i '$d' /etc/vitrail/receiver.env; sync")
    finally:
        wall.change(file)
    node.cut_power()
    node.start()
    node.wait()
    wall.wait_for_film("the film is back")


def up_by_ssh(wall):
    """without units: `vitrail up` starts the receivers by ssh, the film plays, `vitrail down` ends all"""
    wall.head.run("systemctl stop vitrail-manager")
    for machine in wall.nodes:
        machine.run(f"systemctl stop {KIOSK}")
    file = json.loads(wall.head.run("cat /etc/vitrail/wall.json"))
    for receiver in file["receivers"]:
        receiver["environment"] = {"SDL_VIDEODRIVER": "kmsdrm"}
    wall.head.run("cat >wall.json", text=json.dumps(file))
    wall.run(wall.head, f"VITRAIL_MANAGER=0.0.0.0:7440 vitrail up --fresh --timeout {PATIENCE_S} wall.json -- --media /films")
    wall.run(wall.head, FILM)
    wall.wait_for_film("the display shows the film")
    wall.run(wall.head, "vitrail down")
    for machine in wall.machines:
        eventually(lambda node=machine: node.ssh("pgrep 'vitrail|bplay'").returncode == 1, f"no program is left on {machine.name}")
    for machine in wall.nodes:
        machine.run(f"systemctl start {KIOSK}")
    wall.head.run("systemctl start vitrail-manager")
    wall.wait_for_film("the film of the units is back")


def upgrade(wall):
    """Update: newer packages while the film plays; player and picture survive, and nodes lose no frame: they restart later"""
    before, old = wall.player(), {}
    for machine in wall.machines:
        lost = wall.lost()
        unit = "vitrail-manager" if machine is wall.head else KIOSK
        process = machine.run(f"systemctl show -P MainPID {unit}")
        machine.run(f"sed -i 's|/srv/vitrail |/srv/vitrail/next |' {LIST}; apt update; apt upgrade")
        kept = machine.run(r"dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' 'vitrail-*' | sed -n '/^installed /{/+next$/!p}'")
        if kept:
            raise Failed(f"apt has kept {kept} on {machine.name}")
        kept = machine.run(f"systemctl is-active {unit} && systemctl show -P MainPID {unit}").split() == ["active", process.strip()]
        if kept != (machine is not wall.head):
            raise Failed(f"{unit} was {'not ' if kept else ''}restarted on {machine.name}")
        eventually(lambda: all(map(wall.is_connected, wall.nodes)), "the manager has the nodes")
        if wall.player() != before:
            raise Failed(f"the player {before} has not survived: {wall.player() or 'none'}")
        shown = wall.shown()
        eventually(lambda shown=shown: wall.shown() > shown + 2, "frames are shown")
        wall.wait_for_film("the picture is there")
        lost = wall.lost() - lost
        causes = ", ".join(f"{cause} {count}" for cause, count in lost.items())
        tell(f"{machine.name}: {lost.total()} frames were lost{f' ({causes})' if causes else ''}")
        if machine is not wall.head:
            old[machine] = process
            if lost.total():
                raise Failed(f"the update of {machine.name} has lost frames")
            eventually(lambda node=machine: wall.waits_for_update(node), f"the manager says that {machine.name} waits")
    number = wall.vitrail("ls")["windows"][0]["window"]
    wall.run(wall.head, f"vitrail pause {number}")
    for machine, process in old.items():
        eventually(lambda node=machine, process=process: node.run(f"systemctl show -P MainPID {KIOSK}") not in (process, "0\n"),
                   f"{machine.name} restarts when the film is paused")
        eventually(lambda node=machine: wall.is_connected(node) and not wall.waits_for_update(node), f"the manager has {machine.name}")
    wall.wait_for_film("the picture of the paused film is back")
    wall.run(wall.head, f"vitrail resume {number}")


def backup(wall):
    """Backup: saved, and restored after a loss"""
    save, restore = wall.page.commands("Backup", "head")
    wall.run(wall.head, save)
    wall.head.run("systemctl stop vitrail-manager; rm -r /etc/vitrail /var/lib/vitrail")
    wall.run(wall.head, restore)
    wall.head.run("systemctl restart vitrail-manager")
    eventually(lambda: wall.is_connected(wall.nodes[0]), "the manager has the node")


def keys(wall):
    """Keys: a new key shuts out the nodes until they have it"""
    before = wall.player()
    wall.follow("Keys", wall.head)
    eventually(lambda: wall.vitrail("ls"), "the manager is back")
    eventually(lambda: not before or wall.player() != before, "the player with the old key ends")
    if wall.is_connected(wall.nodes[0]):
        raise Failed("the node is there with the old key")
    for machine in wall.nodes:
        wall.follow("Node", machine)
        eventually(lambda node=machine: wall.is_connected(node), f"the manager has {machine.name}")


def purge(wall):
    """the packages are purged: nothing runs, nothing is left"""
    for machine in wall.machines:
        machine.run("apt purge 'vitrail-*'")
        left = machine.run("pgrep -a 'vitrail|bplay' || true; ls -d /etc/vitrail /var/lib/vitrail* /etc/systemd/system/*.wants/vitrail-* "
                           "/etc/security/limits.d/vitrail* 2>/dev/null || true")
        if left.strip():
            raise Failed(f"{machine.name} still has: {re.sub(chr(10), ', ', left.strip())}")


FIRST = (boot, packages, head, node, films)
STEPS = (*FIRST, guests, checks, reboot_node, crash_of_manager, reboot_head, power_cut, power_cut_of_head,
         link_down, netem, clock_back, outputs, up_by_ssh, upgrade, backup, keys, purge)
