"""Programs on several hosts (network namespaces with their own addresses): all connect by the addresses that they
receive, over IPv4, IPv6 and link-local addresses, with key and TLS, and behind a NAT. The recipes for several hosts of
README.md, sail/apps/server/README.md and sail/apps/README.md are run as written there."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import unittest

from harness import BIN, EXIT_DONE, EXIT_FAILED, PATIENCE_S, eventually, key_named
from machines import Network, why_no_network

WHY_NOT = why_no_network()
HEAD, NODE, DESK = Network.here, "10.77.0.2", "10.77.0.3"
PYTHON_OF_SYSTEM = "/usr/bin/python3"  # the Python for which Debian has PyGObject
WHIP_SENDS = (BIN / "vitrail-whip").exists() and subprocess.run(
    [PYTHON_OF_SYSTEM, "-c", "import gi; gi.require_version('GstWebRTC', '1.0'); gi.require_version('GstSdp', '1.0')"],
    capture_output=True, check=False).returncode == 0
DEVICES = {HEAD: "eth0", NODE: "lan0", DESK: "wlan0"}  # differ, because a scope is valid on one host only


@unittest.skipIf(WHY_NOT, WHY_NOT)
class HostsTest(unittest.TestCase):
    """A manager with a key on HEAD; the receiver "left" on HEAD and "right" on NODE; players on DESK."""

    listen = "0.0.0.0:7440"
    managers = {HEAD: "127.0.0.1:7440", NODE: f"{HEAD}:7440", DESK: f"{HEAD}:7440"}  # the manager's address as each host uses it
    wall_keys = {}  # further keys of the receiver on NODE
    more_keys = {}  # further keys of the wall file
    receiver_options = ()  # options of the receiver on NODE
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
                                    "receivers": [{"name": "left"}, {"name": "right", **self.wall_keys}], **self.more_keys}))
        self.manager = self.start(HEAD, "vitrail-manager", "--wall", wall, "--listen", self.listen, "--page", "0.0.0.0:7480",
                                  *self.manager_options)
        self.says(self.manager, "ready")
        self.start(HEAD, "vitrail-receiver", "--name", "left", "--display", "null")
        self.start_right()
        eventually(lambda: all(self.shown().values()), "both receivers are there")

    def start_right(self):
        return self.start(NODE, "vitrail-receiver", "--name", "right", "--display", "null", *self.receiver_options)

    def check_players_of_both_hosts(self):
        for at in (DESK, HEAD):
            for transport in ("tcp", "udp"):
                player = self.play(at, "--transport", transport)
                self.all_show(player)
                player.send_signal(signal.SIGINT)
                player.wait()
        self.play(DESK)
        self.vitrail("wait", "settled")
        self.assertNotIn("without", self.vitrail("snapshot", self.folder / "wall.png", at=DESK))

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
        """The receivers' hosts, as a client at `at` receives them."""
        return {one["name"]: one["host"] for one in self.state(at)["receivers"]}

    def shown(self):
        """Frames shown by receiver; None while it is disconnected or has not reported."""
        done = self.network.run("vitrail", "stats", "--json", env=self.env(HEAD))
        receivers = json.loads(done.stdout)["receivers"] if done.returncode == 0 else []
        result = {one["name"]: one["stats"]["frames_shown"] + 1 if one["connected"] and "stats" in one else None for one in receivers}
        return result or {"nobody": None}

    def all_show(self, player):
        before = self.shown()

        def more():
            self.assertIsNone(player.poll(), player.log.read_text(encoding="utf-8"))
            return all((frames or 0) > (before[name] or 0) + 5 for name, frames in self.shown().items())
        eventually(more, f"all receivers show what {player.args[3]} sends: {player.args[4:]}")

    def play(self, at, *arguments):
        """Plays a test card over the whole wall."""
        return self.start(at, "bplay", "test:640x180@30", "--place", "0,0,640x180", *arguments)

    def film(self, name="film.mp4", seconds=2):
        film = self.folder / "films" / name
        film.parent.mkdir(exist_ok=True)
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25",
                        "-t", str(seconds), "-c:v", "libx264", "-g", "25", film], check=True)
        return film


