"""Programs on several hosts (network namespaces with addresses of their own): each reaches each by the addresses that it
is told, over IPv4, IPv6 and link-local addresses, with key and TLS, and behind a NAT. The recipes of README.md,
sail/server/README.md and sail/apps/README.md that involve other hosts, as they are written there."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from harness import BIN, EXIT_DONE, EXIT_FAILED, PATIENCE_S, eventually, key_named
from machines import Network, why_no_network

WHY_NOT = why_no_network()
HEAD, NODE, DESK = Network.here, "10.77.0.2", "10.77.0.3"
DEVICES = {HEAD: "eth0", NODE: "lan0", DESK: "wlan0"}  # a scope is valid on one host alone


@unittest.skipIf(WHY_NOT, WHY_NOT)
class HostsTest(unittest.TestCase):
    """A manager on HEAD with a key; the receiver "left" beside it and "right" on NODE; players on DESK."""

    listen = "0.0.0.0:7440"
    managers = {HEAD: "127.0.0.1:7440", NODE: f"{HEAD}:7440", DESK: f"{HEAD}:7440"}  # as each host names it
    wall_keys = {}
    receiver_options = ()  # of the one on NODE
    manager_options = ()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-hosts-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.network = Network()
        self.addCleanup(self.network.end)
        for number, (address, device) in enumerate(DEVICES.items(), 1):
            self.network.add_machine(f"m{number}", address, f"10.78.0.{number}/16", f"fd77::{number}/64", f"fe80::{number}/64",
                                     device=device)
        self.key = self.folder / "key"
        self.vitrail("key", "new", self.key)
        self.secret = self.key.read_text(encoding="utf-8").strip()
        self.start_wall()

    def start_wall(self):
        wall = self.folder / "wall.json"
        wall.write_text(json.dumps({"name": "hosts", "grid": {"columns": 2, "rows": 1, "resolution": [320, 180]},
                                    "receivers": [{"name": "left"}, {"name": "right", **self.wall_keys}]}))
        self.manager = self.start(HEAD, "vitrail-manager", "--wall", wall, "--listen", self.listen, "--page", "0.0.0.0:7480",
                                  *self.manager_options)
        self.says(self.manager, "ready")
        self.start(HEAD, "vitrail-receiver", "--name", "left", "--display", "null")
        self.start_right()
        eventually(lambda: all(self.shown().values()), "both receivers are there")

    def start_right(self):
        return self.start(NODE, "vitrail-receiver", "--name", "right", "--display", "null", *self.receiver_options)

    def env(self, at, **more):
        env = {**os.environ, "VITRAIL_MANAGER": self.managers[at], "HOME": str(self.folder / at), "VITRAIL_ANNOUNCE": "off",
               "XDG_STATE_HOME": str(self.folder / at), "VITRAIL_KEY_FILE": str(self.key), "NO_COLOR": "1", **more}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "VITRAIL_KEY"):
            env.pop(name, None)
        return env

    def start(self, at, program, *arguments, **env):
        log = open(self.folder / f"{program}.{len(os.listdir(self.folder))}.log", "w+", encoding="utf-8")
        process = subprocess.Popen(self.network.words(at, BIN / program, *arguments), stdout=log, stderr=log,
                                   env=self.env(at, **env), stdin=subprocess.DEVNULL)
        process.log = pathlib.Path(log.name)
        log.close()
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process

    def says(self, process, word):
        def said():
            text = process.log.read_text(encoding="utf-8")
            self.assertIsNone(process.poll(), text)
            return text if word in text else None
        return eventually(said, f"{process.log.name} says '{word}'")

    def vitrail(self, *arguments, at=HEAD, expect=EXIT_DONE):
        done = self.network.run("vitrail", *arguments, at=at, env=self.env(at), timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def state(self, at=HEAD):
        return json.loads(self.vitrail("ls", "--json", at=at))

    def hosts(self, at):
        """Of the receivers, as a client there is told."""
        return {one["name"]: one["host"] for one in self.state(at)["receivers"]}

    def shown(self):
        """Frames, by receiver; None while it is away or has told nothing."""
        done = self.network.run("vitrail", "stats", "--json", env=self.env(HEAD))
        receivers = json.loads(done.stdout)["receivers"] if done.returncode == 0 else []
        told = {one["name"]: one["stats"]["frames_shown"] + 1 if one["connected"] and "stats" in one else None for one in receivers}
        return told or {"nobody": None}

    def all_show(self, player):
        before = self.shown()

        def more():
            self.assertIsNone(player.poll(), player.log.read_text(encoding="utf-8"))
            return all((frames or 0) > (before[name] or 0) + 5 for name, frames in self.shown().items())
        eventually(more, f"all receivers show what {player.args[3]} sends: {player.args[4:]}")

    def play(self, at, *arguments):
        """On the whole wall, which then shows it."""
        return self.start(at, "bplay", "test:640x180@30", "--place", "0,0,640x180", *arguments)

    def film(self, name="film.mp4", seconds=2):
        film = self.folder / "films" / name
        film.parent.mkdir(exist_ok=True)
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25",
                        "-t", str(seconds), "-c:v", "libx264", "-g", "25", film], check=True)
        return film


class OnAllAddresses(HostsTest):
    """README, "A wall of your own": VITRAIL_MANAGER=0.0.0.0:7440, a receiver on the manager's host, players elsewhere."""

    head = HEAD  # the address of the manager's host for others
    node = NODE
    loopback = "127.0.0.1"

    def test_each_is_told_addresses_that_it_reaches(self):
        self.assertEqual(self.hosts(HEAD), {"left": self.loopback, "right": self.node})
        for at in (NODE, DESK):
            self.assertEqual(self.hosts(at), {"left": self.head, "right": self.node})
        doctor = self.network.run("vitrail", "doctor", at=DESK, env=self.env(DESK), timeout=60).stdout
        for name in ("left", "right"):
            self.assertRegex(doctor, rf"ok +port of {name}\b")
        for at in (DESK, HEAD):
            for transport in ("tcp", "udp"):
                player = self.play(at, "--transport", transport)
                self.all_show(player)
                player.send_signal(signal.SIGINT)
                player.wait()
        self.play(DESK)
        self.vitrail("wait", "settled")
        self.assertNotIn("without", self.vitrail("snapshot", self.folder / "wall.png", at=DESK))

    def test_groups_recorders_and_sound_of_several_hosts(self):
        members = [self.start(at, "bplay", "test:320x180@30", "--group", "panels", "--place", f"{x},0,320x180")
                   for at, x in ((DESK, 0), (NODE, 320))]
        for member in members:
            self.all_show(member)
        recorder = self.start(HEAD, "vitrail-recorder", self.folder / "wall.mkv", "--seconds", "1")
        self.assertEqual(recorder.wait(PATIENCE_S), 0, recorder.log.read_text(encoding="utf-8"))
        shown = subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", self.folder / "wall.mkv", "-f", "framemd5", "-"],
                               capture_output=True, text=True, check=True).stdout
        pictures = {line.split(",")[5] for line in shown.splitlines() if not line.startswith("#")}
        self.assertGreater(len(pictures), 5, "the recorder shows what moves")


