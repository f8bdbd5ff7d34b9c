"""Films of real GlusterFS volumes, which this host has not mounted: where Vitrail was built with VITRAIL_GLUSTER, and
root has glusterd."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

import gluster
from harness import BIN, EXIT_FAILED, PATIENCE_S, WallTest, eventually, run

BLOCK = 256 << 10
VOLUMES = {  # bricks, how they are made, and what is set
    "spread": (2, (), ()),
    "parts": (3, (), (("features.shard", "on"), ("features.shard-block-size", "4MB"))),
    "coded": (3, ("disperse", "3", "redundancy", "1"), ()),
}


def why_not():
    if gluster.why_not():
        return gluster.why_not()
    told = run("vitrail", "iobench", "gluster://127.0.0.1:1/volume/film").stderr
    return "Vitrail was built without libgfapi" if "built without" in told else ""


@unittest.skipIf(why_not(), why_not())
class Gluster(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.server = gluster.Gluster(folder)
        cls.addClassCleanup(cls.server.end)
        eventually(cls.server.is_up, "glusterd listens")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
                        "testsrc2=size=640x360:rate=30,noise=alls=40:allf=t", "-t", "2", "-preset", "ultrafast", "-qp", "0", folder / "clip.mp4"], check=True)
        cls.clip = folder / "clip.mp4"
        assert cls.clip.stat().st_size > 9 << 20, "of more than two shards"
        for name, (bricks, kind, settings) in VOLUMES.items():
            cls.server.make_volume(name, bricks, kind, settings)
            cls.server.write(name, {"/a film.mp4": cls.clip.read_bytes()})

    def film(self, volume, name="a%20film.mp4"):
        return f"gluster://{gluster.ADDRESS}/{volume}/{name}"

    def reader(self, uri, seconds=0, **options):
        return subprocess.Popen([BIN / "vitrail", "iobench", uri, "--block", str(BLOCK), "--depth", "8",
                                 "--seconds", str(seconds), "--json"], env=self.env(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def told(self, uri, code=EXIT_FAILED, **options):
        process = self.reader(uri, **options)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, code, stderr)
        return stderr if code else json.loads(stdout)["sources"][0]

    def test_films_of_every_kind_of_volume_are_whole(self):
        self.vitrail("convert", self.clip, "near.vmov")
        near = (self.folder / "near.vmov").read_bytes()
        for volume in VOLUMES:
            with self.subTest(volume):
                result = self.vitrail("convert", self.film(volume), "far.vmov", "--force")
                far = (self.folder / "far.vmov").read_bytes()
                self.assertTrue(near[10_000:-10_000] in far, "heads tell where they were made from")
                self.assertEqual(result.stderr, "", "libgfapi logs nothing")
                source = self.told(self.film(volume), code=0)
                self.assertEqual((source["size"], source["points"][0]["bytes"]), (self.clip.stat().st_size, 8 * BLOCK))

    def test_films_play_from_there_and_seek(self):
        player, window = self.play(self.film("parts"), "--loop")
        self.wait_for_frames(window)
        self.vitrail("seek", window, "1.5")
        self.wait_for_frames(window)
        self.vitrail("close", window)
        self.assertEqual(player.wait(PATIENCE_S), 0, self.output(player))
        window = json.loads(self.vitrail("play", self.film("coded"), "--loop", "--json").stdout)["window"]
        self.wait_for_frames(window)
        self.vitrail("close", window)

    def test_what_cannot_be_opened_is_said(self):
        host = gluster.ADDRESS
        self.assertIn("the volume has no such file", self.told(self.film("spread", "none/film")))
        self.assertIn("/spread/ is not gluster://HOST", self.told(f"gluster://{host}/spread/"))
        self.assertIn("is not gluster://HOST", self.told(f"gluster://{host}/film"))
        self.assertIn("the server has no volume none", self.told(f"gluster://{host}/none/film"))
        self.assertIn("cannot open gluster://", self.told(f"gluster://{host}:1/spread/film"))
        self.assertIn("it is no file", self.told(f"gluster://{host}/spread/."))
        self.server.write("spread", {"/mine": b"x" * BLOCK})
        for brick in range(2):
            with contextlib.suppress(FileNotFoundError):
                (self.server.folder / f"spread{brick}" / "mine").chmod(0o600)
        self.assertIn("the server refuses it to user 65534", self.told(self.film("spread", "mine"), user=65534))

    def test_a_server_or_a_brick_that_is_silent_can_be_given_up(self):
        silent = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(silent.close)
        waiting = self.reader(f"gluster://127.0.0.1:{silent.getsockname()[1]}/spread/film")
        self.addCleanup(silent.accept()[0].close)
        waiting.send_signal(signal.SIGINT)
        self.assertIn("given up", waiting.communicate(timeout=PATIENCE_S)[1])

        reading = self.reader(self.film("spread"), seconds=3600)
        self.addCleanup(reading.kill)
        bricks = self.server.bricks("spread")
        self.wait_until_read(bricks)
        for number in bricks:
            os.kill(number, signal.SIGSTOP)
            self.addCleanup(os.kill, number, signal.SIGCONT)
        reading.send_signal(signal.SIGINT)
        self.assertIn("given up", reading.communicate(timeout=PATIENCE_S)[1])

    def wait_until_read(self, bricks):
        def busy():
            return sum(sum(map(int, pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
                       for number in bricks)
        before = busy()
        eventually(lambda: busy() > before + 10, "the film is read")

    def test_a_coded_volume_goes_on_without_a_brick_and_another_tells_the_place(self):
        for name, kind in (("lost", VOLUMES["coded"][1]), ("ended", ())):
            self.server.make_volume(name, 3, kind)
            self.server.write(name, {"/film": self.clip.read_bytes()})
            reader = self.reader(self.film(name, "film"), seconds=3600)
            self.addCleanup(reader.kill)
            bricks = self.server.bricks(name)
            self.assertEqual(len(bricks), 3)
            self.wait_until_read(bricks)
            for number in bricks[:1] if kind else bricks:
                os.kill(number, signal.SIGKILL)
            if kind:
                self.wait_until_read(bricks[1:])
                reader.send_signal(signal.SIGINT)
            words = reader.communicate(timeout=PATIENCE_S)[1]
            self.assertEqual(reader.returncode, EXIT_FAILED)
            self.assertRegex(words, "given up" if kind else "cannot read gluster://.*/film at byte [0-9]+: ")


if __name__ == "__main__":
    unittest.main()
