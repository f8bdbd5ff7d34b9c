"""The disk is full: saved data stays intact, requests get an error, films continue, and everything works once there is space."""

import json
import pathlib
import shutil
import subprocess
import unittest

from harness import EXIT_DONE, EXIT_FAILED, Control, WallTest, eventually, run
from test_uploads import UploadTest, noise

MIB = 1 << 20
SPARED = 64 * MIB  # what uploads leave free
FULL = "No space left"


class Disk:
    """A small disk: a tmpfs."""

    def __init__(self, test, folder, size):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.ballast = self.folder / "ballast"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "vitrail-test", self.folder],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            test.skipTest(f"needs root, to mount a small disk: {mounted.stderr.strip()}")
        # Lazily, because a program may still have a log open there.
        test.addCleanup(subprocess.run, ["umount", "--lazy", self.folder], check=False)

    def fill(self, spare=0):
        """Fills the disk and leaves `spare` bytes free."""
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(65536))
            except OSError:
                pass
            file.truncate(max(0, file.tell() - spare))

    def make_room(self):
        self.ballast.unlink()


class DiskTest(WallTest):
    """State, logs and all other files of the programs are on a disk of 8 MiB."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def start_manager(self, *more):
        if not self.logs:
            self.disk = Disk(self, self.folder / "disk", 8 * MIB)
            self.logs = self.disk.folder
            self.state_folder = self.disk.folder / "state"
        return super().start_manager("--state", self.state_folder, "--log-level", "debug", *more)

    def file(self, name):
        return self.state_folder / name

    def saved_rects(self, folder=None):
        session = (folder or self.state_folder) / "sessions" / "autosave.json"
        return [w["rect"] for w in json.loads(session.read_text())["windows"]] if session.exists() else []

    def rects(self):
        return [w["rect"] for w in self.state()["windows"]]

    def wait_until_saved(self, folder=None):
        eventually(lambda: self.saved_rects(folder) == self.rects(), "the wall is saved by itself")

    def health(self):
        return self.state()["health"]["sentence"]

    def assert_refused(self, *words):
        self.assertIn(FULL, self.vitrail(*words, expect=EXIT_FAILED).stderr)

    def add_user(self, name):
        file = self.folder / "password"
        file.write_text("correct horse\n")
        return ("user", "add", name, "--password-file", file)


class Saved(DiskTest):
    def env(self, **more):
        return {**super().env(VITRAIL_KEY="open sesame, please"), **more}

    def film(self):
        _, number = self.play("test:320x180@30", "--place", "0,0,160x90")
        self.wait_for_frames(number)
        self.vitrail("session", "save", "evening")
        self.vitrail("layout", "save", "evening")
        self.wait_until_saved()
        return number

    def test_what_was_saved_stays_and_all_else_goes_on(self):
        number = self.film()
        files = [self.file(name) for name in ("sessions/evening.json", "layouts/evening.json", "sessions/autosave.json")]
        before = [file.read_bytes() for file in files]
        self.disk.fill()
        for kind in ("session", "layout"):
            for name in ("evening", "night"):
                self.assert_refused(kind, "save", name)
        self.assert_refused(*self.add_user("ann"))
        self.vitrail("move", number, 40, 30)
        eventually(lambda: FULL in self.health(), "the wall's health tells of it")
        self.receivers["node1"].kill()
        self.receivers["node1"].wait()
        self.start_receiver("node1")
        self.wait_for_receivers("node1")
        self.wait_for_frames(number)
        self.assertEqual([file.read_bytes() for file in files], before)
        self.assertEqual([f.name for f in self.state_folder.rglob("*.json.*")], [], "nothing half-written is left")
        self.disk.make_room()
        self.wait_until_saved()
        eventually(lambda: FULL not in self.health(), "all is well again")
        self.vitrail("session", "save", "night")
        self.vitrail(*self.add_user("ann"))
        self.wait_for_frames(number)

    def test_a_manager_that_starts_on_a_full_disk(self):
        number = self.film()
        self.disk.fill()
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers("node1")
        self.assertEqual(eventually(self.rects, "the film is there"), [[0, 0, 160, 90]])
        self.wait_for_frames(number)
        self.vitrail("move", number, 40, 30)
        self.assertEqual(self.saved_rects(), [[0, 0, 160, 90]])
        self.disk.make_room()
        self.wait_until_saved()


class NodeLogs(DiskTest):
    """The manager starts the receiver, whose log is also on the disk."""

    manager_options = ("--launch", "--display", "null")

    def receiver_names(self):
        return []

    def starts(self):
        receiver, = self.state()["receivers"]
        return receiver["run"]["starts"] if receiver["connected"] else 0

    def said(self):
        return self.vitrail("logs", "node1").stdout.count("connected to the manager")

    def test_nodes_go_on_and_come_back_without_room_for_their_logs(self):
        self.wait_for_receivers("node1")
        self.assertEqual(self.said(), 1)
        _, number = self.play("test:320x180@30")
        self.wait_for_frames(number)
        self.disk.fill()
        self.wait_for_frames(number)
        self.vitrail("restart", "node1")
        eventually(lambda: self.starts() == 2, "it is started anew")
        self.wait_for_frames(number)
        self.assertGreaterEqual(self.said(), 1, "what was logged before is there")
        self.disk.make_room()
        before = self.said()
        self.vitrail("restart", "node1")
        eventually(lambda: self.starts() == 3, "and once more")
        eventually(lambda: self.said() == before + 1, "which is logged")
        self.wait_for_frames(number)


class Journal(DiskTest):
    """The full disk is the standby's."""

    def setUp(self):
        super().setUp()
        self.player, self.number = self.play("test:320x180@30", "--place", "0,0,160x90")
        self.wait_for_frames(self.number)
        self.followed = self.disk.folder / "second"

    def stand_by(self):
        port_file = self.folder / "second.port"
        self.standby = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--port-file",
                                  port_file, "--page", "off", "--state", self.followed, "--standby-of",
                                  f"127.0.0.1:{self.port}")
        eventually(port_file.exists, "the standby listens")
        self.standby_port = int(eventually(port_file.read_text, "its port is told"))

    def take_over(self):
        self.manager.kill()
        self.manager.wait()
        self.port = self.standby_port
        eventually(lambda: run("vitrail", "ls", env=self.env()).returncode == EXIT_DONE, "the standby takes over")
        self.wait_for_receivers("node1")
        eventually(lambda: self.window(self.number), "the film's window is there")
        self.wait_for_frames(self.number)

    def test_it_is_written_once_there_is_room(self):
        self.stand_by()
        self.wait_until_saved(self.followed)
        self.disk.fill()
        before = self.saved_rects(self.followed)
        self.vitrail("move", self.number, 40, 30)
        eventually(lambda: FULL in self.health(), "the manager cannot save")
        self.assertEqual(self.saved_rects(self.followed), before)
        self.disk.make_room()
        self.wait_until_saved(self.followed)
        self.take_over()
        self.assertEqual(self.rects(), [[40, 30, 160, 90]])

    def test_a_standby_takes_over_without_room(self):
        self.stand_by()
        self.wait_until_saved(self.followed)
        self.disk.fill()
        self.take_over()
        self.assertEqual(self.rects(), [[0, 0, 160, 90]])
        self.disk.make_room()
        self.vitrail("move", self.number, 40, 30)
        self.wait_until_saved(self.followed)

    def test_a_standby_that_starts_without_room(self):
        self.disk.fill()
        self.stand_by()
        self.wait_for_frames(self.number)
        self.assertIsNone(self.standby.poll(), "it goes on")
        self.disk.make_room()
        self.vitrail("move", self.number, 40, 30)
        self.wait_until_saved(self.followed)
        self.take_over()
        self.assertEqual(self.rects(), [[40, 30, 160, 90]])


