"""Programs find their manager by multicast DNS, with a real avahi-daemon on each of several machines (network namespaces),
despite false announcements."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from harness import BIN, EXIT_NO_MANAGER, eventually
from machines import Machines, why_not

AVAHI = shutil.which("avahi-daemon", path=os.environ.get("PATH", "") + ":/usr/sbin")
DBUS = shutil.which("dbus-daemon")
WHY_NOT = "needs avahi-daemon" if not AVAHI else "needs dbus-daemon" if not DBUS else why_not()
WALL = "lab wall"

BUS = """<busconfig><type>system</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy></busconfig>
"""
# Only the switch's interface; no files of /etc.
AVAHI_CONF = """[server]
host-name={name}
use-ipv6=no
allow-interfaces=eth0
enable-dbus=yes
disallow-other-stacks=no
[wide-area]
enable-wide-area=no
"""
# Malformed or false announcements.
HOSTILE = """<service-group><name>{name}</name><service><type>_vitrail._tcp</type>{host}<port>{port}</port>
<txt-record value-format="binary-hex">{text}</txt-record></service></service-group>
"""


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Mdns(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-mdns-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.machines = Machines(self.folder, 2)
        self.addCleanup(self.machines.end)
        self.far, self.other = self.machines.hosts
        self.logs = []
        wall = {"name": WALL, "grid": {"columns": 1, "rows": 1, "resolution": [320, 180]}}
        self.wall = self.folder / "wall.json"
        self.wall.write_text(json.dumps(wall))
        self.key = self.new_key("key")

    def new_key(self, name):
        made = self.machines.run("vitrail", "key", "new", self.folder / name, env=self.env(self.machines.here))
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.folder / name

    def env(self, address, key=None, **more):
        env = {**os.environ, "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder / f"state.{address}"),
               "NO_COLOR": "1", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.bus(address)}", **more}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "VITRAIL_KEY", "VITRAIL_KEY_FILE", "VITRAIL_MANAGER", "VITRAIL_ANNOUNCE"):
            env.pop(name, None)
        env.update(more)
        if key:
            env["VITRAIL_KEY_FILE"] = str(key)
        return env

    def bus(self, address):
        return self.folder / f"bus.{address}"

    def start(self, address, *words, **env):
        log = open(self.folder / f"{len(self.logs)}.log", "w+", encoding="utf-8")
        self.logs.append(log)
        process = subprocess.Popen(self.machines.words(address, *words), stdout=log, stderr=log, env=self.env(address, **env))
        process.said = lambda: pathlib.Path(log.name).read_text(encoding="utf-8")
        self.addCleanup(log.close)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def start_avahi(self, address, services=()):
        folder = self.folder / f"avahi.{address}"
        (folder / "services").mkdir(parents=True)
        for number, service in enumerate(services):
            (folder / "services" / f"{number}.service").write_text(service)
        (folder / "hosts").write_text("203.0.113.7 beyond.local\n")
        (folder / "bus.conf").write_text(BUS.format(socket=self.bus(address)))
        (folder / "avahi-daemon.conf").write_text(AVAHI_CONF.format(name=f"m{address.rpartition('.')[2]}"))
        self.start(address, DBUS, "--nofork", f"--config-file={folder}/bus.conf")
        eventually(self.bus(address).exists, "the bus is there")
        # Mounts of this namespace only.
        avahi = self.start(address, "sh", "-c", "mkdir -p /run/avahi-daemon /etc/avahi && mount -t tmpfs none /run/avahi-daemon"
                           f" && mount --bind {folder} /etc/avahi"
                           f" && exec {AVAHI} --no-drop-root --no-chroot --no-rlimits -f {folder}/avahi-daemon.conf")
        eventually(lambda: "Server startup complete" in avahi.said() or avahi.poll() is not None, "Avahi is there")
        self.assertIsNone(avahi.poll(), avahi.said())
        return avahi

    def start_manager(self, address, port=7440, key=None, **more):
        manager = self.start(address, BIN / "vitrail-manager", "--wall", self.wall, "--listen", f"0.0.0.0:{port}",
                             "--page", "off", *more.pop("options", ()), key=key, **more)
        eventually(lambda: "ready on" in manager.said() or manager.poll() is not None, "the manager listens")
        self.assertIsNone(manager.poll(), manager.said())
        return manager

    def announced(self, manager):
        eventually(lambda: "announced on the network as" in manager.said(), "it is announced")

    def vitrail(self, *arguments, at=None, key=None, **more):
        at = at or self.far
        return self.machines.run("vitrail", *arguments, at=at, env=self.env(at, key=key, **more), timeout=60)

    def connected(self, manager=f"mdns:{WALL}"):
        reported = self.vitrail("--manager", manager, "--json", "ls", key=self.key)
        return reported.returncode == 0 and json.loads(reported.stdout)["receivers"][0]["connected"]

    def start_receiver(self, manager=f"mdns:{WALL}"):
        return self.start(self.far, BIN / "vitrail-receiver", "--manager", manager, "--name", "node1", "--display", "null",
                          key=self.key)

    def test_programs_find_the_manager_wherever_it_is(self):
        for address in (self.machines.here, self.far):
            self.start_avahi(address)
        receiver = self.start_receiver()  # started before the manager
        manager = self.start_manager(self.machines.here, key=self.key)
        eventually(self.connected, "receiver and console find it by its wall's name")
        self.assertTrue(self.connected("mdns:"), "or by none")
        nobody = self.vitrail("--manager", "mdns:another wall", "ls", key=self.key)
        self.assertEqual(nobody.returncode, EXIT_NO_MANAGER, nobody.stderr)
        self.assertIn("no manager of the wall 'another wall' found on this network", nobody.stderr)
        player = self.machines.run("bplay", "--manager", f"mdns:{WALL}", "test:64x64@30", "--frames", "5", at=self.far,
                                   env=self.env(self.far, key=self.key))
        self.assertEqual(player.returncode, 0, player.stderr)
        self.end(manager)
        self.start_manager(self.machines.here, port=7555, key=self.key)
        eventually(self.connected, "and again where it is now")
        self.assertIsNone(receiver.poll(), receiver.said())

    def test_whoever_says_so_is_not_obeyed(self):
        for address in (self.machines.here, self.far):
            self.start_avahi(address)
        name = f"wall={WALL}".encode().hex()
        self.start_avahi(self.other, [
            HOSTILE.format(name="no listener", host="", port=9, text=name),
            HOSTILE.format(name="beyond", host="<host-name>beyond.local</host-name>", port=7440, text=name),
            HOSTILE.format(name="controls", host="", port=7440, text=(f"wall={WALL}".encode() + b"\x1b[2J\x07").hex()),
            HOSTILE.format(name="no text", host="", port=7440, text=""),
            HOSTILE.format(name="no value", host="", port=7440, text=b"wall".hex()),
            HOSTILE.format(name="long", host="", port=7440, text=(b"wall=" + b"x" * 200).hex())])
        impostor = self.start_manager(self.other, key=self.new_key("another key"))
        self.announced(impostor)
        manager = self.start_manager(self.machines.here, key=self.key)
        self.announced(manager)
        receiver = self.start_receiver()
        for _ in range(5):
            eventually(self.connected, "the one that proves the key is found")
        self.assertIsNone(receiver.poll(), receiver.said())
        self.assertNotIn("203.0.113.7", receiver.said())
        self.assertNotIn("\x1b[2J", receiver.said())
        # A manager that does not prove the key is not obeyed.
        self.end(manager)

        def refused():
            tried = self.vitrail("--manager", f"mdns:{WALL}", "ls", key=self.key)
            self.assertEqual(tried.returncode, EXIT_NO_MANAGER, tried.stdout)
            return "prove" in tried.stderr

        eventually(refused, "only the impostor is announced, and it is refused")

    def test_without_a_key_nobody_is_announced_or_looked_for(self):
        for address in (self.machines.here, self.far):
            self.start_avahi(address)
        refused = self.vitrail("--manager", "mdns:", "ls")
        self.assertEqual(refused.returncode, EXIT_NO_MANAGER)
        manager = self.start_manager(self.machines.here, options=["--insecure"])
        nobody = self.vitrail("--manager", "mdns:", "ls", key=self.key)
        self.assertIn("no manager found", nobody.stderr)
        self.end(manager)
        manager = self.start_manager(self.machines.here, key=self.key, VITRAIL_ANNOUNCE="off")
        nobody = self.vitrail("--manager", "mdns:", "ls", key=self.key)
        self.assertIn("no manager found", nobody.stderr)
        self.end(manager)
        manager = self.start_manager(self.machines.here, key=self.key)
        self.announced(manager)
        keyless = self.vitrail("--manager", "mdns:", "ls")
        self.assertEqual(keyless.returncode, EXIT_NO_MANAGER)
        self.assertIn("without a key", keyless.stderr)

    def test_a_daemon_that_hangs_or_is_gone_holds_nobody_up(self):
        here, far = (self.start_avahi(address) for address in (self.machines.here, self.far))
        manager = self.start_manager(self.machines.here, key=self.key)
        self.start_receiver()
        eventually(self.connected, "the receiver finds it")
        by_address = f"{self.machines.here}:7440"
        here.send_signal(signal.SIGSTOP)
        far.send_signal(signal.SIGSTOP)
        self.assertTrue(self.connected(by_address))
        for avahi in (here, far):
            self.end(avahi)
        self.assertTrue(self.connected(by_address))
        nobody = self.vitrail("--manager", "mdns:", "ls", key=self.key)
        self.assertIn("the Avahi daemon does not answer", nobody.stderr)
        self.end(manager)
        self.assertEqual(manager.returncode, 0, manager.said())


if __name__ == "__main__":
    unittest.main()
