"""A program that dies, hangs or sends nonsense does not harm the others."""

import json
import pathlib
import signal
import socket
import struct
import subprocess
import time
import unittest

from harness import EXIT_FAILED, NEVER_DROPPED, Control, WallTest, eventually, run


class Deaths(WallTest):
    def test_a_receiver_dies_and_comes_back(self):
        _, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        self.wait_for_frames(number)
        victim = self.receivers["node4"]
        victim.kill()
        victim.wait()
        self.wait_for_frames(number)
        self.start_receiver("node4")
        self.wait_for_receivers("node4")

        def shows():
            frames = json.loads(self.vitrail("snapshot", "w.png", "--json").stdout)["frames"]
            return {f["tile"] for f in frames} == {"c1r1", "c2r1", "c1r2", "c2r2"}
        eventually(shows, "the receiver that came back shows the window again")

    def test_a_receiver_hangs_and_recovers(self):
        _, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        self.wait_for_frames(number)
        hung = self.receivers["node1"]
        hung.send_signal(signal.SIGSTOP)
        others = lambda: next(r["stats"]["frames_shown"] for r in self.state()["receivers"] if r["name"] == "node2")
        before = others()
        eventually(lambda: others() > before + 20, "the other tiles go on")
        self.assertRegex(self.vitrail("snapshot", "w.png", expect=EXIT_FAILED).stdout, r"missing: c1r1\b")
        hung.send_signal(signal.SIGCONT)
        self.wait_for_frames(number)

    def test_an_application_dies(self):
        player, number = self.play("test:64x64")
        player.kill()
        player.wait()
        eventually(lambda: self.window(number) is None, "the window leaves")

    def test_nobody_misses_a_manager_that_dies(self):
        player, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        self.wait_for_frames(number)
        before = eventually(lambda: self.window(number).get("stats"), "the film has figures")
        self.manager.kill()
        self.manager.wait()
        eventually(lambda: "lost the manager" in self.output(player), "bplay says so")
        for receiver in self.receivers.values():
            eventually(lambda r=receiver: "lost the manager" in self.output(r), "the receiver says so")
        self.manager = self.start_manager()
        self.wait_for_receivers(*self.receivers)
        window = eventually(lambda: self.window(number), "the window is there, under its number")
        self.assertEqual(window["rect"], [0, 2, 648, 364])
        after = eventually(lambda: self.window(number).get("stats"), "the film has figures again")
        self.assertGreater(after["frames_shown"], before["frames_shown"], "it is the same stream")
        for cause in NEVER_DROPPED:
            self.assertEqual(after["dropped"][cause], before["dropped"][cause], cause)
        self.assertEqual(self.output(player).count("lost the manager"), 1)
        self.wait_for_frames(number)

    def test_a_group_plays_on_without_its_manager(self):
        films = [self.play("--group", "panels", "--place", place, "test:320x180@30") for place in ("0,0", "330,0")]
        for _, number in films:
            self.wait_for_frames(number)
        self.manager.kill()
        self.manager.wait()
        for player, _ in films:
            eventually(lambda p=player: "lost the manager" in self.output(p), "bplay says so")
        self.manager = self.start_manager()
        self.wait_for_receivers(*self.receivers)

        def groups():
            reported = json.loads(self.vitrail("group", "--json").stdout)["groups"]
            return [(g["name"], sorted(g["windows"]), round(g["fps"])) for g in reported]
        eventually(lambda: groups() == [("panels", [n for _, n in films], 30)], "the group is there again")
        for _, number in films:
            self.wait_for_frames(number)
        self.vitrail("pause", str(films[0][1]))
        for _, number in films:
            eventually(lambda n=number: self.window(n)["playback"].get("paused"), "it acts on both")

    def test_a_manager_that_hangs_finds_all_as_it_was(self):
        player, number = self.play("test:320x180@30", "--place", "0,0,648x368")
        self.wait_for_frames(number)
        self.manager.send_signal(signal.SIGSTOP)
        eventually(lambda: "lost the manager" in self.output(player), "bplay says so")
        for receiver in self.receivers.values():
            eventually(lambda r=receiver: "lost the manager" in self.output(r), "the receiver says so")
        self.manager.send_signal(signal.SIGCONT)
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: "reconnected to the manager" in self.output(player), "bplay has reached it")
        self.assertEqual([w["window"] for w in self.state()["windows"]], [number])
        self.assertEqual(self.window(number)["rect"], [0, 2, 648, 364])
        self.wait_for_frames(number)


