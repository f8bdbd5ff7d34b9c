"""vitrail up and down: the wall's key, a manager that dies, and the saved session."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from harness import BIN, EXIT_FAILED, EXIT_NO_MANAGER, EXIT_USAGE, ROOT, Control, eventually, free_port, run


class UpTest(unittest.TestCase):
    """A wall of the test, started and stopped by `vitrail up` and `vitrail down`."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-up-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()
        self.env = {**os.environ, "VITRAIL_MANAGER": f"127.0.0.1:{self.port}", "HOME": str(self.folder),
                    "XDG_STATE_HOME": str(self.folder), "NO_COLOR": "1"}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "VITRAIL_KEY", "VITRAIL_KEY_FILE"):
            self.env.pop(name, None)
        self.wall = self.folder / "wall.json"
        grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}
        self.wall.write_text(json.dumps({"name": "up", "grid": grid}))
        self.addCleanup(self.end_all)

    def vitrail(self, *arguments, expect=0, **env):
        result = run("vitrail", *arguments, env={**self.env, **env}, cwd=self.folder, timeout=60)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def up(self, *options, **env):
        return self.vitrail("up", self.wall, *options, **env).stdout

    def processes(self, program, word=None):
        """Processes of this test's wall, by command line or environment, optionally with this argument."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                line = (entry / "cmdline").read_bytes().split(b"\0")
                ours = str(self.folder).encode() in (entry / "environ").read_bytes()
            except OSError:
                continue
            if ours and os.path.basename(line[0]) == program.encode() and (word is None or word.encode() in line):
                found.append(int(entry.name))
        return sorted(found)

    def all_processes(self):
        return [pid for program in ("vitrail", "vitrail-manager", "vitrail-receiver", "bplay")
                for pid in self.processes(program)]

    def end_all(self):
        for pid in self.all_processes():
            os.kill(pid, signal.SIGKILL)

    def log(self, port=None):
        return self.folder / "vitrail" / f"manager.127.0.0.1:{port or self.port}.log"

    def state(self):
        return json.loads(self.vitrail("ls", "--json").stdout)

    def here(self):
        """The state, as soon as both receivers are connected."""
        def answer():
            result = run("vitrail", "ls", "--json", env=self.env)
            state = json.loads(result.stdout) if result.returncode == 0 else {"receivers": []}
            connected = [r["connected"] for r in state["receivers"]]
            return state if connected == [True, True] else None
        return eventually(answer, "both receivers are there")

    def down(self):
        self.vitrail("down")
        eventually(lambda: not self.all_processes(), "nothing is left")

    def play(self):
        return json.loads(self.vitrail("play", "test:64x64@10", "--json").stdout)["window"]

    def autosaved(self, count):
        def saved():
            try:
                return len(json.loads((self.folder / "vitrail/up/sessions/autosave.json").read_text())["windows"]) == count
            except (OSError, ValueError):
                return False
        eventually(saved, f"{count} windows are saved by themselves")

    def kill_manager(self):
        manager, = self.processes("vitrail-manager")
        os.kill(manager, signal.SIGKILL)
        eventually(lambda: self.processes("vitrail-manager") not in ([], [manager]), "the manager is started again")


class Up(UpTest):
    def test_a_key_is_made_that_programs_of_this_user_find(self):
        output = self.up()
        file = self.folder / "vitrail" / "keys" / f"127.0.0.1:{self.port}"
        key = file.read_text().strip()
        self.assertEqual(len(key), 32)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.log().stat().st_mode), 0o600)
        with Control(self.port, hello=False) as stranger:
            answer = stranger.hello(name="stranger")
            self.assertEqual(answer["error"]["data"]["name"], "unauthorized")
        page = re.search(r"http://127\.0\.0\.1:\d+/", output)
        if page:  # absent if another manager has the page's port
            self.assertIn(f"{page[0]}#key={key}\n", output)
            self.assertEqual(self.vitrail("wall", "page").stdout, f"{page[0]}#key={key}\n")
        self.assertNotIn(key, self.log().read_text())
        self.here()
        self.play()
        self.assertEqual(run("bplay", "test:64x64@10", "--frames", "5", env=self.env).returncode, 0)
        self.down()
        self.up()
        self.assertEqual(file.read_text().strip(), key, "a page that is open goes on")
        self.down()

    def test_the_manager_takes_options_of_the_command_line_and_of_the_wall_file(self):
        films, more = self.folder / "films", self.folder / "more"
        for folder in (films, more):
            folder.mkdir()
            shutil.copy(ROOT / "manager/page.jpg", folder / f"{folder.name}.jpg")
        wall = json.loads(self.wall.read_text())
        wall["manager"] = {"arguments": ["--media", str(films)]}
        self.wall.write_text(json.dumps(wall))
        page_port = free_port()
        output = self.up("--", "--media", more, "--page", f"127.0.0.1:{page_port}")
        self.assertIn(f"http://127.0.0.1:{page_port}/", output)
        titles = self.vitrail("source", "ls").stdout
        for name in ("films.jpg", "more.jpg"):
            self.assertIn(name, titles)
        self.kill_manager()
        self.here()
        self.assertIn("more.jpg", self.vitrail("source", "ls").stdout, "a manager that is started again has them, too")
        self.down()

    def test_the_page_is_named_by_addresses_that_others_reach(self):
        self.up("--", "--page", "0.0.0.0:0")
        own = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout.split()
        pages = json.loads(self.vitrail("wall", "page", "--json").stdout)
        self.assertIn("http://127.0.0.1:", pages["page"])
        shown = self.vitrail("wall", "page").stdout.split()
        self.assertEqual(shown, pages.get("pages", [pages["page"]]))
        if own:
            self.assertTrue(any(own[0] in url and "#key=" in url for url in shown), (own, shown))
            self.assertNotIn("127.0.0.1", "".join(shown))
        self.down()

    def test_a_terminal_shows_a_code_for_tablets(self):
        self.up("--", "--page", "0.0.0.0:0")
        for locale, code in (("C.UTF-8", True), ("C", False)):
            command = ["script", "-qec", f"stty cols 100 rows 60; {BIN}/vitrail wall page", "/dev/null"]
            shown = subprocess.run(command, env={**self.env, "LC_ALL": locale, "TERM": "xterm"}, capture_output=True, text=True,
                                   check=True, stdin=subprocess.DEVNULL).stdout
            self.assertEqual("▀" in shown, code, shown)
        self.down()

    def test_refusals_name_options_that_up_has(self):
        taken = free_port()
        with socket.create_server(("127.0.0.1", taken)):
            refused = self.vitrail("up", self.wall, expect=EXIT_FAILED, VITRAIL_MANAGER=f"127.0.0.1:{taken}").stderr
            self.assertIn("VITRAIL_MANAGER", refused)
            refused = self.vitrail("up", self.wall, "--", "--page", f"127.0.0.1:{taken}", expect=EXIT_FAILED).stderr
            self.assertIn("vitrail up WALL -- ", refused)
        missing = self.folder / "nowhere"
        refused = self.vitrail("up", self.wall, "--", "--media", str(missing), expect=EXIT_FAILED)
        self.assertIn(str(missing), refused.stderr)

    def test_the_log_of_each_wall_is_kept(self):
        self.up()
        self.down()
        before = self.log().read_text()
        self.assertTrue(before)
        self.up()
        self.assertTrue(self.log().read_text().startswith(before))
        other = free_port()
        with self.assertRaises(AssertionError):  # a failed start does not touch the running wall
            self.up("--", "--no-such-option", VITRAIL_MANAGER=f"127.0.0.1:{other}")
        self.assertIn("no-such-option", self.log(other).read_text())
        self.assertTrue(self.log().read_text().startswith(before))
        self.down()
        with open(self.log(), "a", encoding="utf-8") as log:
            log.truncate(17 << 20)
        self.up()
        self.assertEqual(self.log().with_name(self.log().name + ".1").stat().st_size, 17 << 20)
        self.assertLess(self.log().stat().st_size, 1 << 20)
        self.down()

    def test_what_stands_still_is_told_with_the_command_that_helps(self):
        self.up()
        name = self.here()["receivers"][0]["name"]
        stopped, = self.processes("vitrail-receiver", name)
        os.kill(stopped, signal.SIGSTOP)
        eventually(lambda: not self.state()["receivers"][0]["connected"], "it is given up")
        self.assertIn(f"vitrail restart {name}", self.vitrail("why").stdout)
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED).stdout, rf"\n{name} +here +silent .*vitrail restart {name}")
        self.vitrail("restart", name)
        # The stopped process may connect again before it ends.
        eventually(lambda: stopped not in self.processes("vitrail-receiver"), "the stopped process ends")
        self.here()
        self.play()
        player, = self.processes("bplay")
        os.kill(player, signal.SIGSTOP)
        eventually(lambda: f"kill -9 {player}" in self.vitrail("why").stdout, "the player is named")
        os.kill(player, signal.SIGCONT)
        eventually(lambda: self.vitrail("why").stdout == "all is well\n", "its window is back")
        self.down()

    def test_damaged_files_are_told(self):
        kept = self.folder / "vitrail/up"
        (kept / "sessions").mkdir(parents=True)
        (kept / "people.json").write_text("{")
        (kept / "sessions/autosave.json").write_text("")
        said = [self.up()] + [self.vitrail(command).stdout for command in ("why", "status", "ls")]
        for text in said:
            self.assertIn("people.json is damaged", text)
            self.assertIn("sessions/autosave.json", text)
        self.assertIn("people.json", self.vitrail("user", "ls", expect=EXIT_FAILED).stderr)
        self.assertEqual(self.log().read_text().count("sessions/autosave.json is damaged"), 1)
        self.down()

    def test_whoever_does_not_prove_the_key_is_left(self):
        self.up()
        with socket.create_server(("127.0.0.1", 0)) as other:
            address = f"127.0.0.1:{other.getsockname()[1]}"
            keys = self.folder / "vitrail" / "keys"
            shutil.copy(keys / f"127.0.0.1:{self.port}", keys / address)
            key = (keys / address).read_text().strip()
            for program, arguments in (("vitrail", ("--manager", address, "ls")),
                                       ("bplay", ("--manager", address, "test:64x64"))):
                asker = subprocess.Popen([BIN / program, *arguments], env=self.env, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.PIPE, text=True)
                with other.accept()[0] as peer, peer.makefile("rw") as lines:
                    challenge = lines.readline()
                    self.assertEqual(json.loads(challenge)["method"], "challenge", program)
                    self.assertNotIn(key, challenge)
                    lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"nonce": "0" * 32, "proof": "0" * 64}}) + "\n")
                    lines.flush()
                    self.assertEqual(lines.readline(), "", "nothing more is said")
                self.assertIn("failed to prove", asker.communicate()[1])
        self.down()

    def test_a_key_is_refused_that_others_can_read(self):
        file = self.folder / "wall.key"
        self.vitrail("key", "new", file)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertIn("--replace", self.vitrail("key", "new", file, expect=EXIT_FAILED).stderr)
        file.chmod(0o640)
        result = run("vitrail", "key", "show", file, env=self.env)
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn(f"chmod 600 {file}", result.stderr)

    def test_a_viewer_looks_and_changes_nothing(self):
        self.up()
        viewer = self.vitrail("key", "show", "--role", "viewer").stdout.strip()
        self.vitrail("ls", VITRAIL_KEY=viewer)
        refused = self.vitrail("wall", "identify", VITRAIL_KEY=viewer, expect=EXIT_FAILED)
        self.assertIn("'operator'", refused.stderr)
        self.assertIn("does not allow the role 'ui'", self.vitrail(
            "ls", VITRAIL_KEY=self.vitrail("key", "show", "--role", "receiver").stdout.strip(), expect=EXIT_NO_MANAGER).stderr)
        self.down()

    def test_a_link_for_a_viewer_ends(self):
        self.up()
        link = self.vitrail("wall", "page", "--role", "viewer", "--until", "+3600").stdout.strip()
        viewer = urllib.parse.unquote(link.partition("#key=")[2])
        self.assertRegex(viewer, r"^viewer/until-\d+:")
        self.vitrail("ls", VITRAIL_KEY=viewer)
        refused = self.vitrail("wall", "identify", VITRAIL_KEY=viewer, expect=EXIT_FAILED)
        self.assertIn("'operator'", refused.stderr)
        ended = self.vitrail("key", "show", "--role", "viewer", "--until", f"@{int(time.time()) - 1}").stdout.strip()
        self.assertIn("has ended", self.vitrail("ls", VITRAIL_KEY=ended, expect=EXIT_NO_MANAGER).stderr)
        self.vitrail("key", "show", "--role", "metrics", "--until", "+3", expect=EXIT_FAILED)
        self.vitrail("key", "show", "--role", "viewer", "--until", "lunch", expect=EXIT_FAILED)
        self.vitrail("key", "show", "--role", "viewer", "--until", "", expect=EXIT_USAGE)
        self.down()

    def test_without_a_key_everybody_comes_in(self):
        self.up("--no-key")
        self.assertIn("no key", self.vitrail("wall", "page", "--role", "viewer", expect=EXIT_FAILED).stderr)
        with Control(self.port) as control:
            self.assertIn("result", control.call("list"))
        self.assertFalse((self.folder / "vitrail" / "keys" / f"127.0.0.1:{self.port}").exists())
        self.down()

    def test_a_key_of_the_environment_is_the_walls(self):
        self.up(VITRAIL_KEY="open sesame, please")
        self.assertIn("VITRAIL_KEY_FILE", self.vitrail("ls", expect=EXIT_NO_MANAGER).stderr)
        self.vitrail("ls", VITRAIL_KEY="open sesame, please")
        self.down()

    def test_a_manager_that_is_killed_comes_back_with_its_receivers_and_windows(self):
        self.up()
        receivers = self.processes("vitrail-receiver")
        self.assertEqual(len(receivers), 2)
        self.play()
        self.autosaved(1)
        for _ in range(2):
            self.kill_manager()
            state = self.here()
            self.assertEqual(self.processes("vitrail-receiver"), receivers)
            eventually(lambda: len(self.state()["windows"]) == 1, "the window is back")
        log = self.log().read_text()
        self.assertIn("signal 9; restarting", log)
        self.assertNotIn("is already connected", log)
        self.assertEqual(len(self.processes("bplay")), 1)
        self.assertEqual(state["wall"]["name"], "up")
        self.down()

    def test_a_manager_that_dies_while_somebody_edits_the_wall_file_comes_back(self):
        self.up("--fresh")
        self.here()
        self.play()
        self.autosaved(1)
        self.wall.write_text(self.wall.read_text()[:-20])
        self.kill_manager()
        self.here()
        eventually(lambda: len(self.state()["windows"]) == 1, "the window is back")
        self.down()

    def test_a_receiver_that_dies_with_the_manager_is_started_again(self):
        self.up()
        one, other = self.processes("vitrail-receiver")
        os.kill(one, signal.SIGKILL)
        self.kill_manager()
        self.here()
        now = self.processes("vitrail-receiver")
        self.assertEqual(len(now), 2)
        self.assertIn(other, now)
        self.assertNotIn(one, now)
        self.down()

    def test_down_ends_what_a_dead_manager_left(self):
        self.up()
        supervisor, = self.processes("vitrail")
        os.kill(supervisor, signal.SIGSTOP)  # so that it does not restart the manager
        manager, = self.processes("vitrail-manager")
        os.kill(manager, signal.SIGKILL)
        self.assertEqual(len(self.processes("vitrail-receiver")), 2)
        os.kill(supervisor, signal.SIGTERM)
        os.kill(supervisor, signal.SIGCONT)
        eventually(lambda: not self.all_processes(), "nothing is left")
        self.assertIn("no manager", self.vitrail("down", expect=EXIT_NO_MANAGER).stderr)

    def test_a_supervisor_that_stands_still_for_ten_seconds(self):
        self.up()
        self.play()
        shown = lambda: sum(window.get("stats", {}).get("frames_shown", 0) for window in self.state()["windows"])
        supervisor, = self.processes("vitrail")
        manager, = self.processes("vitrail-manager")
        os.kill(supervisor, signal.SIGSTOP)
        before = shown()
        eventually(lambda: shown() >= before + 100, "the film goes on", 60)  # 10 a second
        player = self.processes("bplay")
        os.kill(manager, signal.SIGKILL)
        os.kill(supervisor, signal.SIGCONT)
        eventually(lambda: self.processes("vitrail-manager") not in ([], [manager]), "the manager is started again")
        self.here()
        eventually(lambda: shown() >= before + 110, "the film goes on, too")
        self.assertEqual(self.processes("bplay"), player)
        self.down()

    def test_what_was_on_the_wall_is_there_again(self):
        self.up()
        self.play()
        self.autosaved(1)
        self.down()
        self.up()
        eventually(lambda: len(self.state()["windows"]) == 1, "the window is back")
        self.down()
        self.up("--fresh")
        self.here()
        self.assertEqual(self.state()["windows"], [])
        self.down()

    def test_a_second_wall_at_the_address_is_refused_in_words(self):
        self.up()
        self.assertIn("vitrail down", self.vitrail("up", self.wall, expect=EXIT_FAILED).stderr)
        self.here()
        self.down()

    def test_of_two_at_once_one_brings_it_up_and_the_other_says_so(self):
        ups = [subprocess.Popen([BIN / "vitrail", "up", self.wall], env=self.env, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True) for _ in range(2)]
        said = [up.communicate(timeout=60)[0] for up in ups]
        self.assertEqual(sorted(up.returncode for up in ups), [0, EXIT_FAILED], said)
        self.assertIn("a wall is already running at ", said[0 if ups[0].returncode else 1])
        self.here()
        self.down()

    def test_a_witness_that_is_away_is_waited_for(self):
        wall = json.loads(self.wall.read_text())
        witness = f"etcd://127.0.0.1:{free_port()}"
        self.wall.write_text(json.dumps({**wall, "witness": witness}))
        told = self.vitrail("up", self.wall, "--timeout", "1", expect=EXIT_FAILED).stderr
        self.assertIn(f"the witness {witness} does not answer: ", told)
        self.assertIn("; the manager keeps waiting for the witness; `vitrail down` ends it", told)
        self.assertEqual(len(self.processes("vitrail-manager")), 1)
        self.down()
        self.assertEqual(self.all_processes(), [])

    def test_a_manager_that_cannot_begin_is_not_started_again(self):
        with socket.create_server(("127.0.0.1", self.port)):
            result = self.vitrail("up", self.wall, expect=EXIT_FAILED)
        self.assertIn(f"port {self.port}", result.stderr)
        self.assertEqual(self.all_processes(), [])


class UpWithStandby(UpTest):
    """The wall file names a standby on this host."""

    def setUp(self):
        super().setUp()
        self.write_wall()
        self.env["VITRAIL_PAGE"] = "off"

    def write_wall(self, **standby):
        wall = {"name": "up", "grid": {"columns": 2, "rows": 1, "resolution": [320, 180]}, "standby": standby}
        self.wall.write_text(json.dumps(wall))

    def managers(self):
        """The processes of the manager and of the standby."""
        standby = self.processes("vitrail-manager", "--standby-of")
        manager = [pid for pid in self.processes("vitrail-manager") if pid not in standby]
        return manager, standby

    def standby(self):
        return self.state().get("standby", {"connected": False})

    def test_up_status_restart_logs_down(self):
        self.assertRegex(self.vitrail("up", self.wall).stderr, r"(?m)^standby: up after \d")
        address = self.standby()["address"]
        self.assertRegex(self.vitrail("status").stdout, rf"standby +here +{address} +up +1")
        _, first = self.managers()
        self.vitrail("restart", "standby")
        eventually(lambda: self.managers()[1] not in ([], first), "another process is there")
        eventually(lambda: self.standby()["connected"], "it stands by")
        self.assertEqual(self.standby()["run"]["starts"], 2)
        self.assertIn("standing by for", self.vitrail("logs", "standby").stdout)
        self.assertRegex(self.vitrail("logs").stdout, "(?m)^standby: ")
        _, second = self.managers()
        self.kill_standby(second)
        eventually(lambda: self.managers()[1] not in ([], second), "one that died is started again")
        eventually(lambda: self.standby()["connected"], "it stands by")
        self.down()

    @staticmethod
    def kill_standby(pids):
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    def test_it_takes_over_when_all_that_could_restart_the_manager_is_killed(self):
        self.up()
        window = self.play()
        eventually(lambda: self.saved_there(1), "the standby knows of the window")
        receivers = self.processes("vitrail-receiver")
        manager, standby = self.managers()
        supervisor, = self.processes("vitrail")
        for pid in (supervisor, *manager):
            os.kill(pid, signal.SIGKILL)
        self.assertNotIn("standby", self.here())
        eventually(lambda: [w["window"] for w in self.state()["windows"]] == [window], "its player found it, too")
        self.assertEqual(self.managers(), ([], standby))
        self.assertEqual(self.processes("vitrail-receiver"), receivers)
        self.down()

    def saved_there(self, count):
        try:
            text = (self.folder / "vitrail/up.standby/sessions/autosave.json").read_text()
            return len(json.loads(text)["windows"]) == count
        except (OSError, ValueError):
            return False

    def status(self):
        return json.loads(run("vitrail", "status", "--json", env=self.env).stdout or "{}")

    def stands_by_for(self, address, of_term):
        """Waits until the primary has this address and term, and a standby follows it."""
        def answer():
            status = self.status()
            manager = status.get("manager", {})
            return manager == {"address": address, "term": of_term} and status.get("standby", {}).get("connected")
        eventually(answer, f"{address} rules with term {of_term}, and has a standby")

    def standby_found(self):
        """The doctor's finding about the standby."""
        reported = json.loads(run("vitrail", "doctor", "--json", env=self.env, timeout=60).stdout)
        worth, = [finding["worth"] for finding in reported["findings"] if finding["about"] == "standby"]
        return worth

    def film(self, window):
        """The window's statistics, as soon as the primary has them."""
        def stats():
            state = json.loads(run("vitrail", "stats", "--json", env=self.env).stdout or "{}")
            found = [w["stats"] for w in state.get("windows", []) if w["window"] == window and "stats" in w]
            return found[0] if found else None
        return eventually(stats, "the film has figures")

    def goes_on(self, window, before):
        """Checks that the same player continues the same stream without a lost frame."""
        self.assertEqual(len(self.processes("bplay")), 1)
        eventually(lambda: self.film(window)["frames_shown"] > before["frames_shown"] + 10, "the film goes on")
        after = self.film(window)
        for cause in ("old_epoch", "incomplete", "lost"):
            self.assertEqual(after["dropped"][cause], before["dropped"][cause], cause)
        return after

    def lose_first_manager(self):
        """Kills the manager with its supervisor stopped, as if the machine were down; returns the standby's address."""
        address = self.standby()["address"]
        supervisor, = self.processes("vitrail")
        os.kill(supervisor, signal.SIGSTOP)
        self.addCleanup(self.go_on, supervisor)
        manager, standby = self.managers()
        os.kill(manager[0], signal.SIGKILL)
        self.here()
        os.kill(supervisor, signal.SIGCONT)
        return address, standby

    @staticmethod
    def go_on(pid):
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def test_two_losses_in_turn(self):
        self.up()
        window = self.play()
        eventually(lambda: self.saved_there(1), "the standby knows of the window")
        figures = self.goes_on(window, self.film(window))
        receivers = self.processes("vitrail-receiver")
        second, standby = self.lose_first_manager()
        self.stands_by_for(second, 2)
        figures = self.goes_on(window, figures)
        self.assertRegex(self.vitrail("status").stdout, rf"manager: {second}, term 2\n(?s:.)*127.0.0.1:{self.port} +up")
        self.assertIn("stands by for", self.log().read_text())

        self.kill_standby(standby)
        self.here()
        self.assertEqual(self.status()["manager"], {"address": f"127.0.0.1:{self.port}", "term": 3})
        figures = self.goes_on(window, figures)
        self.stands_by_for(f"127.0.0.1:{self.port}", 3)
        self.assertEqual(self.standby_found(), "good")
        self.assertEqual(len(self.managers()[1]), 1, "the wall file's standby is started again")
        self.assertEqual(self.processes("vitrail-receiver"), receivers, "they are the same")
        self.goes_on(window, figures)
        self.down()

    def test_one_that_hung_stands_by_and_the_wall_goes_down_with_both(self):
        self.up()
        second = self.standby()["address"]
        manager, _ = self.managers()
        os.kill(manager[0], signal.SIGSTOP)
        self.addCleanup(self.go_on, manager[0])
        eventually(lambda: self.status().get("manager", {}).get("term") == 2, "the standby rules")
        os.kill(manager[0], signal.SIGCONT)
        self.stands_by_for(second, 2)
        self.assertIn("status 4; restarting", self.log().read_text())
        self.down()

    def test_up_again_joins_the_one_that_rules(self):
        self.up()
        second = self.standby()["address"]
        manager, _ = self.managers()
        for pid in (*self.processes("vitrail"), *manager):
            os.kill(pid, signal.SIGKILL)
        self.here()
        self.up()
        self.stands_by_for(second, 2)
        self.down()

    def test_the_next_manager_finds_the_standby_of_the_one_that_died(self):
        self.up()
        _, standby = self.managers()
        manager, _ = self.managers()
        os.kill(manager[0], signal.SIGKILL)
        eventually(lambda: self.managers()[0] not in ([], manager), "the manager is started again")
        self.here()
        eventually(lambda: self.standby()["connected"], "it stands by")
        self.assertEqual(self.managers()[1], standby)
        self.down()

    def test_one_that_names_the_manager_itself(self):
        self.write_wall(listen=f"127.0.0.1:{self.port}")
        up = self.vitrail("up", self.wall)
        self.assertRegex(up.stderr, rf"(?m)^standby: ended with .*port {self.port}.* in use")
        self.here()
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED).stdout, "standby +here .*in use")
        self.down()

    def test_a_program_that_is_missing(self):
        self.write_wall(program="/nowhere/vitrail-manager")
        self.assertRegex(self.vitrail("up", self.wall).stderr, "(?m)^standby: did not start: .*nowhere")
        self.here()
        self.down()


if __name__ == "__main__":
    unittest.main()