class OnAllAddressesOfIpv6(OnAllAddresses):
    listen = "[::]:7440"
    managers = {HEAD: "[::1]:7440", NODE: "[fd77::1]:7440", DESK: "[fd77::1]:7440"}
    head, node, loopback = "fd77::1", "fd77::2", "::1"

    test_groups_recorders_and_sound_of_several_hosts = None


class LinkLocal(HostsTest):
    listen = f"[fe80::1%{DEVICES[HEAD]}]:7440"
    managers = {at: f"[fe80::1%{device}]:7440" for at, device in DEVICES.items()}

    def test_each_reaches_each_by_the_scope_of_its_own_host(self):
        self.assertIn(self.listen, self.says(self.manager, "ready"))
        self.assertEqual(self.hosts(DESK), {"left": "fe80::1", "right": "fe80::2"})
        self.assertEqual(self.hosts(HEAD), {"left": "fe80::1%eth0", "right": "fe80::2%eth0"})
        for at in (DESK, HEAD):
            for transport in ("tcp", "udp"):
                player = self.play(at, "--transport", transport)
                self.all_show(player)
                player.send_signal(signal.SIGINT)
                player.wait()
        self.play(DESK)
        self.vitrail("wait", "settled")
        self.assertNotIn("without", self.vitrail("snapshot", self.folder / "wall.png", at=DESK))


