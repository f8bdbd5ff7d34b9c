"""A wall whose receivers run on other hosts: `vitrail up` by a real sshd on 127.0.0.2, which stands for another machine."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import unittest

from far_hosts import SSHD, FarHosts
from far_wall import FarWall
from harness import BIN, EXIT_FAILED, eventually, free_port, run

FAR = "127.0.0.2"


@unittest.skipUnless(SSHD, "needs sshd")
class Nodes(FarWall):
    """The receiver "near" runs here, "far" behind ssh."""

    def setUp(self):
        super().setUp()
        self.hosts = FarHosts(self.folder, [FAR])
        self.addCleanup(self.hosts.end)
        self.env.update(self.hosts.environment)
        self.write_wall()

    def write_wall(self, standby=None, **far):
        # The environment variable also identifies the test's processes.
        place = {**self.hosts.place("far", FAR, program=str(BIN / "vitrail-receiver"),
                                    environment={"FAR_AWAY": str(self.folder)}), **far}
        grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}
        wall = {"name": "up", "grid": grid, "receivers": [{"name": "near", "display": "null"}, place]}
        self.wall.write_text(json.dumps({**wall, **({"standby": standby} if standby else {})}))

    def far(self):
        receivers = {r["name"]: r for r in self.state()["receivers"]}
        return receivers["far"]

    def another_than(self, first):
        eventually(lambda: self.far_receivers() not in ([], first), "another process is there")
        eventually(lambda: self.far()["connected"], "it is up again")

    def test_up_status_restart_logs_down(self):
        up = self.vitrail("up", self.wall)
        self.assertRegex(up.stderr, rf"far on {FAR}: up after \d")
        self.assertRegex(up.stderr, r"near: up after \d")
        self.assertRegex(self.vitrail("status").stdout, rf"far +{FAR} +up +1")
        eventually(lambda: re.search(rf"far +{FAR} +up +1 +memory", self.vitrail("status").stdout), "what it shows on is reported")
        first = self.far_receivers()
        self.assertEqual(len(first), 1)

        self.vitrail("restart", "far")
        self.another_than(first)
        self.assertEqual(self.far()["run"]["starts"], 2)
        second = self.far_receivers()
        os.kill(second[0], signal.SIGKILL)
        self.another_than(second)
        self.assertIn("ended with status", self.far()["run"]["why"])

        self.assertIn("vitrail-receiver", self.vitrail("logs", "far").stdout)
        self.assertRegex(self.vitrail("logs").stdout, "(?m)^near: .*vitrail-receiver")
        self.assertIn("'near'", self.vitrail("logs", "third", expect=EXIT_FAILED).stderr)
        self.down()
        eventually(lambda: not self.far_receivers(), "nothing runs on there")

    def test_a_lost_connection_ends_what_runs_there(self):
        self.up()
        first = self.far_receivers()
        ssh, = self.processes("ssh")
        os.kill(ssh, signal.SIGKILL)
        self.another_than(first)
        self.down()

    def test_a_manager_that_is_killed_ends_no_receiver(self):
        self.up()
        first = self.far_receivers()
        self.kill_manager()
        self.here()
        self.assertEqual(self.far_receivers(), first)
        self.down()
        eventually(lambda: not self.far_receivers(), "the next manager ends it")

    def test_the_doctor_looks_at_a_node_from_there(self):
        self.up()

        def clocks():
            return [peer["name"] for peer in json.loads(self.vitrail("stats", "clock", "--json").stdout)["peers"]]
        eventually(lambda: "far" in clocks(), "its clock is known")
        looked = run("vitrail", "doctor", "far", "--json", env=self.env)
        findings = {}
        for finding in json.loads(looked.stdout)["nodes"][0]["findings"]:
            findings.setdefault(finding["about"], finding)
        self.assertEqual(findings["version"]["worth"], "good")
        self.assertEqual(findings["port of near"]["worth"], "good")
        self.assertEqual(findings["packets to near"]["worth"], "good")
        self.assertEqual(findings["packets to far"]["worth"], "good")
        self.assertIn("MB/s", findings["disk"]["what"])
        self.assertIn("dxt1", findings["CPU"]["what"])
        self.assertIn("steered by", findings["wall time at far"]["what"])
        self.assertNotIn("wall time at near", findings)
        bad = any(finding["worth"] == "bad" for finding in json.loads(looked.stdout)["nodes"][0]["findings"])
        self.assertEqual(looked.returncode, EXIT_FAILED if bad else 0)
        everywhere = run("vitrail", "doctor", "--all", "--json", env=self.env)
        self.assertEqual([node["node"] for node in json.loads(everywhere.stdout)["nodes"]], ["near", "far"])
        self.hosts.let_nobody_in()
        refused = self.vitrail("doctor", "far", expect=EXIT_FAILED)
        self.assertIn("Permission denied", refused.stdout)
        self.down()

    def fails(self, why):
        """Checks that the other receiver starts, and that `up` reports why this one does not."""
        up = self.vitrail("up", "--timeout", "20", self.wall, expect=EXIT_FAILED)
        self.assertRegex(up.stderr, rf"far on {FAR}: .*({why})")
        self.assertIn("near: up after", up.stderr)
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED).stdout, why)
        self.down()

    def test_a_host_key_that_changed(self):
        self.hosts.know("other")
        self.fails("Host key verification failed")

    def test_a_host_that_does_not_let_us_in(self):
        self.hosts.let_nobody_in()
        self.fails("Permission denied")

    def test_a_program_that_is_missing(self):
        self.write_wall(program="/nowhere/vitrail-receiver")
        self.fails("No such file|not found")

    def test_a_host_where_nobody_listens(self):
        self.write_wall(port=free_port(FAR))
        self.fails("Connection refused")

    def test_a_host_that_is_unknown(self):
        self.write_wall(host="nowhere.invalid")
        self.env["VITRAIL_MANAGER"] = f"0.0.0.0:{self.port}"
        up = self.vitrail("up", "--timeout", "20", self.wall, expect=EXIT_FAILED)
        self.assertRegex(up.stderr, r"far on nowhere\.invalid: .*Could not resolve")
        self.assertIn("near: up after", up.stderr)
        self.down()

    def test_a_host_that_asks_for_a_password(self):
        self.hosts.ask_for_passwords()
        self.fails(r"Permission denied.*password")

    def test_a_host_that_says_nothing(self):
        with socket.create_server((FAR, 0)) as silent:
            self.write_wall(port=silent.getsockname()[1])
            self.fails("timed out")

    def test_a_node_that_says_too_much(self):
        talker = self.folder / "talker"
        talker.write_text(f"#!/bin/sh\nyes 'a line that nobody wants to read' | head -c 10000000\n"
                          f"exec {BIN / 'vitrail-receiver'} \"$@\"\n")
        talker.chmod(0o755)
        self.write_wall(program=str(talker))
        self.check_that_logs_are_cut()

    def test_logs_go_on(self):
        self.up()
        follower = subprocess.Popen([BIN / "vitrail", "logs", "-f"], env=self.env, stdout=subprocess.PIPE, text=True)
        self.addCleanup(follower.stdout.close)
        self.addCleanup(follower.wait)
        self.addCleanup(follower.kill)
        lines = iter(follower.stdout.readline, "")
        for node in ("near", "far"):
            self.assertTrue(any(re.match(rf"{node}: .*connected to the manager", line) for line in lines), node)
        self.vitrail("restart", "far")
        self.assertTrue(any(re.match("far: .*connected to the manager", line) for line in lines))
        self.down()
        self.assertNotEqual(follower.wait(30), 0, "the manager is gone")


@unittest.skipUnless(SSHD, "needs sshd")
class StandbyNode(Nodes):
    """The standby also runs behind ssh."""

    test_the_doctor_looks_at_a_node_from_there = None
    test_a_host_that_asks_for_a_password = None
    test_a_host_that_says_nothing = None
    test_a_node_that_says_too_much = None
    test_logs_go_on = None

    def setUp(self):
        super().setUp()
        self.env["VITRAIL_PAGE"] = "off"
        self.write_wall(self.place())

    def place(self, **more):
        place = self.hosts.place("", FAR)
        environment = {"FAR_AWAY": str(self.folder), "XDG_STATE_HOME": str(self.folder / "second"),
                       **self.hosts.environment}
        return {"host": place["host"], "port": place["port"], "user": place["user"],
                "program": str(BIN / "vitrail-manager"), "environment": environment, **more}

    def far_managers(self):
        return self.far_processes("vitrail-manager")

    def test_up_status_restart_logs_down(self):
        up = self.vitrail("up", self.wall)
        self.assertRegex(up.stderr, rf"standby on {FAR}: up after \d")
        self.assertRegex(self.vitrail("status").stdout, rf"standby +{FAR} +{FAR}:{self.port} +up +1")
        first = self.far_managers()
        self.vitrail("restart", "standby")
        eventually(lambda: self.far_managers() not in ([], first), "another process is there")
        eventually(lambda: self.state()["standby"]["connected"], "it stands by")
        self.assertIn("standing by for", self.vitrail("logs", "standby").stdout)
        self.down()

    def test_a_lost_connection_ends_what_runs_there(self):
        """The standby continues, because it must survive the loss of this host."""
        self.up()
        first = self.far_managers()
        for ssh in self.processes("ssh"):
            os.kill(ssh, signal.SIGKILL)
        self.another_than([])
        self.assertEqual(self.far_managers(), first)
        self.assertTrue(self.state()["standby"]["connected"])
        self.vitrail("restart", "standby")
        eventually(lambda: self.far_managers() not in ([], first), "another process is there")
        self.down()

    def test_a_manager_that_is_killed_ends_no_receiver(self):
        """The manager is killed with its supervisor: the standby takes over the wall and all its programs."""
        self.up()
        first = self.far_receivers()
        there = self.far_managers()
        for pid in [*self.processes("vitrail"), *self.processes("vitrail-manager")]:
            if pid not in there:
                os.kill(pid, signal.SIGKILL)
        state = self.here()
        self.assertEqual(self.far_receivers(), first)
        self.assertEqual(self.far_managers(), there)
        self.assertNotIn("standby", state)
        self.down()

    def fails(self, why):
        """Checks that neither the remote receiver nor the standby starts."""
        up = self.vitrail("up", "--timeout", "20", self.wall, expect=EXIT_FAILED)
        self.assertRegex(up.stderr, rf"standby on {FAR}: .*({why})")
        self.down()

    def test_a_program_that_is_missing(self):
        self.write_wall(self.place(program="/nowhere/vitrail-manager"))
        self.comes_up_without("No such file|not found", FAR)

    def test_a_host_where_nobody_listens(self):
        self.write_wall(self.place(port=free_port(FAR)))
        self.comes_up_without("Connection refused", FAR)

    def test_a_host_that_is_unknown(self):
        self.write_wall(self.place(host="nowhere.invalid"))
        self.env["VITRAIL_MANAGER"] = f"0.0.0.0:{self.port}"
        self.comes_up_without("Could not resolve", "nowhere.invalid")

    def comes_up_without(self, why, host):
        up = self.vitrail("up", self.wall)
        self.assertRegex(up.stderr, rf"standby on {host}: .*({why})")
        self.here()
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED).stdout, rf"standby +{host} .*({why})")
        self.down()


class Outputs(FarWall):
    """A node with two tiles and one display, of a driver that shows nothing and only numbers its displays."""

    def test_a_missing_output_is_reported(self):
        node = {"name": "node1", "display": "cpu", "environment": {"SDL_VIDEODRIVER": "dummy"}}
        tile = {"receiver": "node1", "resolution": [320, 180]}
        tiles = [{**tile, "name": "left", "at": [0, 0], "output": "0"},
                 {**tile, "name": "right", "at": [320, 0], "output": "HDMI-A-2"}]
        self.wall.write_text(json.dumps({"name": "up", "receivers": [node], "tiles": tiles}))
        self.up()
        missing = "node1 has no output HDMI-A-2 for tile 'right'; it has 0"
        eventually(lambda: missing in self.vitrail("status").stdout, "status names the missing output")
        self.assertIn("does not show all its tiles", self.vitrail("why").stdout)
        windows = self.state()["receivers"][0]["stats"]["display"]["windows"]
        self.assertEqual([(window["tile"], window["display"]) for window in windows], [("left", "0")])


@unittest.skipUnless(SSHD, "needs sshd")
class RenderNodes(FarWall):
    """Players on a render node for which the wall has a second host."""

    SECOND = "127.0.0.3"

    def setUp(self):
        super().setUp()
        self.hosts = FarHosts(self.folder, [FAR, self.SECOND])
        self.addCleanup(self.hosts.end)
        self.env.update(self.hosts.environment)
        place = self.hosts.place("render", FAR)
        del place["display"]
        place["environment"] = {"FAR_AWAY": str(self.folder), "PATH": f"{BIN}:{os.environ['PATH']}"}
        app = {**place, "name": "card", "command": ["bplay", "test:64x64@10"]}
        self.wall.write_text(json.dumps(
            {"name": "up", "grid": {"columns": 2, "rows": 1, "resolution": [320, 180]},
             "apps": [{**place, "second_host": self.SECOND}, app]}))

    def players(self):
        """The players' processes, each with the address to which ssh connected."""
        def address(pid):
            try:
                environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
            except OSError:
                return None
            return next((entry.split()[2] for entry in environment if entry.startswith("SSH_CONNECTION=")), None)
        return {pid: address(pid) for pid in self.processes("bplay")}

    def play_far(self):
        return json.loads(self.vitrail("play", "test:64x64@10", "--on", "render", "--json").stdout)["window"]

    def window(self):
        windows = self.state()["windows"]
        return windows[0] if windows else {}

    def test_play_logs_status_down(self):
        self.up()
        window = self.play_far()
        self.assertEqual(list(self.players().values()), [FAR])
        self.assertEqual(self.window()["on"], "render")
        self.assertRegex(self.vitrail("status").stdout, rf"render +{FAR} +{window}")
        self.vitrail("logs", "render")
        self.vitrail("close", str(window))
        eventually(lambda: not self.players(), "it ends with its window")
        self.vitrail("play", "command/card", "--source")
        self.assertEqual(self.window()["on"], "card")
        self.down()
        eventually(lambda: not self.players(), "nothing runs on there")

    def test_a_lost_connection_ends_it_and_the_second_host_takes_over(self):
        self.up()
        window = self.play_far()
        self.autosaved(1)
        first = list(self.players())
        self.hosts.lose(FAR)  # a start that fails on the second host is tried here too
        ssh, = [pid for pid in self.processes("ssh")]
        os.kill(ssh, signal.SIGKILL)
        eventually(lambda: list(self.players().values()) == [self.SECOND], "it is started there")
        eventually(lambda: "lost" not in (self.window() or {"lost"}), "its window is well")
        self.assertEqual(self.window()["window"], window)
        self.assertNotIn(first[0], self.players())
        self.down()
        eventually(lambda: not self.players(), "nothing runs on there")

    def test_a_program_that_dies_is_started_again_on_its_host(self):
        self.up()
        window = self.play_far()
        self.autosaved(1)
        first, = self.players()
        os.kill(first, signal.SIGKILL)
        eventually(lambda: first not in self.players() and len(self.players()) == 1
                   and "lost" not in (self.window() or {"lost"}), "its window is well")
        self.assertEqual(list(self.players().values()), [FAR])
        self.assertEqual(self.window()["window"], window)
        self.down()

    def test_a_host_that_lets_nobody_in_is_said(self):
        self.hosts.let_nobody_in()
        self.up()
        refused = self.vitrail("play", "test:64x64@10", "--on", "render", expect=EXIT_FAILED)
        self.assertIn("Permission denied", refused.stderr)
        unknown = self.vitrail("play", "test:64x64@10", "--on", "elsewhere", expect=EXIT_FAILED)
        self.assertIn("'render'", unknown.stderr)
        self.down()

    def test_while_nothing_can_be_started_the_window_says_why_and_since_when(self):
        self.up()
        self.play_far()
        self.hosts.let_nobody_in()
        player, = self.players()
        os.kill(player, signal.SIGKILL)

        def result():
            return "Permission denied" in self.window().get("lost", {}).get("why", "")
        eventually(result, "the window says why")
        self.assertRegex(self.window()["lost"]["why"], r"^'render' has been lost since \d\d:\d\d:\d\d: ")
        eventually(lambda: "'render' has been lost" in self.vitrail("why").stdout, "it is a problem of the wall's")
        self.vitrail("close", str(self.window()["window"]))
        self.assertEqual(self.state()["windows"], [])
        self.down()

    def test_a_session_brings_it_back_on_its_node(self):
        self.up()
        self.play_far()
        self.autosaved(1)
        self.down()
        self.up()
        eventually(lambda: list(self.players().values()) == [FAR], "it is started there again")
        self.down()


if __name__ == "__main__":
    unittest.main()