class Stops(WallTest):
    """Each kind of process is stopped for ten seconds; all others continue."""

    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def serve(self):
        films = self.folder / "films"
        films.mkdir()
        self.vitrail("convert", self.clip(), films / "film.vmov")
        port_file = self.folder / "server-port"
        server = self.start("vitrail-server", "--films", films, "--listen", "127.0.0.1:0", "--port-file", port_file)
        port = int(eventually(lambda: port_file.exists() and port_file.read_text(), "the server listens"))
        with Control(port) as control:
            film = control.call("play", title="film.vmov", loop=True, place=[0, 90, 160, 90])
        return server, film["result"]["window"]

    def served(self):
        """The current number of the film server's window."""
        return eventually(lambda: [w["window"] for w in self.state()["windows"] if w["owner"] == "vitrail-server"],
                          "the server's film is there")[0]

    def test_a_receiver_a_player_and_a_film_server(self):
        _, seen = self.play("test:160x90@30", "--place", "320,0")
        player, number = self.play("test:160x90@30", "--place", "0,0")
        server, film = self.serve()
        for window in (number, film):
            self.wait_for_frames(window)
        stopped = (self.receivers["node1"], player, server)
        for process in stopped:
            process.send_signal(signal.SIGSTOP)
        self.wait_for_frames(seen, more=300)  # at 30 a second
        for process in stopped:
            process.send_signal(signal.SIGCONT)
        for window in (number, seen):
            self.wait_for_frames(window, more=60)
        self.wait_for_frames(self.served(), more=60)
        self.assertEqual(len(self.state()["windows"]), 3)
        self.assertTrue(all(process.poll() is None for process in stopped))

    def test_a_manager(self):
        server, film = self.serve()
        _, number = self.play("test:160x90@30", "--place", "320,0")
        self.wait_for_frames(film)
        before = self.shown(number)
        began = time.monotonic()
        self.manager.send_signal(signal.SIGSTOP)
        eventually(lambda: time.monotonic() > began + 10, "ten seconds")
        self.manager.send_signal(signal.SIGCONT)
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.shown(number) > before + 270, "it played all the while")
        for window in (self.served(), number):
            self.wait_for_frames(window)
        self.assertIsNone(server.poll())


