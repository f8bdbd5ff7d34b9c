"""Programs that launchers of the wall file start ("launch"): a script of the test, Open MPI's mpirun, and Slurm."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import unittest

from far_wall import FarWall
from harness import BIN, EXIT_FAILED, eventually, free_port, run

FAR = "127.0.0.2"


class LaunchTest(FarWall):
    """The receiver "near" runs here, "far" behind a launcher."""

    def write_wall(self, launch, apps=(), **more):
        far = {"name": "far", "host": FAR, "display": "null", "launch": launch, "program": str(BIN / "vitrail-receiver"),
               "environment": {"FAR_AWAY": str(self.folder)}, **more}
        self.wall.write_text(json.dumps(
            {"name": "up", "grid": {"columns": 2, "rows": 1, "resolution": [320, 180]},
             "receivers": [{"name": "near", "display": "null"}, far], "apps": list(apps)}))

    def run_of_far(self):
        return next(receiver for receiver in self.state()["receivers"] if receiver["name"] == "far")["run"]

    def another_than(self, first):
        eventually(lambda: self.far_receivers() not in ([], first), "another process is there")
        self.here()

    def program(self, name, text):
        file = self.folder / name
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
        return shlex.quote(str(file))

    def ends_and_starts_again(self, launcher):
        """Ends the program, its launcher, and the wall."""
        self.assertRegex(self.vitrail("up", self.wall).stderr, r"far on \S+: up after \d")
        first = self.far_receivers()
        self.assertEqual(len(first), 1)
        os.kill(first[0], signal.SIGKILL)
        self.another_than(first)
        self.assertIn("ended with status 137", self.run_of_far()["why"], "the launcher passes it on")
        second = self.far_receivers()
        os.kill(self.processes(launcher)[0], signal.SIGKILL)
        self.another_than(second)
        self.assertEqual(len(self.far_receivers()), 1, "the other one has ended with its launcher")
        self.assertIn("connected to the manager", self.vitrail("logs", "far").stdout)
        self.down()
        eventually(lambda: not self.far_receivers(), "nothing runs on there")


class Launch(LaunchTest):
    def setUp(self):
        super().setUp()
        self.words = self.folder / "words"
        self.launcher = self.program(
            "launcher", f'printf "%s\\n" "$@" >> "{self.words}"\nshift 2\nexec "$@"\n')

    def test_up_restart_doctor_logs_down(self):
        self.write_wall(f"{self.launcher} 'at {{host}}' {{node}} {{command}}")
        self.assertRegex(self.vitrail("up", self.wall).stderr, rf"far on {FAR}: up after \d")
        self.assertRegex(self.vitrail("status").stdout, rf"far +{FAR} +up +1")
        words = self.words.read_text().splitlines()
        self.assertEqual(words[:4], [f"at {FAR}", "far", "sh", "-c"])
        self.assertEqual(len(words), 5, "the script is one word")
        key = (self.folder / "vitrail" / "keys" / f"127.0.0.1:{self.port}").read_text().strip()
        self.assertNotIn(key, words[4], "everybody sees command lines")

        first = self.far_receivers()
        self.vitrail("restart", "far")
        self.another_than(first)
        second = self.far_receivers()
        os.kill(second[0], signal.SIGKILL)
        self.another_than(second)
        self.assertIn("ended with status 137", self.run_of_far()["why"])
        self.assertIn("connected to the manager", self.vitrail("logs", "far").stdout)
        looked = json.loads(run("vitrail", "doctor", "far", "--json", env=self.env).stdout)["nodes"][0]
        self.assertIn("version", [finding["about"] for finding in looked["findings"]])
        self.down()
        eventually(lambda: not self.far_receivers(), "nothing runs on there")

    def test_players_run_behind_launchers(self):
        app = {"name": "render", "host": FAR, "launch": f"{self.launcher} {{host}} {{node}} {{command}}",
               "environment": {"PATH": f"{BIN}:{os.environ['PATH']}"}}
        self.write_wall("env {command}", apps=[app, {**app, "name": "nowhere", "launch": "/nowhere/run {command}"}])
        self.up()
        window = json.loads(self.vitrail("play", "test:64x64@10", "--on", "render", "--json").stdout)["window"]
        self.assertEqual(self.words.read_text().splitlines()[:3], [FAR, "render", "sh"])
        failed = self.vitrail("play", "/no/film.mp4", "--on", "render", expect=EXIT_FAILED)
        self.assertIn("film.mp4", failed.stderr, "the player's own reason")
        missing = self.vitrail("play", "test:64x64@10", "--on", "nowhere", expect=EXIT_FAILED)
        self.assertIn("cannot start /nowhere/run: no such file", missing.stderr)
        self.assertEqual([shown["window"] for shown in self.state()["windows"]], [window], "it is unharmed")
        self.vitrail("close", str(window))
        eventually(lambda: not self.processes("bplay"), "it ends with its window")
        self.down()

    def fails(self, why, **env):
        """Checks that the other receiver starts, and that `up` and `status` report why this one does not."""
        up = self.vitrail("up", "--timeout", "20", self.wall, expect=EXIT_FAILED, **env)
        self.assertRegex(up.stderr, rf"far on {FAR}: .*{why}")
        self.assertIn("near: up after", up.stderr)
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED, **env).stdout, why)
        eventually(lambda: "receiver 'far' is disconnected" in self.vitrail("why", **env).stdout, "it is a problem of the wall's")
        self.vitrail("down", **env)

    def test_a_launcher_that_is_missing(self):
        self.write_wall("/nowhere/run {command}")
        self.fails("cannot start /nowhere/run: no such file")

    def test_a_launcher_that_ends_at_once(self):
        self.write_wall(self.program("refuses", "echo 'no such partition' >&2\nexit 255\n") + " {command}")
        self.fails("ended with status 255: no such partition")

    def test_a_program_that_is_missing(self):
        self.write_wall("env {command}", program="/nowhere/vitrail-receiver")
        self.fails("No such file|not found")

    def test_a_manager_on_all_addresses(self):
        self.write_wall("env {command}")
        self.fails(r"'far' does not tell .* --listen", VITRAIL_MANAGER=f"0.0.0.0:{self.port}")

    def test_a_launcher_that_never_ends(self):
        self.write_wall(self.program("waits", "echo 'job 7 is waiting for resources'\nexec sleep 1000\n") + " {command}")
        up = self.vitrail("up", "--timeout", "1", self.wall, expect=EXIT_FAILED)
        self.assertRegex(up.stderr, r"not connected: (near, )?far on \S+; see `vitrail status`, `vitrail logs NODE`")
        eventually(lambda: "up" in self.near_row(), "the other one is there")
        self.assertRegex(self.vitrail("status", expect=EXIT_FAILED).stdout, rf"far +{FAR} +starting")
        self.assertIn("job 7 is waiting", self.vitrail("logs", "far").stdout)
        eventually(lambda: "receiver 'far' is disconnected" in self.vitrail("why").stdout, "it is a problem of the wall's")
        self.down()
        eventually(lambda: not self.processes("sleep"), "the launcher is ended")

    def near_row(self):
        status = run("vitrail", "status", env=self.env).stdout
        return next((line for line in status.splitlines() if line.startswith("near ")), "")

    def test_a_launcher_that_says_too_much(self):
        talker = self.program("talker", "yes 'a line that nobody wants to read' | head -c 10000000\nexec \"$@\"\n")
        self.write_wall(talker + " {command}")
        self.check_that_logs_are_cut()


@unittest.skipUnless(shutil.which("mpirun"), "needs Open MPI")
class LaunchByMpi(LaunchTest):
    def test_open_mpi_starts_and_ends_a_receiver(self):
        self.write_wall("mpirun -q --allow-run-as-root --oversubscribe --host {host} -n 1 {command}", host="localhost")
        self.ends_and_starts_again("mpirun")


SLURM = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
SLURM_PATH = os.environ.get("PATH", "") + ":/usr/sbin"


class Slurm:
    """A cluster of one node, which runs on this host without systemd."""

    def __init__(self, folder, node):
        self.folder = folder
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o400)
        controller_port, node_port = free_port(), free_port(FAR)
        config = folder / "slurm.conf"
        config.write_text(
            f"ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={controller_port}\n"
            f"SlurmUser=root\nSlurmdUser=root\nAuthInfo=socket={folder}/munge.socket\n"
            f"StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n"
            f"SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n"
            f"SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n"
            "SlurmdParameters=config_overrides\n"
            f"NodeName={node} NodeHostname=localhost NodeAddr={FAR} Port={node_port} CPUs=16\n"
            f"PartitionName=wall Nodes={node} Default=YES MaxTime=INFINITE OverSubscribe=YES:8\n")
        self.environment = {"SLURM_CONF": str(config), "PATH": SLURM_PATH}
        self.daemons = []
        self.start("munged", "--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket",
                   f"--pid-file={folder}/munge.pid", f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
        eventually((folder / "munge.socket").exists, "munge listens")
        self.start("slurmctld", "-D", "-f", config)
        self.start("slurmd", "-D", "-N", node, "-f", config)
        eventually(lambda: self.output("sinfo", "-h", "-o", "%t") == "idle", "the node is ready")

    def start(self, *arguments):
        self.daemons.append(subprocess.Popen(arguments, env={**os.environ, **self.environment},
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def output(self, *arguments):
        return subprocess.run(arguments, env={**os.environ, **self.environment}, capture_output=True, text=True,
                              check=False).stdout.strip()

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.kill()
            daemon.wait()


@unittest.skipUnless(os.getuid() == 0 and all(shutil.which(name, path=SLURM_PATH) for name in SLURM), "needs root and Slurm")
class LaunchBySlurm(LaunchTest):
    def setUp(self):
        super().setUp()
        self.slurm = Slurm(self.folder / "slurm", "far")
        self.addCleanup(self.slurm.end)
        self.env.update(self.slurm.environment)

    def test_slurm_starts_and_ends_a_receiver(self):
        self.write_wall("srun -Q -w {node} -N1 -n1 {command}")
        self.ends_and_starts_again("srun")
        eventually(lambda: not self.slurm.output("squeue", "-h"), "no job is left")

    def test_a_job_that_the_cluster_ends(self):
        self.write_wall("srun -w {node} -N1 -n1 {command}")
        self.up()
        first = self.far_receivers()
        self.slurm.output("scancel", "--user", "root")
        self.another_than(first)
        self.assertIn("ended with", self.run_of_far()["why"])
        self.down()

    def test_a_job_that_is_refused(self):
        self.write_wall("srun -p nowhere -w {node} -n1 {command}")
        up = self.vitrail("up", "--timeout", "20", self.wall, expect=EXIT_FAILED)
        self.assertRegex(up.stderr, "far on .*: ended with status 1: srun: error: .*[Ii]nvalid partition")
        self.down()


if __name__ == "__main__":
    unittest.main()