class OnAllAddresses(HostsTest):
    """README, "A wall of your own": VITRAIL_MANAGER=0.0.0.0:7440, a receiver on the manager's host, players elsewhere."""

    head = HEAD  # the manager's address for other hosts
    node = NODE
    loopback = "127.0.0.1"

    def test_each_is_told_addresses_that_it_reaches(self):
        self.assertEqual(self.hosts(HEAD), {"left": self.loopback, "right": self.node})
        for at in (NODE, DESK):
            self.assertEqual(self.hosts(at), {"left": self.head, "right": self.node})
        doctor = self.network.run("vitrail", "doctor", at=DESK, env=self.env(DESK), timeout=60).stdout
        for name in ("left", "right"):
            self.assertRegex(doctor, rf"ok +port of {name}\b")
        self.check_players_of_both_hosts()

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
        self.check_players_of_both_hosts()


class Announced(HostsTest):
    """The wall file names another address of the receiver, used only for streams."""

    wall_keys = {"announce": "10.78.0.2"}

    def test_players_go_to_that_address(self):
        self.assertEqual(self.hosts(DESK)["right"], "10.78.0.2")
        self.all_show(self.play(DESK))
        sessions = self.network.run("ss", "-Htn", "state", "established", at=DESK).stdout
        self.assertIn(" 10.78.0.2:", sessions)


class BehindNat(HostsTest):
    """NODE's receiver is in a network of its own, connected by a relay that acts as a NAT."""

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
    """Another program occupies a receiver's data port."""

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
    """sail/apps/server/README.md: films for walls and for ordinary players, on other hosts."""

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

        def downloaded():  # succeeds when the server has probed the film
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


class FilmServerOfOneHost(Servers):
    """A film server on loopback, as in the recipes without --listen."""

    more_keys = {"apps": [{"name": "render", "host": NODE}]}
    manager_options = ("--film-server", "127.0.0.1:7450")

    def setUp(self):
        super().setUp()
        self.film()
        self.vitrail("convert", self.folder / "films/film.mp4", self.folder / "films/film.vmov")
        self.serve(at=HEAD, listen="127.0.0.1:7450")

    def test_its_films_are_played_on_its_host_whoever_asks(self):
        self.vitrail("play", "--loop", "server://127.0.0.1:7450/film.vmov", "--place", "0,0,640x180", at=DESK)
        before = self.shown()
        eventually(lambda: all((now or 0) > (before[name] or 0) + 5 for name, now in self.shown().items()),
                   "all receivers show it")

    def test_players_of_other_hosts_are_refused_and_told_what_to_do(self):
        refused = self.network.run("vitrail", "play", "server://127.0.0.1:7450/film.vmov", "--on", "render", at=DESK,
                                   env=self.env(DESK), timeout=60)
        self.assertEqual(refused.returncode, EXIT_FAILED, refused.stdout)
        for word in ("'render' cannot reach the film server", "127.0.0.1", "--listen", "--film-server"):
            self.assertIn(word, refused.stderr)
        player = self.start(DESK, "bplay", f"server://{HEAD}/film.vmov")
        self.assertEqual(player.wait(PATIENCE_S), EXIT_FAILED)
        self.assertRegex(player.log.read_text(encoding="utf-8"), f"no film server at {HEAD}:7450 .*--listen")
        self.assertEqual(self.state()["windows"], [])

    test_players_elsewhere_get_films_by_rtsp_and_http = None
    test_its_films_come_to_walls_of_other_hosts = None
    test_films_on_disk_servers_of_other_hosts = None


