"""A head of two nodes and a witness: manager and standby need each other or a lease in a real etcd to rule."""

import base64
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from cut_wall import CutWall
from harness import BIN, WallTest, eventually, free_port
from machines import why_not

WHY_NOT = why_not()
EXIT_OUTRUN = 4
ETCD = shutil.which("etcd", path=os.environ.get("PATH", "") + ":/usr/bin:/usr/sbin")
CLIENT_PORT, PEER_PORT = 2379, 2380
LEASE_S = 3
NOWHERE = "02:00:00:00:00:01"  # no machine has this address of a network card


class WitnessedWall(CutWall):
    """Manager and a receiver on the first machine, standby and a receiver on the second, etcd on the third."""

    def __init__(self, folder):
        super().__init__(folder)
        self.witness = f"etcd://{self.third}:{CLIENT_PORT}/hall"
        self.wall.write_text(json.dumps({"name": "cut", "witness": self.witness,
                                         "grid": {"columns": 2, "rows": 1, "resolution": [320, 180]}}))
        self.etcd = self.manager = self.standby = None

    def begin(self):
        """Starts everything; returns when both receivers show the film and the standby knows of the film."""
        self.start_etcd()
        self.manager = self.start_manager("first", self.first)
        eventually(lambda: "ready on" in self.said("first"), "the witness lets the manager rule")
        self.standby = self.start_manager("second", self.second, "--standby-of", f"{self.first}:7440")
        eventually(lambda: "standing by for" in self.said("second"), "the standby follows")
        for name, machine in (("node1", self.first), ("node2", self.second)):
            self.start(name, machine, "vitrail-receiver", "--manager", f"{self.first}:7440", "--name", name, "--display=null")
        eventually(lambda: len(self.shown()) == 2, "both receivers are connected")
        self.start("player", self.first, "bplay", "--manager", f"{self.first}:7440", "--place", "0,0,640x180",
                   f"test:640x180@{self.FPS}")
        self.wait_for_frames(2)
        eventually((self.folder / "second" / "sessions" / "autosave.json").exists, "the standby knows of the film")

    def start_etcd(self):
        here, peers = f"http://{self.third}:{CLIENT_PORT}", f"http://{self.third}:{PEER_PORT}"
        self.etcd = self.start("etcd", self.third, ETCD, "--data-dir", self.folder / "etcd", "--listen-client-urls", here,
                               "--advertise-client-urls", here, "--listen-peer-urls", peers, "--initial-advertise-peer-urls",
                               peers, "--initial-cluster", f"default={peers}")

    def start_again(self, name, machine):
        """Starts a manager that ended by its former command; returns its process. Its log is `name`-again."""
        how = ("--standby-of", f"{self.first}:7440") if name == "second" else ("--restore", "autosave")
        return self.start(f"{name}-again", machine, "vitrail-manager", "--wall", self.wall, "--listen", f"{machine}:7440",
                          "--page", "off", "--state", self.folder / name, *how)

    def unplug(self, device, wanted=True):
        """Pulls the machine's cable out of the switch, or plugs the cable in."""
        self.machines.ip("-n", self.machines.switch, "link", "set", device, "down" if wanted else "up")

    def part(self, one, other, wanted=True):
        """What these two machines send each other is lost, or arrives again."""
        for sender, receiver in ((one, other), (other, one)):
            self.machines.ip("-n", self.machines.spaces[sender], "neigh", *(
                ("replace", receiver, "lladdr", NOWHERE, "dev", "eth0", "nud", "permanent") if wanted else
                ("del", receiver, "dev", "eth0")))

    def ask(self, machine, *words):
        """One command at the machine of this manager; returns the process."""
        return self.machines.run("vitrail", "--manager", f"{machine}:7440", *words, at=machine,
                                 env={**self.env, "XDG_STATE_HOME": str(self.folder / f"console-{machine}")})

    def problem(self, machine):
        """What this manager says about the witness; "": nothing."""
        told = self.ask(machine, "why", "--json")
        problems = json.loads(told.stdout)["problems"] if told.returncode == 0 else []
        return "".join(problem["sentence"] for problem in problems if problem["cause"] == "witness")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class WitnessTest(unittest.TestCase):
    def setUp(self):
        self.assertTrue(ETCD, "etcd is missing: scripts/deps installs it")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.wall = WitnessedWall(self.folder)
        self.addCleanup(self.wall.end)
        self.wall.begin()

    def said(self, name):
        return self.wall.said(name)

    def wait(self, seconds):
        began = time.monotonic()
        eventually(lambda: time.monotonic() - began > seconds, f"{seconds} s are over")

    def takes_over(self):
        eventually(lambda: "ready on" in self.said("second"), "the standby takes over")
        self.assertIn("taking over from the manager at", self.said("second"))
        self.wall.asked_at = self.wall.second

    def is_whole(self):
        """One manager has both receivers and the film, and the other one stands by."""
        self.wall.wait_for_frames(2)
        eventually(lambda: len(self.wall.state()["windows"]) == 1, "there is one window")
        eventually(lambda: len(self.wall.players()) == 1, "one program shows it")

    def end_now(self, *processes):
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


