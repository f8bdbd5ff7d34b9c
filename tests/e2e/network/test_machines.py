"""A wall of several machines: network namespaces on one switch, whose cables are pulled while a stream plays."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import unittest.mock
import urllib.parse

from harness import BIN, EXIT_FAILED, NEVER_DROPPED, authorization, eventually, run
from machines import Machines, why_not
from web import WebSocket, request

WHY_NOT = why_not()


@unittest.skipIf(WHY_NOT, WHY_NOT)
class MachinesTest(unittest.TestCase):
    """Two display nodes and a render node, each on its own machine; the manager on a fourth."""

    COUNT = 3

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-machines-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.machines = Machines(self.folder, self.COUNT)
        self.addCleanup(self.machines.end)
        self.left, self.right, self.render = self.machines.hosts[:3]
        key = self.folder / "key"
        self.env = {**os.environ, **self.machines.environment, "HOME": str(self.folder), "NO_COLOR": "1",
                    "XDG_STATE_HOME": str(self.folder), "VITRAIL_MANAGER": f"{self.machines.here}:7440",
                    "VITRAIL_KEY_FILE": str(key)}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "VITRAIL_KEY"):
            self.env.pop(name, None)
        self.vitrail("key", "new", key)
        receivers = self.places(program=str(BIN / "vitrail-receiver"))
        self.wall = self.folder / "wall.json"
        self.wall.write_text(json.dumps({
            "name": "machines", "grid": {"columns": len(receivers), "rows": 1, "resolution": [320, 180]},
            "receivers": receivers, "apps": [self.app()], **self.wall_keys()}))
        self.addCleanup(self.vitrail, "down", check=False)

    def places(self, **there):
        return [self.left_place(**there), self.machines.place("right", self.right, **there)]

    def left_place(self, **there):
        return self.machines.place("left", self.left, **there)

    def wall_keys(self):
        return {}

    def app(self):
        place = self.machines.place("card", self.render, command=["bplay", "test:640x180@30"],
                                    environment={"PATH": f"{BIN}:{os.environ['PATH']}"})
        del place["display"]
        return place

    def vitrail(self, *arguments, check=True, at=None):
        done = self.machines.run("vitrail", *arguments, env=self.env, timeout=60, at=at)
        if check:
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def state(self):
        return json.loads(self.vitrail("stats", "--json"))

    def shown(self, name):
        """Frames shown by this receiver; None while it is disconnected."""
        receiver, = [r for r in self.state()["receivers"] if r["name"] == name]
        return receiver.get("stats", {}).get("frames_shown", 0) if receiver["connected"] else None

    def playing(self):
        """The window, if its stream has statistics."""
        window, = self.state()["windows"]
        return window if "stats" in window else None

    def goes_on(self, name, what):
        eventually(lambda: self.shown(name) is not None, f"{name} is there {what}")
        before = self.shown(name)
        eventually(lambda: (self.shown(name) or 0) > before + 10, f"{name} goes on {what}")

    def up(self):
        self.vitrail("up", "--fresh", self.wall)
        self.vitrail("play", "card")
        self.vitrail("fit", 1)
        for name in ("left", "right"):
            self.goes_on(name, "at first")

    def sessions(self, address):
        return self.machines.run("ss", "-Htn", "state", "established", "dport", "=", ":7440", at=address).stdout

    def programs(self, address):
        pids = self.machines.run("ip", "netns", "pids", self.machines.spaces[address]).stdout.split()
        return [pid for pid in pids if self.comm(pid).startswith(("vitrail", "bplay"))]

    @staticmethod
    def comm(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/comm").read_text()
        except OSError:
            return ""


class OnASwitch(MachinesTest):
    def test_a_cable_that_is_pulled_and_put_back(self):
        self.up()
        self.machines.link(self.right, "down")
        eventually(lambda: self.shown("right") is None, "the manager misses it")
        self.goes_on("left", "without the other")
        self.machines.link(self.right, "up")
        self.goes_on("right", "when its cable is back")
        self.goes_on("left", "with the other")
        self.assertEqual(len(self.state()["windows"]), 1)

    def test_a_render_node_that_is_cut_off(self):
        self.up()
        self.machines.link(self.render, "down")
        lost = eventually(lambda: [w["lost"] for w in self.state()["windows"] if w.get("lost")],
                          "the window says that its program is lost")
        self.assertIn("why", lost[0])
        self.machines.link(self.render, "up")
        eventually(lambda: [w for w in self.state()["windows"] if not w.get("lost")], "it is back")
        self.goes_on("left", "when the program is back")
        self.assertEqual(len(self.state()["windows"]), 1)

    def test_the_managers_machine_is_cut_off(self):
        self.up()
        window = eventually(self.playing, "its figures have come")
        players = self.programs(self.render)
        self.assertEqual(len(players), 1)
        self.assertTrue(self.sessions(self.left))
        self.machines.link(self.machines.here, "down")
        eventually(lambda: not any(receiver["connected"] for receiver in self.state()["receivers"]), "the manager misses both")
        missed = time.monotonic()
        eventually(lambda: time.monotonic() > missed + 4, "longer than lost programs are waited for")
        # Otherwise, data for peers that have not timed out yet would wait in the network.
        for address in (self.left, self.right, self.render):
            eventually(lambda address=address: not self.sessions(address), f"{address} misses the manager")
        self.machines.link(self.machines.here, "up")
        for name in ("left", "right"):
            self.goes_on(name, "with the manager again")
        after = eventually(self.playing, "its figures have come")
        self.assertEqual((after["window"], after["rect"]), (window["window"], window["rect"]))
        back = time.monotonic()
        eventually(lambda: time.monotonic() > back + 7, "nor is the program started again that is back")
        self.assertEqual(self.programs(self.render), players)
        for cause in NEVER_DROPPED:
            self.assertEqual(after["stats"]["dropped"][cause], window["stats"]["dropped"][cause], cause)

    def test_what_ran_there_is_ended_with_the_wall(self):
        self.up()
        self.vitrail("down")
        for address in (self.left, self.right, self.render):
            eventually(lambda address=address: not self.programs(address), f"nothing runs on at {address}")


class FourNodes(MachinesTest):
    """Four display nodes; the player runs on the manager's machine."""

    COUNT = 4

    def places(self, **there):
        return [self.machines.place(f"node{i + 1}", host, **there) for i, host in enumerate(self.machines.hosts)]

    def play_on_all(self):
        self.vitrail("up", "--fresh", self.wall)
        self.vitrail("play", "test:1280x180@30")
        self.vitrail("fit", 1)
        for name in ("node4", "node1"):
            self.goes_on(name, "at first")

    def test_two_pulled_cables_do_not_stop_the_others(self):
        self.play_on_all()
        for host in self.machines.hosts[2:]:
            self.machines.link(host, "down")
            self.goes_on("node1", "without the node")
        for host in self.machines.hosts[2:]:
            self.machines.link(host, "up")
        self.goes_on("node4", "when its cable is back")

    def test_a_stopped_receiver_does_not_stop_the_others(self):
        self.play_on_all()
        stopped, = [int(pid) for pid in self.programs(self.machines.hosts[3]) if self.comm(pid).startswith("vitrail-receive")]
        os.kill(stopped, signal.SIGSTOP)
        self.goes_on("node1", "beside a stopped receiver")
        eventually(lambda: self.shown("node4") is None, "the manager misses it")
        self.goes_on("node1", "without it")
        os.kill(stopped, signal.SIGCONT)
        self.goes_on("node4", "when it continues")
        self.goes_on("node1", "with it")


