"""vitrail-server as a real process: films from its folder to the wall."""

import json
import os
import shutil
import signal
import socket
import subprocess
import unittest

from harness import EXIT_DONE, EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually, run

EXIT_BUSY = 75  # bplay: the film server cannot reserve the read rate


class ServerTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180], "mullion": [8, 0]}

    def setUp(self):
        super().setUp()
        self.films = self.folder / "films"
        (self.films / "lobby").mkdir(parents=True)
        self.vitrail("convert", self.clip(seconds=2, size="648x180"), self.films / "lobby" / "film.vmov")
        self.server_port = 0
        self.server = self.start_server()

    def start_server(self, *arguments):
        port_file = self.folder / "server-port"
        port_file.unlink(missing_ok=True)
        server = self.start("vitrail-server", "--films", self.films, "--listen", f"127.0.0.1:{self.server_port}",
                            "--port-file", port_file, *arguments)
        eventually(lambda: port_file.exists() or server.poll() is not None, "the server listens")
        self.assertIsNone(server.poll(), self.output(server))
        self.server_port = int(port_file.read_text())
        return server

    def url(self, title="lobby/film.vmov"):
        return f"server://127.0.0.1:{self.server_port}/{title}"

    def windows(self):
        return self.state()["windows"]


class Server(ServerTest):
    def test_bplay_asks_and_its_film_ends_with_it(self):
        player, number = self.play(self.url(), "--loop", "--place", "0,0,648x180", "--title", "Visitors")
        self.wait_for_frames(number)
        self.assertEqual((self.window(number)["title"], self.window(number)["owner"]), ("Visitors", "vitrail-server"))
        player.send_signal(signal.SIGINT)
        self.assertEqual(player.wait(30), EXIT_DONE, self.output(player))
        eventually(lambda: not self.windows(), "the window leaves")
        player, number = self.play(self.url(), "--loop")
        self.wait_for_frames(number)
        player.kill()
        eventually(lambda: not self.windows(), "the window leaves with a player that is killed")
        player, number = self.play(self.url(), "--loop")
        self.vitrail("close", number)
        self.assertEqual(player.wait(30), EXIT_DONE, self.output(player))
        result = run("bplay", self.url(), "--rate", "8", env=self.env())
        self.assertEqual((result.returncode, result.stderr), (EXIT_DONE, ""))

    def test_a_film_goes_on_without_who_asked(self):
        with Control(self.server_port) as control:
            film = control.call("play", title="lobby/film.vmov", loop=True)["result"]
            self.wait_for_frames(film["window"])
        self.wait_for_frames(film["window"])
        with Control(self.server_port) as control:
            self.assertEqual(control.call("stop", film=film["film"])["result"]["state"], "ending")
            eventually(lambda: not control.call("films")["result"]["films"], "it is gone")
        self.assertEqual(self.windows(), [])

    def test_the_server_is_killed(self):
        player, number = self.play(self.url(), "--loop")
        self.wait_for_frames(number)
        self.server.kill()
        self.assertEqual(player.wait(30), EXIT_FAILED)
        self.assertIn("lost the film server", self.output(player))
        eventually(lambda: not self.windows(), "the window leaves")

    def test_the_server_ends(self):
        _, number = self.play(self.url(), "--loop")
        self.wait_for_frames(number)
        self.server.terminate()
        self.assertEqual(self.server.wait(30), EXIT_DONE, self.output(self.server))
        eventually(lambda: not self.windows(), "the window leaves")

    def test_the_manager_is_killed_and_comes_back(self):
        with Control(self.server_port) as control:
            number = control.call("play", title="lobby/film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(number)
            self.manager.kill()
            self.manager.wait()
            eventually(lambda: "lost the manager" in self.output(self.server), "the server says so")
            self.manager = self.start_manager()
            self.wait_for_receivers(*self.receivers)
            number = eventually(self.windows, "the server opens its window again")[0]["window"]
            self.wait_for_frames(number)
            self.assertEqual(control.call("films")["result"]["films"][0]["window"], number)

    def test_a_receiver_is_killed_and_comes_back(self):
        _, number = self.play(self.url(), "--loop", "--place", "0,0,648x180")
        self.wait_for_frames(number)
        self.receivers["node2"].kill()
        self.receivers["node2"].wait()
        self.wait_for_frames(number)
        self.start_receiver("node2")
        self.wait_for_receivers("node2")
        self.wait_for_frames(number)
        eventually(lambda: all(r.get("stats", {}).get("frames_shown", 0) > 0 for r in self.state()["receivers"]),
                   "the receiver that came back shows it, too")

    def list_films(self, *arguments):
        result = run("vitrail", "films", *arguments, "--server", f"127.0.0.1:{self.server_port}", env=self.env())
        self.assertEqual((result.returncode, result.stderr), (EXIT_DONE, ""))
        return result.stdout

    def test_films_are_listed_tagged_and_remembered(self):
        header, line = self.list_films().splitlines()
        self.assertEqual(header.split(), "TITLE SIZE LENGTH FPS CODEC BYTES MB/S WALL TAGS DISKS".split())
        self.assertRegex(line, r"^lobby/film\.vmov +648×180 +0:02 +\S+ +dxt1 .* yes")
        self.list_films("tag", "lobby/film.vmov", "night", "a tour")
        self.server.kill()  # no chance to clean up
        self.server.wait()
        shutil.copy(self.films / "lobby" / "film.vmov", self.films / "new.vmov")
        self.server = self.start_server()
        listed = json.loads(self.list_films("--json"))
        self.assertEqual([film["title"] for film in listed["titles"]], ["lobby/film.vmov", "new.vmov"])
        found = json.loads(self.list_films("TOUR", "--json"))["titles"]
        self.assertEqual([(film["title"], film["tags"]) for film in found], [("lobby/film.vmov", ["a tour", "night"])])
        self.assertAlmostEqual(found[0]["mb_per_s"], found[0]["bytes"] / found[0]["duration_s"] / 1e6)
        self.assertIn("there are more", self.list_films("--count", "1"))
        self.assertEqual(self.list_films("nothing like it").strip(), "no films")
        result = run("vitrail", "films", "tag", "no.vmov", "x", "--server", f"127.0.0.1:{self.server_port}",
                     env=self.env())
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("no film 'no.vmov'", result.stderr)

    def test_the_list_tells_tracks_and_what_it_leaves_out(self):
        make = ("ffmpeg -nostdin -loglevel error -f lavfi -i testsrc2=s=64x48:d=1 -f lavfi -i sine=d=1 -map 0 -map 1 "
                "-vf setfield=tff -c:v libx264 -flags +ildct+ilme -pix_fmt yuv420p -color_primaries bt2020 "
                "-color_trc smpte2084 -c:a flac -metadata:s:a:0 language=eng -metadata:s:a:0 title=Film "
                "-disposition:a:0 default")
        subprocess.run([*make.split(), self.folder / "hdr.mkv"], check=True)
        (self.films / "damaged.mp4").write_bytes(b"no film")
        with open(os.fsencode(self.films) + b"/old \xff.mov", "wb") as file:
            file.write(b"no film")
        (self.folder / "hdr.mkv").rename(self.films / "hdr.mkv")
        eventually(lambda: json.loads(self.list_films("hdr", "--json"))["titles"], "the server notices the film")
        details = self.list_films("hdr").splitlines()[2:]
        self.assertEqual(details, ["colours: HDR10", "interlaced", 'sound 1: eng, flac, 1 channel, "Film", default'])
        film = json.loads(self.list_films("hdr", "--json"))["titles"][0]
        self.assertEqual(film["tracks"], [{"kind": "sound", "number": 1, "format": "flac", "language": "eng",
                                           "title": "Film", "channels": 1, "default": True}])
        everything = self.list_films()
        self.assertNotIn("HDR10", everything)  # details are those of a single film
        self.assertIn("not listed: damaged.mp4: ", everything)
        self.assertIn("not listed: old ?.mov: its name must be UTF-8", everything)
        self.assertNotIn(str(self.films), everything)
        names = [file["name"] for file in json.loads(self.list_films("--json"))["left_out"]]
        self.assertEqual(names, ["damaged.mp4", "old ?.mov"])

    def test_what_the_folder_cannot_give_is_refused(self):
        needed = json.loads(self.list_films("--json"))["titles"][0]["mb_per_s"]
        self.server.terminate()
        self.server.wait()
        self.server = self.start_server("--source-rate", str(2.5 * needed))  # capacity for two films
        with Control(self.server_port) as control:
            for _ in range(2):
                self.assertFalse(control.call("play", title="lobby/film.vmov", loop=True)["result"]["best_effort"])
            refused = control.call("play", title="lobby/film.vmov", loop=True)["error"]
            self.assertEqual(refused["data"]["name"], "busy")
            self.assertIn(f"{2.5 * needed:.2f} MB/s", refused["message"])
            self.assertEqual(run("bplay", self.url(), env=self.env()).returncode, EXIT_BUSY)
            film = control.call("play", title="lobby/film.vmov", loop=True, best_effort=True)["result"]
            self.wait_for_frames(film["window"])
            self.assertEqual(control.call("rate", film=1, rate=4)["error"]["data"]["name"], "busy")
            self.assertIn("2 films admitted", self.list_films("sources"))
            self.assertIn("1 best effort", self.list_films("sources"))
            control.call("stop", film=1)
            self.assertIn("result", control.call("play", title="lobby/film.vmov", loop=True))

    def test_a_film_that_vanishes_while_it_plays_holds_up_nobody(self):
        shutil.copy(self.films / "lobby" / "film.vmov", self.films / "gone.vmov")
        with Control(self.server_port) as control:
            number = control.call("play", title="gone.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(number)
            (self.films / "gone.vmov").unlink()
            eventually(lambda: [film["title"] for film in control.call("titles")["result"]["titles"]] ==
                       ["lobby/film.vmov"], "it is listed no more")
            self.wait_for_frames(number)
            other = control.call("play", title="lobby/film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(other)

    def test_many_films_play_at_once(self):
        for n in range(8):
            shutil.copy(self.films / "lobby" / "film.vmov", self.films / f"{n}.vmov")
        with Control(self.server_port) as control:
            for n in range(8):
                control.call("play", title=f"{n}.vmov", loop=True, place=[n * 80, 0, 80, 60])
            eventually(lambda: len(self.windows()) == 8 and
                       all(w.get("stats", {}).get("frames_shown", 0) > 20 for w in self.windows()), "all are shown")
            self.assertEqual(len(control.call("films")["result"]["films"]), 8)


class WithKey(ServerTest):
    def env(self, **more):
        return super().env(VITRAIL_KEY="a secret of sixteen", **more)

    def test_bplay_plays_by_itself_and_from_the_manager(self):
        player, number = self.play(self.url(), "--loop")
        self.wait_for_frames(number)
        player.terminate()
        eventually(lambda: not self.windows(), "the window leaves")
        self.vitrail("play", "--loop", self.url())
        window = eventually(self.windows, "the manager's player is let in with its mark")[0]
        self.assertEqual(window["owner"], "vitrail-server")
        self.wait_for_frames(window["window"])

    def test_no_manager_is_dialled_that_its_operator_did_not_list(self):
        with socket.create_server(("127.0.0.1", 0)) as trap:
            address = f"127.0.0.1:{trap.getsockname()[1]}"
            result = run("bplay", "--manager", address, self.url(), env=self.env())
            self.assertEqual(result.returncode, EXIT_FAILED)
            self.assertIn(f"127.0.0.1:{self.port}", result.stderr)
            self.assertIn("--manager", result.stderr)
            trap.setblocking(False)
            with self.assertRaises(BlockingIOError):
                trap.accept()


class Commands(unittest.TestCase):
    def test_help_and_mistakes(self):
        result = run("vitrail-server", "--help")
        self.assertEqual(result.returncode, EXIT_DONE)
        for word in ("Examples:", "--films", "--listen", "VITRAIL_KEY_FILE", "server://"):
            self.assertIn(word, result.stdout)
        self.assertIn("vitrail-server", run("vitrail-server", "--version").stdout)
        for arguments, code, words in (
                ((), EXIT_USAGE, "--films"),
                (("--films", "/nothing/there"), EXIT_FAILED, "no folder /nothing/there"),
                (("--films", ".", "--listen", "nonsense:99999"), EXIT_FAILED, "--listen"),
                (("--films", ".", "--manager", "a b"), EXIT_FAILED, "--manager"),
                (("--films", ".", "--log-level", "loud"), EXIT_USAGE, "loud")):
            result = run("vitrail-server", *arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)

    def test_bplay_knows_what_a_server_film_is(self):
        for arguments in (("server://host",), ("server://host/",), ("server://host:x/film",),
                          ("server://host/film", "--frames", "3")):
            self.assertEqual(run("bplay", *arguments).returncode, EXIT_USAGE)


if __name__ == "__main__":
    unittest.main()