class Witness(WitnessTest):
    def test_the_half_with_the_witness_goes_on_with_the_standby(self):
        self.wall.unplug("here")
        moved = self.wall.ask(self.wall.first, "move", 1, 3, 0).returncode == 0
        self.assertEqual(self.wall.manager.wait(30), EXIT_OUTRUN, self.said("first"))
        self.assertIn("neither the witness", self.said("first"))
        self.takes_over()
        again = self.wall.start_again("first", self.wall.first)
        why = f"this manager does not rule the wall yet: the witness {self.wall.witness} does not answer"
        eventually(lambda: why in self.wall.ask(self.wall.first, "ls").stderr, "the first manager says why it does not rule")
        self.assertNotIn("ready on", self.said("first-again"))
        self.wall.unplug("here", False)
        eventually(lambda: "stands by for" in self.said("first-again"), "the first manager stands by")
        self.is_whole()
        self.assertIsNone(again.poll())
        if moved:
            eventually(lambda: "lost with the former manager" in self.wall.ask(self.wall.second, "history").stdout,
                       "the history has what only the first manager knew")

    def test_the_half_with_the_witness_goes_on_with_the_manager(self):
        self.wall.unplug("m0")
        eventually(lambda: "does not answer" in self.said("second"), "the standby finds no witness")
        self.wait(LEASE_S)
        self.assertNotIn("taking over from", self.said("second"))
        self.assertIsNone(self.wall.manager.poll(), self.said("first"))
        self.assertEqual(len(self.wall.state()["windows"]), 1)
        self.wall.unplug("m0", False)
        eventually(lambda: self.said("second").count("standing by for") == 2, "the standby follows again")
        self.is_whole()

    def test_the_lease_decides_between_two_halves_that_reach_the_witness(self):
        self.wall.part(self.wall.first, self.wall.second)
        eventually(lambda: "gives this standby the lease" in self.said("second"), "the standby asks the witness")
        self.wait(2 * LEASE_S)
        self.assertNotIn("taking over from", self.said("second"))
        self.assertIsNone(self.wall.manager.poll(), self.said("first"))
        self.wall.manager.kill()
        self.wall.manager.wait()
        self.takes_over()
        self.wall.part(self.wall.first, self.wall.second, False)
        self.wall.start_again("first", self.wall.first)
        eventually(lambda: "stands by for" in self.said("first-again"), "the first manager stands by")
        self.is_whole()

    def test_manager_and_standby_need_no_witness_while_they_see_each_other(self):
        self.wall.etcd.kill()
        self.wall.etcd.wait()
        told = eventually(lambda: self.wall.problem(self.wall.first), "the manager says that the witness is away")
        self.assertIn(f"the witness {self.wall.witness} does not answer: {self.wall.third}:{CLIENT_PORT}: ", told)
        self.assertIn("does not answer", self.wall.ask(self.wall.first, "status").stdout)
        findings = json.loads(self.wall.ask(self.wall.first, "doctor", "--json").stdout)["findings"]
        self.assertIn(told, [finding["what"] for finding in findings if finding["about"] == "witness"])
        self.wait(2 * LEASE_S)
        self.assertIsNone(self.wall.manager.poll(), self.said("first"))
        self.is_whole()
        self.wall.start_etcd()
        eventually(lambda: not self.wall.problem(self.wall.first), "the witness is back")
        self.wall.standby.kill()
        self.wall.standby.wait()
        self.wait(2 * LEASE_S)
        self.assertIsNone(self.wall.manager.poll(), "the lease suffices")

    def test_nobody_rules_alone_until_the_witness_is_back(self):
        self.wall.etcd.kill()
        self.wall.etcd.wait()
        self.wall.standby.kill()
        self.assertEqual(self.wall.manager.wait(30), EXIT_OUTRUN, self.said("first"))
        self.wall.start_again("first", self.wall.first)
        eventually(lambda: self.said("first-again").count("does not answer") >= 2, "the manager says again and again that it waits")
        self.assertNotIn("ready on", self.said("first-again"))
        self.wall.start_etcd()
        eventually(lambda: "ready on" in self.said("first-again"), "the manager rules again")
        self.is_whole()


