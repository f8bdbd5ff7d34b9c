"""Films on a real NFS server that this host has not mounted."""

import contextlib
import json
import os
import pathlib
import select
import socket
import socketserver
import subprocess
import unittest

from ganesha import Ganesha, why_not
from harness import BIN, EXIT_FAILED, PATIENCE_S, WallTest, eventually, free_port, run
from web import serve

BLOCK = 256 << 10
# libnfs leaks a name of a few bytes with each connection.
LSAN = {"LSAN_OPTIONS": "suppressions=" + str(pathlib.Path(__file__).with_name("libnfs.lsan"))}


@unittest.skipIf(why_not(), why_not())
class Nfs(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def setUp(self):
        super().setUp()
        self.films = self.folder / "films"
        self.films.mkdir()
        self.folder.chmod(0o755)
        self.server = Ganesha(self, self.folder, self.films, free_port())
        self.address = f"nfs://127.0.0.1:{self.server.port}{self.films}"
        self.wait_for_server()

    def env(self, **more):
        return super().env(**LSAN, **more)

    def wait_for_server(self):
        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.server.port)) == 0
        eventually(lambda: listens() or self.server.process.poll() is not None, "the server listens")
        self.assertIsNone(self.server.process.poll(), "nfs-ganesha runs")

    def iobench(self, name, seconds=0, user=None):
        options = {"user": user} if user is not None else {}
        return subprocess.Popen([BIN / "vitrail", "iobench", f"{self.address}/{name}", "--block", str(BLOCK), "--depth", "8",
                                 "--seconds", str(seconds), "--json"], env=self.env(), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **options)

    def reported(self, name, code=EXIT_FAILED, **options):
        process = self.iobench(name, **options)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, code, stderr)
        return stderr if code else json.loads(stdout)["sources"][0]

    def reading(self, name):
        """Starts a reader; returns when the server is busy with it."""
        def busy():
            return int(pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11])
        before = busy()
        reader = self.iobench(name, seconds=3600)
        self.addCleanup(reader.communicate)
        self.addCleanup(reader.kill)
        eventually(lambda: busy() > before + 10 or reader.poll() is not None, "the film is read")
        self.assertIsNone(reader.poll())
        return reader

    def test_films_play_from_there_and_seek(self):
        clip = self.clip("films/a clip.mp4", seconds=3)
        self.vitrail("convert", clip, "films/film.vmov")
        for name in ("a%20clip.mp4", "film.vmov"):
            player, window = self.play(f"{self.address}/{name}", "--loop")
            self.wait_for_frames(window)
            self.vitrail("seek", window, "1.5")
            self.wait_for_frames(window)
            self.vitrail("close", window)
            self.assertEqual(player.wait(30), 0, self.output(player))
        window = json.loads(self.vitrail("play", f"{self.address}/film.vmov", "--loop", "--json").stdout)["window"]
        self.wait_for_frames(window)
        self.vitrail("close", window)
        self.vitrail("convert", f"{self.address}/a%20clip.mp4", "again.vmov")
        again = (self.folder / "again.vmov").read_bytes()
        self.assertTrue((self.films / "film.vmov").read_bytes()[10_000:2_000_000] in again, "heads tell where they were made from")

    def test_what_cannot_be_opened_is_said(self):
        film = self.films / "film"
        film.write_bytes(os.urandom(3_000_000))
        source = self.reported("film", code=0)
        self.assertEqual((source["size"], source["points"][0]["bytes"], source["points"][0]["retries"]), (3_000_000, 8 * BLOCK, 0))
        self.assertIn("film-not: the server has no such file", self.reported("film-not"))
        self.assertIn("none/film: the server has no such file", self.reported("none/film"))
        (self.films / "folder").mkdir()
        self.assertIn("folder: not a regular file", self.reported("folder"))
        os.mkfifo(self.films / "pipe")
        self.assertIn("pipe: not a regular file", self.reported("pipe"))
        # libnfs would read beyond the end of a link's target if its length is a multiple of four.
        (self.films / "link").symlink_to("film")
        self.assertIn("/link is a symbolic link: links are not followed", self.reported("link"))
        (self.films / "folders").symlink_to("folder")
        self.assertIn("/folders is a symbolic link: links are not followed", self.reported("folders/film"))
        (self.films / "mine").touch(0o600)
        self.assertIn("mine: the server denied access to user 65534", self.reported("mine", user=65534))
        self.assertIn("is not nfs://HOST", self.reported("film?uid=0"))

    def test_lists_from_there_open_nothing_of_this_host(self):
        clip = self.clip("part.ts", seconds=1)
        (self.films / "list.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://{clip}\n#EXT-X-ENDLIST\n")
        result = run("vitrail", "convert", f"{self.address}/list.m3u8", self.folder / "never.vmov", env=self.env())
        self.assertNotEqual(result.returncode, 0)
        self.assertFalse((self.folder / "never.vmov").exists())

    def test_a_film_that_gets_shorter_is_an_error_that_names_the_place(self):
        film = self.films / "film"
        film.write_bytes(bytes(32 << 20))
        reader = self.reading("film")
        os.truncate(film, 5 << 20)
        self.assertIn("the file has become shorter", reader.communicate(timeout=PATIENCE_S)[1])
        self.assertEqual(reader.returncode, EXIT_FAILED)

    def test_a_server_that_dies_ends_the_reading(self):
        (self.films / "film").write_bytes(bytes(32 << 20))
        reader = self.reading("film")
        self.server.end()
        words = reader.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(reader.returncode, EXIT_FAILED)
        self.assertRegex(words, "cannot read nfs://.*/film at byte [0-9]+: ")
        self.assertIn("cannot open nfs://", self.reported("film"))

    def far_away(self, then):
        """The server's address through a relay that forwards 1 MB of the first connection and then calls `then`."""
        visits = []

        class Visit(socketserver.BaseRequestHandler):
            def handle(visit):
                first, passed = not visits, 0
                visits.append(visit)
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port)) as far:
                    while not (first and passed > 1 << 20):
                        for one in select.select([visit.request, far], [], [])[0]:
                            some = one.recv(65536)
                            if not some:
                                return
                            (far if one is visit.request else visit.request).sendall(some)
                            passed += len(some) if one is far else 0
                    then(visit.request)

        port = serve(self, socketserver.ThreadingTCPServer, Visit).server_address[1]
        return f"nfs://127.0.0.1:{port}{self.films}"

    def test_a_connection_that_breaks_or_falls_silent_is_made_anew(self):
        (self.films / "film").write_bytes(os.urandom(3_000_000))

        def silence(request):
            while request.recv(65536):
                pass

        for then in (lambda request: None, silence):
            self.address = self.far_away(then)
            point = self.reported("film", code=0)["points"][0]
            self.assertEqual((point["bytes"], point["retries"]), (8 * BLOCK, 1))

        def change(_):
            (self.films / "other").write_bytes(os.urandom(3_000_000))
            (self.films / "other").rename(self.films / "film")

        self.address = self.far_away(change)
        self.assertIn("the file has changed since it was opened", self.reported("film"))

    def test_what_came_over_a_broken_connection_is_whole(self):
        clip = self.clip("films/clip.mp4", seconds=5, size="640x360", extra=("-qp", "0"))
        self.assertGreater(clip.stat().st_size, 1 << 20)
        self.vitrail("convert", clip, "near.vmov")
        self.address = self.far_away(lambda request: None)
        self.vitrail("convert", f"{self.address}/clip.mp4", "far.vmov")
        self.assertTrue((self.folder / "near.vmov").read_bytes()[10_000:2_000_000] in (self.folder / "far.vmov").read_bytes())


if __name__ == "__main__":
    unittest.main()
