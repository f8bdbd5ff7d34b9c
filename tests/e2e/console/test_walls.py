"""Several walls of a site: `vitrail --wall`, `walls`, `copy`, `move --to` and `session copy`, and links between the pages."""

import json
import unittest

from harness import EXIT_DONE, EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually, run

SECRET = "open sesame, please"


class Walls(WallTest):
    """`test` is the wall of WallTest without a key; `lobby` is twice as large and has a key."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    key_of_lobby = {}

    def setUp(self):
        super().setUp()
        (self.folder / "lobby.key").write_text(SECRET + "\n")
        (self.folder / "lobby.key").chmod(0o600)
        wall = self.folder / "lobby.json"
        wall.write_text(json.dumps({"name": "lobby", "grid": {**self.grid, "resolution": [640, 360]}}))
        port_file = self.folder / "lobby-port"
        self.key_of_lobby = {"VITRAIL_KEY_FILE": str(self.folder / "lobby.key")}
        self.start("vitrail-manager", "--wall", wall, "--listen", "127.0.0.1:0", "--port-file", port_file, "--page", "off",
                   "--state", self.folder / "lobby-state")
        self.key_of_lobby = {}
        self.lobby_port = int(eventually(lambda: port_file.exists() and port_file.read_text(), "the lobby's manager listens"))
        (self.folder / "walls.json").write_text(json.dumps({"walls": [
            {"name": "test", "manager": f"127.0.0.1:{self.port}", "page": f"http://127.0.0.1:{self.page_port}/"},
            {"name": "lobby", "manager": f"127.0.0.1:{self.lobby_port}", "key_file": "lobby.key"},
            {"name": "gone", "manager": "127.0.0.1:1"}]}))

    @property
    def manager_options(self):
        return ("--state", self.folder / "state")

    def env(self, **more):
        return super().env(**{"VITRAIL_WALLS": str(self.folder / "walls.json"), **self.key_of_lobby, **more})

    def lobby(self, *line, expect=EXIT_DONE):
        result = self.vitrail("--wall", "lobby", "--json", *line, expect=expect)
        return json.loads(result.stdout)

    def open_windows(self):
        """A film at half of its height, and a program that the wall did not start; returns their numbers."""
        with Control(self.port) as control:
            answer = control.call("play", media=[str(self.clip(seconds=60, size="64x36", rate=5))], place=[160, 90, 160, 90])
            film = answer["result"]["window"]
            control.call("control", window=film, action="seek", value=30)
            control.call("control", window=film, action="pause")
            control.call("look", window=film, flip=True)
            control.call("sound", window=film, volume=0.5, muted=True)
            eventually(lambda: self.window(film).get("playback", {}).get("paused"), "the film pauses")
        return film, self.open_own()

    def open_own(self):
        """The window of an application that says nothing about its content."""
        application = Control(self.port, hello=False)
        self.addCleanup(application.close)
        application.hello(role="application", name="own")
        return application.call("open_stream", title="own", frame_size=[64, 64], block_size=[64, 64], codecs=["dxt1"])["result"]["window"]

    def test_commands_go_to_the_wall_that_is_named(self):
        self.assertEqual(self.lobby("ls")["wall"]["name"], "lobby")
        self.assertEqual(json.loads(self.vitrail("--wall", "test", "--json", "ls").stdout)["wall"]["name"], "test")
        self.assertEqual(json.loads(self.vitrail("--json", "ls").stdout)["wall"]["name"], "test")
        prompt = run("vitrail", "--json", env=self.env(), stdin="ls\n--wall lobby ls\nls\n--wall test ls\n")
        self.assertEqual([json.loads(line)["wall"]["name"] for line in prompt.stdout.splitlines()], ["test", "lobby", "lobby", "test"])
        unknown = self.vitrail("--wall", "hall", "ls", expect=EXIT_USAGE)
        for name in ("hall", "test", "lobby", "walls.json"):
            self.assertIn(name, unknown.stderr)
        self.vitrail("--wall", "lobby", "--manager", "127.0.0.1:1", "ls", expect=EXIT_USAGE)
        missing = run("vitrail", "--wall", "lobby", "ls", env=self.env(VITRAIL_WALLS=str(self.folder / "none")))
        self.assertEqual(missing.returncode, EXIT_USAGE)
        self.assertIn(str(self.folder / "none"), missing.stderr)

    def test_the_list_tells_which_walls_are_reachable(self):
        walls = {wall["name"]: wall for wall in json.loads(self.vitrail("--json", "walls").stdout)["walls"]}
        self.assertEqual({name: wall["reachable"] for name, wall in walls.items()}, {"test": True, "lobby": True, "gone": False})
        self.assertIn("127.0.0.1:1", walls["gone"]["why"])
        self.assertEqual(walls["lobby"]["right"], "admin")
        (self.folder / "lobby.key").write_text("another key than the lobby's\n")
        text = self.vitrail("walls").stdout
        self.assertEqual(text.count("not reachable"), 2, text)

    def test_words_are_completed_with_names_of_walls_and_of_the_chosen_wall(self):
        def words(*line):
            return run("vitrail", "--complete", *line, env=self.env()).stdout.split()
        self.assertEqual(words("--wall", ""), ["gone", "lobby", "test"])
        self.assertEqual(words("copy", "1", "--to", "l"), ["lobby"])
        self.lobby("session", "save", "evening")
        self.assertEqual(words("--wall", "lobby", "session", "restore", "ev"), ["evening"])
        self.assertEqual(words("session", "restore", "ev"), [])

    def test_windows_are_copied_with_place_position_and_sound(self):
        film, own = self.open_windows()
        answer = json.loads(self.vitrail("--json", "copy", film, "--to", "lobby").stdout)
        there, = self.lobby("ls")["windows"]
        self.assertEqual(answer["windows"], [{"window": film, "there": there["window"]}])
        self.assertEqual(there["rect"], [320, 180, 320, 180])
        self.assertEqual((there["look"], there["volume"], there["muted"]), ({"flip": True}, 0.5, True))
        self.assertAlmostEqual(there["playback"]["position_s"], 30, delta=1)
        self.assertTrue(self.window(film), "a copy leaves the window")
        refused = self.vitrail("copy", own, "--to", "lobby", expect=EXIT_FAILED)
        self.assertIn(f"window {own}", refused.stderr)
        self.assertEqual(len(self.lobby("ls")["windows"]), 1)
        self.vitrail("move", film, "--to", "lobby")
        self.assertEqual(len(self.lobby("ls")["windows"]), 2)
        self.assertIsNone(self.window(film), "a moved window is closed here")
        self.assertTrue(self.window(own))
        for line in (("move", own), ("move", own, "1"), ("move", own, "1", "1", "--to", "lobby")):
            self.vitrail(*line, expect=EXIT_USAGE)
        self.vitrail("move", own, "--to", "gone", expect=EXIT_FAILED)
        self.assertTrue(self.window(own))

    def test_a_session_is_copied_without_what_only_its_wall_can_open(self):
        film, own = self.open_windows()
        self.vitrail("session", "save", "show")
        refused = self.vitrail("session", "copy", "show", "--to", "lobby", expect=EXIT_FAILED)
        self.assertIn(f"window {own}", refused.stderr)
        self.lobby("session", "restore", "show")
        there, = self.lobby("ls")["windows"]
        self.assertEqual(there["rect"], [320, 180, 320, 180])
        self.assertTrue(there["playback"]["paused"])
        self.vitrail("close", own)
        self.vitrail("session", "save", "show")
        self.vitrail("session", "copy", "show", "--to", "lobby")
        self.vitrail("session", "copy", "none", "--to", "lobby", expect=EXIT_FAILED)
        self.assertEqual([one["name"] for one in self.lobby("session", "ls")["sessions"] if one["name"] != "autosave"], ["show"])


class LinkedPages(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return []

    def walls_file(self, walls):
        file = self.folder / "walls.json"
        file.write_text(json.dumps({"walls": walls}))
        return file

    @property
    def manager_options(self):
        page = {"page": "https://lobby.example:7480/"}
        return ("--walls", self.walls_file([{"name": "test", "manager": "a", **page}, {"name": "lobby", "manager": "b", **page},
                                            {"name": "store", "manager": "c"}]))

    def test_the_page_gets_the_pages_of_other_walls(self):
        with Control(self.port, hello=False) as control:
            self.assertEqual(control.hello(name="test")["result"]["walls"], [{"name": "lobby", "page": "https://lobby.example:7480/"}])

    def test_a_wrong_file_is_named(self):
        file = self.walls_file([{"name": "lobby", "manager": "b", "page": "javascript:alert(1)"}])
        result = run("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "off", "--walls", file, env=self.env())
        self.assertEqual(result.returncode, EXIT_FAILED)
        for word in ("--walls", str(file), "'page'"):
            self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main()