class FourNodesByUdp(FourNodes):
    def wall_keys(self):
        return {"transport": "udp"}


class OnAllAddresses(MachinesTest):
    """README, "A wall of your own": the manager listens on all addresses, with a receiver on its host."""

    def left_place(self, **there):
        return {"name": "left", "display": "null", **there}

    def test_an_application_on_another_host_reaches_all_receivers(self):
        self.env["VITRAIL_MANAGER"] = "0.0.0.0:7440"
        self.up()
        far = {**self.env, "VITRAIL_MANAGER": f"{self.machines.here}:7440"}
        reported = self.machines.run("vitrail", "ls", "--json", env=far, at=self.render)
        hosts = {one["name"]: one["host"] for one in json.loads(reported.stdout)["receivers"]}
        self.assertEqual(hosts, {"left": self.machines.here, "right": self.right})
        self.vitrail("down")


class StandbyOnASwitch(OnASwitch):
    """A fifth machine runs the standby that the wall file names."""

    COUNT = 4
    asked_at = None  # default: the manager's machine

    def wall_keys(self):
        self.second = self.machines.hosts[3]
        place = self.machines.place("", self.second, program=str(BIN / "vitrail-manager"), environment={
            **self.machines.environment, "XDG_STATE_HOME": str(self.folder / "second"),
            "PATH": f"{BIN}:{os.environ['PATH']}"})
        return {"standby": {key: place[key] for key in ("host", "port", "user", "program", "environment")}}

    def stands_by(self):
        return json.loads(self.vitrail("ls", "--json")).get("standby", {}).get("connected", False)

    def vitrail(self, *arguments, check=True, at=None):
        return super().vitrail(*arguments, check=check, at=at or self.asked_at)

    def follow_to_the_second(self):
        """From now on, commands go to the second manager, which has the same key."""
        self.env["VITRAIL_MANAGER"] = f"{self.second}:7440"
        self.asked_at = self.second

    def managers_at(self, address):
        return [pid for pid in self.programs(address) if self.comm(pid).startswith("vitrail-manage")]

    def test_the_managers_machine_is_cut_off(self):
        self.up()
        window = eventually(self.playing, "its figures have come")
        self.assertTrue(self.stands_by())
        self.machines.link(self.machines.here, "down")
        self.follow_to_the_second()
        eventually(lambda: self.machines.run("vitrail", "ls", env=self.env, at=self.second).returncode == 0,
                   "the standby takes over")
        for name in ("left", "right"):
            self.goes_on(name, "with the other manager")
        after = eventually(self.playing, "its figures have come")
        self.assertEqual((after["window"], after["rect"]), (window["window"], window["rect"]))
        self.machines.link(self.machines.here, "up")
        eventually(self.stands_by, "the former manager steps down, and stands by in its turn")
        self.assertEqual(len(self.managers_at(self.machines.here)), 1)
        for name in ("left", "right"):
            self.goes_on(name, "with the other manager still")
        self.assertEqual(len(self.state()["windows"]), 1)
        self.vitrail("down")
        for address in (*self.machines.hosts, self.machines.here):
            eventually(lambda address=address: not self.programs(address), f"nothing runs on at {address}")

    def test_what_ran_there_is_ended_with_the_wall(self):
        self.up()
        self.assertTrue(self.managers_at(self.second))
        self.vitrail("down")
        for address in self.machines.hosts:
            eventually(lambda address=address: not self.programs(address), f"nothing runs on at {address}")

    def test_a_cable_that_is_pulled_and_put_back(self):
        """The standby's cable is pulled: the standby keeps running and follows again."""
        self.up()
        self.machines.link(self.second, "down")
        eventually(lambda: not self.stands_by(), "the manager misses it")
        self.goes_on("left", "without a standby")
        before = self.managers_at(self.second)
        self.machines.link(self.second, "up")
        eventually(lambda: self.stands_by(), "it stands by again")
        self.assertEqual(self.managers_at(self.second), before)

    test_a_render_node_that_is_cut_off = None