class Announced(HostsTest):
    """The wall's file names another address of the receiver, which is for pictures alone."""

    wall_keys = {"announce": "10.78.0.2"}

    def test_players_go_to_that_address(self):
        self.assertEqual(self.hosts(DESK)["right"], "10.78.0.2")
        self.all_show(self.play(DESK))
        sessions = self.network.run("ss", "-Htn", "state", "established", at=DESK).stdout
        self.assertIn(" 10.78.0.2:", sessions)


class BehindNat(HostsTest):
    """NODE's receiver is in a network of its own. What goes in and out goes through a relay, as through a NAT."""

    managers = {**HostsTest.managers, "192.168.77.2": "192.168.77.1:7440"}
    receiver_options = ("--data-port", "7501", "--announce-port", "7601")

    def start_right(self):
        self.network.ip("-n", self.network.spaces[NODE], "addr", "add", "192.168.77.1/24", "dev", DEVICES[NODE])
        self.network.add_machine("inner", "192.168.77.2")
        self.start(NODE, "vitrail", "impair", "--listen", "192.168.77.1:7440", "--to", f"{HEAD}:7440")
        self.start(NODE, "vitrail", "impair", "--listen", f"{NODE}:7601", "--to", "192.168.77.2:7501")
        return self.start("192.168.77.2", "vitrail-receiver", "--name", "right", "--display", "null", *self.receiver_options)

    def test_it_shows_what_players_outside_send(self):
        self.assertEqual(self.hosts(DESK), {"left": HEAD, "right": NODE})
        for transport in ("tcp", "udp"):
            player = self.play(DESK, "--transport", transport)
            self.all_show(player)
            player.send_signal(signal.SIGINT)
            player.wait()


class WithoutDataPort(HostsTest):
    """Another program has the port that a receiver is to listen on."""

    def test_the_receiver_says_so(self):
        second = self.start(NODE, "vitrail-receiver", "--name", "left", "--display", "null", "--data-port", "22")
        taken = self.start(NODE, "vitrail", "impair", "--listen", f"{NODE}:7501", "--to", f"{HEAD}:9")
        self.says(taken, "7501")
        second.terminate()
        second.wait()
        refused = self.start(NODE, "vitrail-receiver", "--name", "right", "--display", "null", "--data-port", "7501")
        self.assertEqual(refused.wait(PATIENCE_S), EXIT_FAILED)
        text = refused.log.read_text(encoding="utf-8")
        for word in (f"{NODE}", "7501", "in use", "--data-port"):
            self.assertIn(word, text)