class VncScreen:
    """The desktop of a VNC server without a password (RFC 6143), with another colour in each frame."""

    SIZE = (160, 90)

    def __init__(self, network, at, host):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with network.as_one_of(at):
            self.listener = socket.create_server((host, 0), family=family)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        try:
            near, _ = self.listener.accept()
            with near, near.makefile("rwb") as stream:
                self.speak(stream)
        except OSError:
            pass

    def speak(self, stream):
        def say(*parts):
            stream.write(b"".join(parts))
            stream.flush()
        size = struct.pack(">HH", *self.SIZE)
        say(b"RFB 003.008\n")
        stream.read(12)
        say(b"\1\1")  # one security type: none
        stream.read(1)
        say(bytes(4))
        stream.read(1)
        say(size, struct.pack(">BBBBHHHBBB3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0), struct.pack(">I", 4), b"vnc ")
        picture = 0
        while kind := stream.read(1):
            if kind == b"\2":  # SetEncodings
                stream.read(4 * struct.unpack(">xH", stream.read(3))[0])
            elif kind == b"\3":
                stream.read(9)
                picture += 1
                say(struct.pack(">BxHHH", 0, 1, 0, 0), size, bytes(4), bytes([picture % 256, 99, 0, 0]) * (self.SIZE[0] * self.SIZE[1]))
            else:
                stream.read({b"\0": 19, b"\4": 7, b"\5": 5}[kind])


class Guests(HostsTest):
    """Third-party programs on other hosts, in both directions: VNC, WHIP, cast."""

    def certificate(self):
        certificate, private = self.folder / "wall.pem", self.folder / "wall.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                        "-subj", "/CN=wall", "-out", certificate, "-keyout", private], check=True, capture_output=True)
        return certificate, private

    def test_desktops_of_other_hosts_by_vnc(self):
        for host in (NODE, "fd77::2"):
            with self.subTest(host=host):
                screen = VncScreen(self.network, NODE, host)
                self.addCleanup(screen.listener.close)
                named = f"[{host}]" if ":" in host else host
                player = self.start(DESK, "vitrail-vnc", f"{named}::{screen.port}", "--place", "0,0,640x180")
                self.all_show(player)
                player.send_signal(signal.SIGINT)
                player.wait()

    def test_the_wall_is_cast_to_other_hosts(self):
        self.play(DESK)
        for number, host in enumerate((DESK, "[fd77::3]")):
            for scheme in ("udp", "srt"):
                with self.subTest(host=host, scheme=scheme):
                    port = 7600 + 2 * number + (scheme == "srt")
                    url = f"{scheme}://{host}:{port}"
                    watcher = subprocess.Popen(
                        self.network.words(DESK, "ffmpeg", "-nostdin", "-loglevel", "error", "-i",
                                           url + ("?mode=listener" if scheme == "srt" else ""), "-frames:v", "10", "-f", "null", "-"),
                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                    self.addCleanup(watcher.communicate)
                    self.addCleanup(watcher.kill)
                    caster = self.start(HEAD, "vitrail", "cast", url)
                    self.assertEqual(watcher.wait(2 * PATIENCE_S), 0, caster.log.read_text(encoding="utf-8"))
                    caster.send_signal(signal.SIGINT)
                    caster.wait()

    @unittest.skipUnless(WHIP_SENDS, "needs PyGObject and GStreamer's introspection data")
    def test_programs_of_other_hosts_send_by_whip(self):
        certificate, private = self.certificate()
        for listen, host in (("0.0.0.0:7490", HEAD), ("[::]:7491", "[fd77::1]")):
            with self.subTest(host=host):
                shown = self.start(HEAD, "vitrail-whip", "--listen", listen, "--certificate", certificate, "--certificate-key",
                                   private, "--place", "0,0,640x180", VITRAIL_WHIP_TOKEN="a token of sixteen letters")
                self.says(shown, "token")
                sender = subprocess.Popen(
                    self.network.words(DESK, PYTHON_OF_SYSTEM, pathlib.Path(__file__).parent / "whip_sender.py",
                                       f"https://{host}:{listen.rpartition(':')[2]}/whip", "a token of sixteen letters", certificate),
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=self.env(DESK))
                self.addCleanup(sender.wait)
                self.addCleanup(sender.kill)
                eventually(lambda: self.state()["windows"], "its window opens")
                self.all_show(shown)
                sender.kill()
                shown.terminate()
                shown.wait()


class PageAddresses(HostsTest):
    """The page addresses that `wall page`, `up` and `demo` print can be reached from other hosts."""

    def page_comes(self, url, at=DESK):
        return "<title>" in self.network.run("curl", "-sS", "--max-time", "10", url.partition("#")[0], at=at).stdout

    def on_terminal(self, *arguments, **env):
        """The output of `vitrail` on HEAD in a terminal, up to "Ctrl-C"."""
        near, far = os.openpty()
        self.addCleanup(os.close, near)
        program = subprocess.Popen(self.network.words(HEAD, BIN / "vitrail", *arguments), stdin=far, stdout=far, stderr=far,
                                   env={**self.env(HEAD, **env), "TERM": "xterm", "LC_ALL": "C"}, start_new_session=True)
        os.close(far)

        def end():
            if program.poll() is None:
                program.send_signal(signal.SIGINT)
            return program.wait(PATIENCE_S)
        self.addCleanup(end)
        text = b""
        while b"Ctrl-C" not in text:
            try:
                text += os.read(near, 4096)
            except OSError:  # the program has closed the terminal
                self.fail(text.decode())
        return text.decode()

    def test_wall_page(self):
        urls = self.vitrail("wall", "page").split()
        hosts = {re.match(r"http://(.*):7480/#key=", url).group(1) for url in urls}
        self.assertLessEqual({HEAD, "10.78.0.1"}, hosts)
        for url in urls:
            with self.subTest(url=url):
                self.assertTrue(self.page_comes(url))
        self.assertIn(f"http://{HEAD}:7480/", self.vitrail("wall", "page", at=DESK))
        for url in self.vitrail("wall", "page", "--remote").split():
            self.assertRegex(url, ":7480/remote/#key=")
            self.assertTrue(self.page_comes(url))

    def test_up(self):
        wall = self.folder / "up.json"
        wall.write_text(json.dumps({"grid": {"columns": 1, "rows": 1, "resolution": [320, 180]},
                                    "manager": {"arguments": ["--page", "0.0.0.0:7482"]}}))
        env = self.env(HEAD, VITRAIL_MANAGER="0.0.0.0:7460")
        self.addCleanup(self.network.run, "vitrail", "down", env=env, timeout=60)
        up = self.network.run("vitrail", "up", "--fresh", wall, env=env, timeout=60)
        self.assertEqual(up.returncode, 0, up.stdout + up.stderr)
        urls = re.findall(r"http://\S+:7482/\S*", up.stdout)
        self.assertTrue(any(HEAD in url for url in urls), up.stdout)
        for url in urls:
            with self.subTest(url=url):
                self.assertTrue(self.page_comes(url))

    def test_a_demo_of_one_host_says_so_and_how_others_come(self):
        self.manager.terminate()
        self.manager.wait()
        said = self.on_terminal("demo", VITRAIL_MANAGER="127.0.0.1:7461")
        url = re.search(r"http://127.0.0.1:\d+/", said).group(0)
        self.assertTrue(self.page_comes(url, at=HEAD))
        self.assertIn("(only for browsers on this host; for other hosts: vitrail up WALL -- --page 0.0.0.0:7480)", said)


class StandbyOfSubnets(HostsTest):
    """The standby runs on the manager's host. HEAD is also on a second subnet, with the receiver "right"."""

    OUTSIDE = "10.79.0.4"
    managers = {**HostsTest.managers, OUTSIDE: "10.79.0.1:7440"}

    def start_right(self):
        self.network.ip("-n", self.network.spaces[HEAD], "addr", "add", "10.79.0.1/16", "dev", DEVICES[HEAD])
        self.network.add_machine("m4", self.OUTSIDE)
        return self.start(self.OUTSIDE, "vitrail-receiver", "--name", "right", "--display", "null")

    def test_each_peer_is_told_an_address_that_it_reaches(self):
        standby = self.start(HEAD, "vitrail-manager", "--wall", self.folder / "wall.json", "--listen", "0.0.0.0:7441", "--page",
                             "off", "--state", self.folder / "second", "--standby-of", "127.0.0.1:7440")
        self.says(standby, "standing by for")
        for at, host in ((HEAD, "127.0.0.1"), (NODE, HEAD), (self.OUTSIDE, "10.79.0.1")):
            self.assertEqual(self.state(at)["standby"]["address"], f"{host}:7441")
        self.all_show(self.play(HEAD))
        self.manager.kill()
        self.manager.wait()
        self.says(standby, "ready on")
        self.managers = {**self.managers, HEAD: "127.0.0.1:7441"}
        eventually(lambda: len(shown := self.shown()) == 2 and all(shown.values()), "both receivers come to the standby")
        before = self.shown()
        eventually(lambda: all((now or 0) > (before[name] or 0) for name, now in self.shown().items()), "both go on")


class Listeners(HostsTest):
    """Every port of every program that is meant for other hosts can be reached from one."""

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
            result = self.says(whip, "token")
            self.assertIn(f"https://{HEAD}:7490/", result)
            self.assertNotIn("0.0.0.0", result)
        self.assertIn(f"page: http://{HEAD}:7480/", self.says(self.manager, "page: "))
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
        """The first bytes of the answer."""
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