if __name__ == "__main__":
    unittest.main()


class FilmServer(MachinesTest):
    """The third machine runs a film server with the wall's key; the page's requests to it use TLS."""

    def setUp(self):
        super().setUp()
        self.key = (self.folder / "key").read_text().strip()
        self.server = f"{self.render}:7450"
        self.medium = f"server://{self.server}/harbour.vmov"
        self.env |= {"VITRAIL_FILM_SERVER": self.server, "VITRAIL_PAGE": "127.0.0.1:7441"}
        films = self.folder / "films"
        films.mkdir()
        clip = self.folder / "clip.mp4"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=640x180:rate=15", "-t", "4", clip], check=True)
        self.assertEqual(run("vitrail", "convert", clip, films / "harbour.vmov").returncode, 0)
        self.vitrail("up", "--fresh", self.wall)

    def server_env(self, key):
        return {**self.env, "XDG_STATE_HOME": str(self.folder / "server"), "VITRAIL_KEY_FILE": str(self.folder / key) if key else ""}

    def serve(self, *arguments, key="key"):
        """Starts the film server; returns the path of its log."""
        said = self.folder / "server.log"
        with open(said, "w", encoding="utf-8") as log:
            server = subprocess.Popen(
                self.machines.words(self.render, BIN / "vitrail-server", "--films", self.folder / "films", "--listen", self.server,
                                    *arguments), stdout=log, stderr=log, env=self.server_env(key))
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        eventually(lambda: "ready" in said.read_text() or server.poll() is not None, "the film server is ready")
        self.assertIsNone(server.poll(), said.read_text())
        return said

    @contextlib.contextmanager
    def page(self):
        """A page's connection on the manager's machine, after hello."""
        with self.machines.as_one_of(self.machines.here):
            page = WebSocket(7441)
        with page:
            self.welcome = page.hello(self.key)["result"]
            yield page

    def poster(self, number):
        proof = authorization(self.welcome, "GET", "/preview", number)
        with self.machines.as_one_of(self.machines.here):
            return request(7441, "GET", "/preview?film=" + urllib.parse.quote(self.medium, safe=""), headers={"Authorization": proof})

    def test_its_films_are_listed_seen_and_played(self):
        self.serve("--manager", f"{self.machines.here}:7440")
        with self.page() as page:
            def film():
                answer = page.call("films")
                return "result" in answer and answer["result"]["titles"]
            listed, = eventually(film, "its films are listed")
            self.assertEqual((listed["title"], listed["size"], listed["playable"]), ("harbour.vmov", [640, 180], True))
            numbers = iter(range(1, 1000))
            status, headers, body = eventually(lambda: (lambda reported: reported[0] == 200 and reported)(self.poster(next(numbers))),
                                               "there is a poster")
            self.assertEqual((status, headers["content-type"], body[:2]), (200, "image/jpeg", b"\xff\xd8"))
            played = page.call("play", media=[self.medium], loop=True)
            self.assertIn("result", played)
        self.vitrail("fit", played["result"]["window"])
        for name in ("left", "right"):
            self.goes_on(name, "with the film")

    def test_the_key_of_its_own_machines_wall_is_not_for_others(self):
        here = {**self.server_env(""), "VITRAIL_MANAGER": "127.0.0.1:7440"}
        made = self.machines.run("vitrail", "key", "new", env=here, at=self.render)
        self.assertEqual(made.returncode, 0, made.stderr)
        films = ("--films", self.folder / "films")
        for options in ((*films, "--listen", self.server), (*films, "--rtsp", f"{self.render}:8554"), (*films, "--http", self.render),
                        ("--role", "disk", *films, "--listen", self.render)):
            refused = self.machines.run("vitrail-server", *options, env=here, at=self.render, timeout=30)
            self.assertEqual(refused.returncode, EXIT_FAILED, refused.stdout)
            for word in ("127.0.0.1:7440", "VITRAIL_KEY_FILE", made.stdout.strip(), "--insecure"):
                self.assertIn(word, refused.stderr)
        with unittest.mock.patch.dict(self.env, VITRAIL_MANAGER="127.0.0.1:7440"):
            self.serve("--insecure", key="")
        listed = self.machines.run("vitrail", "films", "--server", self.server, env=self.server_env(""), at=self.left)
        self.assertIn("harbour.vmov", listed.stdout, listed.stderr)

    def test_one_with_another_key(self):
        self.vitrail("key", "new", self.folder / "another.key")
        self.serve("--manager", f"{self.machines.here}:7440", key="another.key")
        with self.page() as page:
            for verb, params in (("films", {}), ("films", {"search": "harbour"})):
                self.assertIn(f"the film server at {self.server} failed to prove the wall's key",
                              page.call(verb, **params)["error"]["message"])

    def test_one_that_plays_on_other_walls(self):
        self.serve("--manager", "10.77.0.99:7440")
        with self.page() as page:
            why = page.call("play", media=[self.medium])["error"]["message"]
            self.assertIn(f"is {self.machines.here}:7440, and this server plays on the walls of 10.77.0.99:7440 only", why)