class WitnessVotes(WitnessTest):
    """Manager and standby without the witness: a manager that starts again rules by the other one's vote."""

    def rules_by_a_vote(self, name, machine, process=None):
        """Starts the manager until it rules and the other one follows; on a busy machine the other one may be late."""
        process = process or self.wall.start_again(name, machine)

        def followed():
            nonlocal process
            if process.poll() == EXIT_OUTRUN:
                process = self.wall.start_again(name, machine)
            return "stands by for this manager" in self.said(f"{name}-again") and process.poll() is None
        eventually(followed, "the manager rules by the other one's vote")
        return process

    def test_the_standby_lets_its_manager_rule_again_while_the_witness_is_away(self):
        player = self.wall.players()
        self.end_now(self.wall.etcd, self.wall.manager)
        again = self.rules_by_a_vote("first", self.wall.first)
        eventually(lambda: self.said("second").count("standing by for") == 2, "the standby follows again")
        self.is_whole()
        self.assertEqual(self.wall.players(), player, "it is the same program")
        eventually(lambda: "does not answer" in self.wall.problem(self.wall.first), "the manager says that the witness is away")
        self.wait(2 * LEASE_S)
        self.assertIsNone(again.poll(), self.said("first-again"))
        self.wall.start_etcd()
        eventually(lambda: not self.wall.problem(self.wall.first), "the witness is back, with the lease of the former process")
        self.end_now(self.wall.standby)
        self.wait(2 * LEASE_S)
        self.assertIsNone(again.poll(), "the lease suffices")

    def test_a_former_standby_rules_again_by_the_vote_of_the_former_manager(self):
        self.end_now(self.wall.manager)
        self.takes_over()
        self.wall.start_again("first", self.wall.first)
        eventually(lambda: "stands by for" in self.said("first-again"), "the first manager stands by")
        self.is_whole()
        self.end_now(self.wall.etcd, self.wall.standby)
        self.rules_by_a_vote("second", self.wall.second)
        self.is_whole()
        self.assertNotIn("taking over from", self.said("first-again"))

    def test_a_head_that_was_killed_starts_without_the_witness(self):
        self.end_now(self.wall.etcd, self.wall.manager, self.wall.standby)
        waiting = self.wall.start_again("first", self.wall.first)
        eventually(lambda: "does not answer" in self.said("first-again"), "the manager waits")
        self.assertNotIn("ready on", self.said("first-again"))
        self.wall.start_manager("second", self.wall.second, "--standby-of", f"{self.wall.first}:7440")
        self.rules_by_a_vote("first", self.wall.first, waiting)
        self.is_whole()