class FullUploads(UploadTest):
    def receiver_names(self):
        return ["node1"]

    def start_manager(self):
        self.disk = Disk(self, self.folder / "uploads", SPARED + 16 * MIB)
        return super().start_manager()

    def test_they_go_on_where_they_stopped(self):
        _, number = self.play("test:320x180@30")
        kept = noise(300)
        self.assertEqual(self.send("kept.mp4", kept), "uploads/kept.mp4")
        data = noise(800)
        status, headers, body = self.create(len(data), "late.mp4")
        self.assertEqual(status, 201, body)
        path = headers["location"]
        half = len(data) // 2
        self.assertEqual(self.patch(path, 0, data[:half])[0], 204)
        self.disk.fill(spare=SPARED)
        for _ in range(2):
            status, _, body = self.patch(path, half, data[half:])
            self.assertEqual(status, 507, body)
            self.assertIn(b"no space", body)
        status, _, body = self.create(len(data), "other.mp4")
        self.assertEqual(status, 507, body)
        self.disk.fill()  # other programs use up the reserve as well
        self.assertEqual(self.patch(path, half, data[half:])[0], 507)
        self.wait_for_frames(number)
        self.assertEqual(int(self.ask("HEAD", path)[1]["upload-offset"]), half)
        self.disk.make_room()
        status, headers, body = self.patch(path, half, data[half:])
        self.assertEqual(status, 204, body)
        self.assertEqual((self.uploads / "late.mp4").read_bytes(), data)
        self.assertEqual((self.uploads / "kept.mp4").read_bytes(), kept)
        self.assertEqual(self.files(), ["kept.mp4", "late.mp4"])


