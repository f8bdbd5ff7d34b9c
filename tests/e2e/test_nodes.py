"""A wall whose receivers run on other hosts: `vitrail up` by a real sshd, which stands for another machine on 127.0.0.2."""

import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import unittest

from harness import BIN, EXIT_FAILED, eventually
from test_up import UpTest, free_port

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin")
FAR = "127.0.0.2"


@unittest.skipUnless(SSHD, "needs sshd")
class Nodes(UpTest):
    """The receiver "near" is here, "far" behind ssh."""

    def setUp(self):
        super().setUp()
        self.ssh_port = free_port(FAR)
        self.env["VITRAIL_SSH"] = f"ssh -F {self.folder}/config"
        for name in ("host", "other", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        self.know("host")
        (self.folder / "config").write_text(
            f"Host *\n IdentityFile {self.folder}/user\n IdentitiesOnly yes\n"
            f" UserKnownHostsFile {self.folder}/known\n GlobalKnownHostsFile /dev/null\n")
        self.start_sshd()
        self.write_wall()

    def know(self, key):
        public = " ".join((self.folder / f"{key}.pub").read_text().split()[:2])
        (self.folder / "known").write_text(f"[{FAR}]:{self.ssh_port} {public}\n")

    def start_sshd(self):
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        (self.folder / "sshd_config").write_text(
            f"ListenAddress {FAR}\nPort {self.ssh_port}\nHostKey {self.folder}/host\nPidFile none\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n")
        process = subprocess.Popen([SSHD, "-D", "-e", "-f", self.folder / "sshd_config"], stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (process.terminate(), process.wait()))

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex((FAR, self.ssh_port)) == 0
        eventually(listens, "sshd listens")

    def write_wall(self, **far):
        # What the environment names is also how the test knows its processes.
        place = {"name": "far", "host": FAR, "port": self.ssh_port, "user": getpass.getuser(), "display": "null",
                 "program": str(BIN / "vitrail-receiver"), "environment": {"FAR_AWAY": str(self.folder)}, **far}
        grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}
        self.wall.write_text(json.dumps(
            {"name": "up", "grid": grid, "receivers": [{"name": "near", "display": "null"}, place]}))

    def far_receivers(self):
        def is_far(pid):
            try:
                with open(f"/proc/{pid}/environ", "rb") as environ:
                    return b"FAR_AWAY=" in environ.read()
            except OSError:
                return False
        return [pid for pid in self.processes("vitrail-receiver") if is_far(pid)]

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

    def fails(self, why):
        """The other one comes up, and it is told why this one does not."""
        up = self.vitrail("up", "--timeout", "20", self.wall, expect=EXIT_FAILED)
        self.assertRegex(up.stderr, rf"far on {FAR}: .*({why})")
        self.assertIn("near: up after", up.stderr)
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED).stdout, why)
        self.down()

    def test_a_host_key_that_changed(self):
        self.know("other")
        self.fails("Host key verification failed")

    def test_a_host_that_does_not_let_us_in(self):
        (self.folder / "authorized").write_text("")
        self.fails("Permission denied")

    def test_a_program_that_is_missing(self):
        self.write_wall(program="/nowhere/vitrail-receiver")
        self.fails("No such file|not found")

    def test_a_host_where_nobody_listens(self):
        self.write_wall(port=free_port(FAR))
        self.fails("Connection refused")


if __name__ == "__main__":
    unittest.main()