class WitnessByTls(WallTest):
    """A real etcd on loopback that wants TLS, a certificate, user and password."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    PASSWORD = "correct horse battery"

    def setUp(self):
        self.assertTrue(ETCD, "etcd is missing: scripts/deps installs it")
        self.etcd = self.password = None
        super().setUp()

    def start_manager(self, *more):
        if not self.etcd:
            self.make_certificates()
            self.start_etcd()
            self.wall_file.write_text(json.dumps({"name": "test", "grid": self.grid, "witness": f"etcds://127.0.0.1:{self.client_port}/hall"}))
        return super().start_manager(*more)

    def env(self, **more):
        given = {}
        if self.password:
            given = {"SSL_CERT_FILE": str(self.folder / "authority.crt"), "VITRAIL_WITNESS_CERTIFICATE": str(self.folder / "head.crt"),
                     "VITRAIL_WITNESS_KEY": str(self.folder / "head.key"), "VITRAIL_WITNESS_USER": "wall",
                     "VITRAIL_WITNESS_PASSWORD_FILE": str(self.password)}
        return super().env(**{**given, **more})

    def openssl(self, *words):
        subprocess.run(["openssl", *map(str, words)], cwd=self.folder, check=True, capture_output=True)

    def make_certificates(self):
        new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        self.openssl("req", "-x509", *new_key, "-subj", "/CN=authority", "-out", "authority.crt", "-keyout", "authority.key")
        (self.folder / "extensions").write_text("subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n")
        for name in ("etcd", "head"):
            # Without a common name, for which etcd takes no password.
            self.openssl("req", *new_key, "-subj", "/", "-out", f"{name}.csr", "-keyout", f"{name}.key")
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial",
                         "-extfile", "extensions", "-out", f"{name}.crt")

    def start_etcd(self):
        self.client_port, peer_port = free_port(), free_port()
        here, peers = f"https://127.0.0.1:{self.client_port}", f"http://127.0.0.1:{peer_port}"
        log = open(self.folder / "etcd.log", "w", encoding="utf-8")
        self.etcd = subprocess.Popen(
            [ETCD, "--data-dir", "etcd", "--listen-client-urls", here, "--advertise-client-urls", here, "--listen-peer-urls", peers,
             "--initial-advertise-peer-urls", peers, "--initial-cluster", f"default={peers}", "--cert-file", "etcd.crt", "--key-file",
             "etcd.key", "--client-cert-auth", "--trusted-ca-file", "authority.crt"], cwd=self.folder, stdout=log, stderr=log)
        self.etcd.log = log
        self.addCleanup(self.end, self.etcd)
        trusting = ssl.create_default_context(cafile=self.folder / "authority.crt")
        trusting.load_cert_chain(self.folder / "head.crt", self.folder / "head.key")

        def tell(path, **body):
            try:
                with urllib.request.urlopen(f"{here}/v3/{path}", json.dumps(body).encode(), context=trusting) as answer:
                    return answer.status == 200
            except urllib.error.URLError:
                return False
        eventually(lambda: tell("maintenance/status"), "etcd is there")
        base64_text = lambda text: base64.b64encode(text.encode()).decode()
        for name, password in (("root", "another password"), ("wall", self.PASSWORD)):
            for path, body in (("user/add", {"name": name, "password": password}), ("role/add", {"name": name}),
                               ("user/grant", {"user": name, "role": name})):
                self.assertTrue(tell(f"auth/{path}", **body), path)
        self.assertTrue(tell("auth/role/grant", name="wall", perm={"permType": 2, "key": base64_text("/hall/"), "range_end": base64_text("/hall0")}))
        self.assertTrue(tell("auth/enable"))
        self.password = self.folder / "password"
        self.password.write_text(self.PASSWORD + "\n")
        self.password.chmod(0o600)

    def waiting(self, **env):
        """A manager with another environment, once it has said why it does not rule; what it said."""
        name = f"waiting{len(list(self.folder.iterdir()))}"
        with open(self.folder / name, "w", encoding="utf-8") as log:
            manager = subprocess.Popen([BIN / "vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "off",
                                        "--state", self.folder / f"{name}.state"], env=self.env(**env), stdout=log, stderr=log)
            manager.log = log
            self.addCleanup(self.end, manager)
            return eventually(lambda: (said := (self.folder / name).read_text(encoding="utf-8")).count("does not rule") and said, "it says why")

    def test_the_manager_rules_and_nobody_sees_the_password(self):
        self.assertIn("ready on", self.output(self.manager))
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager()
        self.wait_for_receivers(*self.receivers)
        logs = "".join(file.read_text(encoding="utf-8") for file in self.folder.glob("*.log"))
        self.assertNotIn(self.PASSWORD, logs)
        process = pathlib.Path(f"/proc/{self.manager.pid}")
        for secret in (process / "cmdline", process / "environ"):
            self.assertNotIn(self.PASSWORD.encode(), secret.read_bytes())

    def test_what_keeps_a_manager_from_the_witness_is_told(self):
        self.assertIn("$SSL_CERT_FILE", self.waiting(SSL_CERT_FILE=str(self.folder / "head.crt")))
        self.assertIn("$VITRAIL_WITNESS_CERTIFICATE", self.waiting(VITRAIL_WITNESS_CERTIFICATE="", VITRAIL_WITNESS_KEY=""))
        self.assertIn("user name is empty", self.waiting(VITRAIL_WITNESS_USER=""))
        wrong = self.folder / "wrong"
        wrong.write_text("a wrong password\n")
        self.assertIn("chmod 600", self.waiting(VITRAIL_WITNESS_PASSWORD_FILE=str(wrong)))
        wrong.chmod(0o600)
        said = self.waiting(VITRAIL_WITNESS_PASSWORD_FILE=str(wrong))
        self.assertIn("invalid user ID or password", said)
        self.assertNotIn("a wrong password", said)


if __name__ == "__main__":
    unittest.main()