class FullCatalogue(DiskTest):
    def setUp(self):
        super().setUp()
        self.films = self.folder / "films"
        self.films.mkdir()
        self.vitrail("convert", self.clip(seconds=2), self.films / "film.vmov")
        self.server = self.start_server()

    def start_server(self):
        port_file = self.folder / "server-port"
        port_file.unlink(missing_ok=True)
        server = self.start("vitrail-server", "--films", self.films, "--listen", "127.0.0.1:0",
                            "--catalogue", self.disk.folder / "catalogue", "--source-rate", "100", "--port-file", port_file)
        eventually(lambda: port_file.exists() or server.poll() is not None, "the server listens")
        self.server_port = int(eventually(port_file.read_text, "its port is told"))
        return server

    def tags(self, control):
        return {film["title"]: film["tags"] for film in control.call("titles")["result"]["titles"]}

    def test_tags_stay_and_films_go_on(self):
        with Control(self.server_port) as control:
            self.assertIn("result", control.call("tag", title="film.vmov", tags=["kept"]))
            number = control.call("play", title="film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(number)
            self.disk.fill()
            answers = [control.call("tag", title="film.vmov", tags=[f"tag {i} of many, and no short one"]) for i in range(16)]
            # Data that fits into free pages of the file is still accepted.
            refused = [answer["error"]["message"] for answer in answers if "error" in answer]
            self.assertTrue(refused and all("full" in message for message in refused), answers)
            taken = [tags for answer in answers if (tags := answer.get("result", {}).get("tags"))] or [["kept"]]
            self.assertEqual(self.tags(control), {"film.vmov": taken[-1]})
            shutil.copy(self.films / "film.vmov", self.films / "new.vmov")
            self.assertIn("result", control.call("play", title="new.vmov"))
            self.wait_for_frames(number)
            self.disk.make_room()
            self.assertIn("result", control.call("tag", title="film.vmov", tags=["again"]))
            eventually(lambda: self.tags(control) == {"film.vmov": ["again"], "new.vmov": []}, "the new film is there, too")
            self.disk.fill()
        self.server.kill()
        self.server.wait()
        for room in (False, True):
            if room:
                self.disk.make_room()
            self.server = self.start_server()
            with Control(self.server_port) as control:
                self.assertEqual(self.tags(control), {"film.vmov": ["again"], "new.vmov": []}, f"room: {room}")
            self.server.terminate()
            self.server.wait(30)


if __name__ == "__main__":
    unittest.main()