class Nonsense(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def test_second_manager_on_the_port(self):
        result = run("vitrail-manager", "--wall", self.wall_file, "--listen", f"127.0.0.1:{self.port}", "--state", self.folder / "second")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn(f"port {self.port}", result.stderr)

    def test_second_manager_with_the_state_folder(self):
        result = run("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "off", env=self.env())
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("another manager uses the state folder", result.stderr)
        self.assertIsNone(self.manager.poll())

    def test_second_manager_with_the_state_folder_of_a_wall_with_a_witness(self):
        wall = self.folder / "witnessed.json"
        wall.write_text(json.dumps({"grid": self.grid, "witness": "etcd://127.0.0.1:1"}))
        words = ("--wall", wall, "--listen", "127.0.0.1:0", "--page", "off", "--state", self.folder / "shared")
        first = self.start("vitrail-manager", *words)
        eventually(lambda: "does not rule" in pathlib.Path(first.log.name).read_text(encoding="utf-8"), "the first one waits")
        result = run("vitrail-manager", *words)
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn(f"another manager uses the state folder {self.folder / 'shared'}", result.stderr)

    def test_unknown_and_doubled_receivers(self):
        for name, word in (("nobody", "node1"), ("node1", "already")):
            result = run("vitrail-receiver", "--manager", f"127.0.0.1:{self.port}", "--name", name, "--display=null")
            self.assertEqual(result.returncode, EXIT_FAILED, result.stderr)
            self.assertIn(word, result.stderr)

    def test_control_garbage_while_a_film_plays(self):
        _, number = self.play("test:320x180@30")
        with Control(self.port) as control:
            control.send("this is no JSON\n")
            self.assertEqual(control.receive()["error"]["code"], -32700)
            control.send(b"\xff\xfe\x00\n")
            self.assertEqual(control.receive()["error"]["code"], -32700)
            control.send("[" * 100000 + "\n")
            self.assertEqual(control.receive()["error"]["code"], -32700)
            self.assertEqual(control.call("no_such_verb")["error"]["code"], -32601)
            for params in ({}, {"window": "one", "x": 1, "y": 2}, {"window": number, "x": 1e300, "y": 0},
                           {"window": number, "x": 0, "y": 0, "z": 0}, {"window": -1, "x": 0, "y": 0}):
                self.assertEqual(control.call("move", **params)["error"]["code"], -32602, params)
            self.assertEqual(control.call("resize", window=number, width=10**9)["error"]["code"], -32602)
            self.assertIn("result", control.call("list"))
        with Control(self.port, hello=False) as rude:
            rude.send("x" * (2 << 20))
            eventually(lambda: self.closed(rude), "an endless line ends the session")
        self.wait_for_frames(number)

    def test_silent_peers_are_disconnected(self):
        with Control(self.port, hello=False) as silent:
            eventually(lambda: self.closed(silent), "a peer that says nothing is disconnected")
        self.vitrail("ls")

    @staticmethod
    def closed(control):
        control.socket.settimeout(0.05)
        try:
            return control.socket.recv(65536) == b""
        except (TimeoutError, socket.timeout):
            return False
        except OSError:
            return True

    def data_port(self):
        with Control(self.port) as control:
            return control.call("snapshot")["result"]["receivers"][0]["port"]

    def test_data_garbage_while_a_film_plays(self):
        _, number = self.play("test:320x180@30")
        self.wait_for_frames(number)
        port = self.data_port()
        header = struct.Struct("<IBBHII")
        magic = 0x4C525456
        attempts = [b"GET / HTTP/1.1\r\n\r\n", b"\0" * 64, header.pack(magic, 99, 1, 0, number, 24) + b"\0" * 24,
                    header.pack(magic, 1, 1, 0, number, 0xFFFFFFFF), header.pack(magic, 1, 200, 0, number, 4) + b"\0" * 4,
                    header.pack(magic, 1, 1, 0, number, 24) + b"\0" * 24, header.pack(magic, 1, 4, 0, number, 64) + b"\xff" * 64]
        for data in attempts:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as peer:
                peer.settimeout(10)
                peer.sendall(data)
                while peer.recv(4096):
                    pass  # the close message with the reason, then the end
        self.wait_for_frames(number)


class Films(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def bplay(self, *arguments):
        return run("bplay", *arguments, env=self.env(), cwd=self.folder)

    def test_films_that_cannot_be_played(self):
        (self.folder / "empty.mp4").write_bytes(b"")
        (self.folder / "text.mp4").write_text("this is no film\n" * 100)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=1",
                        self.folder / "sound.wav"], check=True)
        for name, word in (("missing.mp4", "No such file"), ("empty.mp4", "empty.mp4"), ("text.mp4", "text.mp4"),
                           ("sound.wav", "sound")):
            result = self.bplay(name)
            self.assertEqual(result.returncode, EXIT_FAILED, name)
            self.assertIn(word, result.stderr)

    def test_a_film_corrupt_halfway_plays_on(self):
        clip = self.clip(seconds=2, extra=("-c:v", "mpeg4", "-g", "10"), name="clip.avi")
        data = bytearray(clip.read_bytes())
        for i in range(len(data) // 2, len(data) // 2 + 3000):
            data[i] = (i * 7919) & 0xFF
        clip.write_bytes(data)
        self.assertEqual(self.bplay(clip).returncode, 0)

    def test_a_film_plays_to_its_end(self):
        result = self.bplay(self.clip(seconds=1))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.state()["windows"], [])

    def test_raw_frames_from_standard_input(self):
        frames = bytes(64 * 48 * 3) * 10
        result = run("bplay", "--raw", "64x48@30:rgb", "-", env=self.env(), stdin=frames)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run("bplay", "--raw", "64x48@30:rgb", "-", env=self.env(), stdin=frames + b"half")
        self.assertIn(b"received 4 of 9216 bytes", result.stderr)

    def test_films_from_standard_input(self):
        film = subprocess.run(["ffmpeg", "-v", "error", "-i", self.clip(seconds=1), "-f", "yuv4mpegpipe", "-"],
                              stdout=subprocess.PIPE, check=True).stdout
        result = run("bplay", "-", "--frames", "20", env=self.env(), stdin=film)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run("bplay", "-", env=self.env(), stdin=b"no film at all")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"standard input", result.stderr)


if __name__ == "__main__":
    unittest.main()
