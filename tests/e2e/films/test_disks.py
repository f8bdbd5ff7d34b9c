"""Films on disk servers: real processes, which are killed while films are placed and sent."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from harness import EXIT_FAILED, EXIT_USAGE, PATIENCE_S, WallTest, eventually, run

MIB = 1 << 20
SECONDS = 30
TITLE = "opera.avi"


class Disks(WallTest):
    key = "a secret of some length"

    def env(self, **more):
        return super().env(VITRAIL_KEY=self.key, **more)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = 0
        self.films = self.folder / "films"
        self.films.mkdir()
        self.film = self.films / TITLE
        # Noise, so that a short film is large.
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
                        f"nullsrc=size=320x180:rate=25,geq=random(1)*255:128:128,trim=duration={SECONDS // 5}", "-c:v",
                        "rawvideo", self.film], check=True)
        self.stored = hashlib.sha256(self.film.read_bytes()).hexdigest()
        self.disks = [self.start_disk(name) for name in "abc"]
        self.start_server()

    def started(self, *arguments):
        port = self.folder / f"port-{time.monotonic_ns()}"
        program = self.start("vitrail-server", "--listen", "127.0.0.1:0", "--port-file", port, *arguments)
        eventually(lambda: port.exists() or program.poll() is not None, "the server listens")
        self.assertIsNone(program.poll(), self.output(program))
        return program, f"127.0.0.1:{port.read_text().strip()}"

    def start_disk(self, name):
        (self.folder / name).mkdir()
        return self.started("--role", "disk", "--films", self.folder / name)

    def start_server(self):
        http_port = self.folder / f"http-port-{time.monotonic_ns()}"
        words = [word for _, address in self.disks for word in ("--disk", address)]
        self.server, self.control = self.started("--films", self.films, "--catalogue", self.folder / "films.db", "--http",
                                                 "127.0.0.1:0", "--http-port-file", http_port, *words)
        eventually(http_port.exists, "it listens for players")
        self.url = f"http://127.0.0.1:{http_port.read_text().strip()}/{TITLE}"

    def vitrail_films(self, *arguments):
        return run("vitrail", "films", "--server", self.control, *arguments, env=self.env())

    def place(self):
        return self.vitrail_films("place", TITLE, "--stripe", "3", "--copies", "2")

    def unfinished(self):
        return [path for name in "abc" for path in (self.folder / name).glob(".*.new")]

    def sent(self):
        viewer = run("vitrail", "key", "show", "--role", "viewer", env=self.env()).stdout.strip()
        answer = subprocess.run(["curl", "--silent", "--digest", "--user", viewer, self.url], capture_output=True,
                                timeout=4 * PATIENCE_S, check=False)
        return hashlib.sha256(answer.stdout).hexdigest()

    def test_a_film_is_sent_from_disk_servers_without_one_of_them(self):
        done = self.place()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.film.unlink()
        listed = self.vitrail_films().stdout
        for _, address in self.disks:
            self.assertIn(address, listed)
        self.assertEqual(self.sent(), self.stored)
        self.disks[1][0].kill()
        self.disks[1][0].wait()
        self.assertEqual(self.sent(), self.stored)
        sources = self.vitrail_films("sources").stdout
        self.assertIn(f"{self.disks[1][1]}: not connected", sources)

    def test_placing_that_is_killed_leaves_the_film_where_it_is_and_is_gone_on_with(self):
        # Large enough that placing it takes a while.
        with open(self.films / "noise.mov", "wb") as file:
            file.write(os.urandom(MIB) * 512)
        placing = self.start("vitrail", "films", "--server", self.control, "place", "noise.mov")
        eventually(lambda: any(path.stat().st_size > 4 * MIB for path in self.unfinished()), "parts are written")
        self.server.kill()
        self.server.wait()
        self.assertNotEqual(placing.wait(timeout=PATIENCE_S), 0)
        self.assertEqual(list(self.films.glob("*.xnd")), [])
        begun = {path: path.stat().st_size for path in self.unfinished()}
        self.assertEqual(len(begun), 3)
        self.start_server()
        done = self.vitrail_films("place", "noise.mov")
        self.assertIn("noise.mov", done.stderr, "placed, but it is no film")
        self.assertTrue((self.films / "noise.mov.xnd").exists())
        self.assertEqual(self.unfinished(), [])
        for name in "abc":
            self.assertEqual(len(list((self.folder / name).iterdir())), 1)

    def test_what_cannot_be_is_said(self):
        for words, code, reported in [
                (("place", "nothing.avi"), EXIT_FAILED, "there is no film"),
                (("place", TITLE, "--copies", "4"), EXIT_FAILED, "3 disk servers"),
                (("place", TITLE, "--copies", "0"), EXIT_USAGE, "--copies")]:
            refused = self.vitrail_films(*words)
            self.assertEqual(refused.returncode, code, refused.stderr)
            self.assertIn(reported, refused.stderr)
        for words in (("--role", "disk", "--films", self.folder / "none"),
                      ("--role", "disk", "--films", self.films, "--http", ":0"), ("--role", "tape", "--films", "/")):
            refused = run("vitrail-server", *words, "--listen", "127.0.0.1:0", env=self.env())
            self.assertIn(refused.returncode, (EXIT_FAILED, EXIT_USAGE), refused.stdout)
        exposed = run("vitrail-server", "--role", "disk", "--films", self.films, "--listen", "0.0.0.0:0",
                      env={**os.environ, "VITRAIL_KEY": ""})
        self.assertNotEqual(exposed.returncode, 0)