class Servers(HostsTest):
    """sail/server/README.md: films for walls, and for players that know nothing of walls, on other hosts."""

    def serve(self, *arguments, at=NODE, listen="0.0.0.0:7450", **env):
        self.film()
        server = self.start(at, "vitrail-server", "--films", self.folder / "films", "--listen", listen, *arguments, **env)
        self.says(server, "ready")
        return server

    def pictures(self, at, url, *before):
        shown = self.network.run("ffmpeg", "-nostdin", "-loglevel", "error", *before, "-i", url, "-fps_mode", "passthrough", "-f", "framemd5", "-", at=at)
        return len([line for line in shown.stdout.splitlines() if not line.startswith("#")])

    def test_players_elsewhere_get_films_by_rtsp_and_http(self):
        self.serve("--rtsp", "[::]:7691", "--http", "[::]:7692")
        who = key_named(self.secret, "viewer")
        for host in (NODE, "[fd77::2]"):
            for transport in ("tcp", "udp"):
                with self.subTest(host=host, transport=transport):
                    self.assertEqual(self.pictures(DESK, f"rtsp://{who}@{host}:7691/film.mp4", "-rtsp_transport", transport), 50)
        self.assertEqual(self.pictures(DESK, f"rtsp://{NODE}:7691/film.mp4"), 0, "without the key there is none")
        film = (self.folder / "films/film.mp4").read_bytes()

        def downloaded():  # once the server has looked into it
            return self.network.run("curl", "-sS", "--digest", "--user", who, f"http://{NODE}:7692/film.mp4", at=DESK,
                                    text=False).stdout == film
        eventually(downloaded, "the film comes by HTTP")

    def test_its_films_come_to_walls_of_other_hosts(self):
        self.film()
        converted = self.network.run("vitrail", "convert", self.folder / "films/film.mp4", self.folder / "films/film.vmov",
                                     env=self.env(HEAD), timeout=60)
        self.assertEqual(converted.returncode, 0, converted.stderr)
        self.serve("--manager", f"{HEAD}:7440")
        for at in (HEAD, DESK):
            player = self.start(at, "bplay", "--loop", f"server://{NODE}/film.vmov", "--place", "0,0,640x180")
            self.all_show(player)
            player.send_signal(signal.SIGINT)
            player.wait()

    def test_films_on_disk_servers_of_other_hosts(self):
        for at in (NODE, DESK):
            parts = self.folder / f"parts-{at}"
            parts.mkdir()
            self.says(self.start(at, "vitrail-server", "--role", "disk", "--films", parts, "--listen", "0.0.0.0:7452"), "ready")
        self.serve("--disk", NODE, "--disk", DESK, at=HEAD, listen="127.0.0.1:7450")
        self.vitrail("films", "place", "film.mp4", "--copies", "2")
        where = (self.folder / "films/film.mp4.xnd").read_text(encoding="utf-8")
        for host in (NODE, DESK):
            self.assertIn(f"{host}:7452", where)


class Listeners(HostsTest):
    """Every port of every program that is for other hosts is reached from one."""

    def test_what_listens_on_all_addresses_is_reached(self):
        certificate, private = self.folder / "wall.pem", self.folder / "wall.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                        "-subj", "/CN=wall", "-out", certificate, "-keyout", private], check=True, capture_output=True)
        self.film()
        server = self.start(HEAD, "vitrail-server", "--films", self.folder / "films", "--listen", "0.0.0.0:7450", "--rtsp",
                            "0.0.0.0:7453", "--http", "0.0.0.0:7451")
        self.says(server, "ready")
        whip = self.start(HEAD, "vitrail-whip", "--listen", "0.0.0.0:7490", "--certificate", certificate, "--certificate-key", private) if (BIN / "vitrail-whip").exists() else None
        if whip:
            told = self.says(whip, "token")
            self.assertIn(f"https://{HEAD}:7490/", told)
            self.assertNotIn("0.0.0.0", told)
        self.assertIn(f"its page: http://{HEAD}:7480/", self.says(self.manager, "its page"))
        first_bytes = {7450: b'{"jsonrpc":"2.0","id":1,"method":"challenge","params":{"nonce":"' + b"0" * 32 + b'"}}\n',
                       7440: b'{"jsonrpc":"2.0","id":1,"method":"challenge","params":{"nonce":"' + b"0" * 32 + b'"}}\n',
                       7451: b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 7480: b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
                       7453: b"OPTIONS rtsp://x/ RTSP/1.0\r\nCSeq: 1\r\n\r\n"}
        if whip:
            first_bytes[7490] = first_bytes[7451]
        for port, said in first_bytes.items():
            tls = port in (7440, 7450, 7490)
            words = ["openssl", "s_client", "-quiet", "-no_ign_eof", "-connect", f"{HEAD}:{port}"] if tls else \
                    ["curl", "-sS", "--max-time", "5", f"telnet://{HEAD}:{port}"]
            with self.subTest(port=port):
                self.assertTrue(self.answer(words, said), "it says something")

    def answer(self, words, said):
        """The first bytes that come back."""
        asker = subprocess.Popen(self.network.words(DESK, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        try:
            asker.stdin.write(said)
            asker.stdin.flush()
            return asker.stdout.read(1)
        finally:
            asker.kill()
            asker.communicate()


if __name__ == "__main__":
    unittest.main()
