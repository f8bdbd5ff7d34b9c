"""One process runs out of descriptors or memory: it refuses further work with a message, everything that plays continues,
and it recovers when resources are free again. Where CPUs are scarce, frames have priority."""

import contextlib
import ctypes
import os
import pathlib
import resource
import socket
import unittest

from harness import EXIT_FAILED, Control, WallTest, eventually

MIB = 1 << 20


class ScarcityTest(WallTest):
    """A film plays on both tiles all the time."""

    grid = {"columns": 2, "rows": 1, "resolution": [320, 180], "mullion": [8, 0]}

    def setUp(self):
        super().setUp()
        self.player, self.number = self.play("test:648x180@30", "--place", "0,0,648x180")
        self.wait_for_frames(self.number)

    def goes_on(self, *processes):
        self.wait_for_frames(self.number, more=30)
        for process in (self.manager, self.player, *self.receivers.values(), *processes):
            self.assertIsNone(process.poll(), self.output(process))

    def start_server(self, size="320x180"):
        self.films = self.folder / "films"
        self.films.mkdir()
        self.vitrail("convert", self.clip(seconds=2, size=size), self.films / "film.vmov")
        port_file = self.folder / "server-port"
        server = self.start("vitrail-server", "--films", self.films, "--listen", "127.0.0.1:0", "--port-file", port_file)
        self.server_port = int(eventually(lambda: port_file.exists() and port_file.read_text(), "the server listens"))
        return server

    def connect(self, port, count):
        peers = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(count)]
        for peer in peers:
            self.addCleanup(peer.close)
        return peers


class KeyFile(ScarcityTest):
    """The wall's key is in a file, which is read at each connection, and which cannot be opened for a while. For sockets,
    the system reports the same error as for files when no descriptor is left."""

    key = "open sesame, please"
    reported = False  # if true, programs started from now on get the key itself

    def env(self, **more):
        self.file = self.folder / "key"
        if not self.file.exists():
            self.file.write_text(f"{self.key}\n")
            self.file.chmod(0o600)
        return super().env(VITRAIL_KEY_FILE=str(self.file), **({"VITRAIL_KEY": self.key} if self.reported else {}), **more)

    def test_of_a_player_whose_manager_comes_back(self):
        self.manager.kill()
        self.manager.wait()
        self.reported = True
        self.file.unlink()
        with socket.socket(socket.AF_UNIX) as unreadable:
            unreadable.bind(str(self.file))
            self.file.chmod(0o600)
            tried = self.tries()
            self.manager = self.start_manager()
            eventually(lambda: len(self.tries() - tried) > 6, "player and receivers have tried to come back")
            self.file.unlink()
        self.env()
        self.wait_for_receivers(*self.receivers)
        self.goes_on()

    def tries(self):
        """The local addresses of connections to the manager that their clients closed."""
        rows = [row.split() for row in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        time_wait = "06"
        return {row[1] for row in rows if row[2].endswith(f":{self.port:04X}") and row[3] == time_wait}


@unittest.skipIf("address" in os.environ.get("VITRAIL_SANITIZE", ""), "the sanitizer itself needs descriptors to look at memory")
class Descriptors(ScarcityTest):
    @staticmethod
    def descriptors(process):
        return [int(name) for name in os.listdir(f"/proc/{process.pid}/fd")]

    def leave(self, process, count):
        """Limits the process to this many free descriptors."""
        numbers = self.descriptors(process)
        free = [n for n in range(max(numbers) + count + 2) if n not in numbers]
        before = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (free[count], before[1]))
        return lambda: resource.prlimit(process.pid, resource.RLIMIT_NOFILE, before)

    def data_port(self, name):
        with Control(self.port) as control:
            reported = control.call("snapshot")["result"]["receivers"]
        return next(receiver["port"] for receiver in reported if receiver["name"] == name)

    def test_of_the_manager(self):
        with Control(self.port) as control:
            restore_limit = self.leave(self.manager, 2)
            peers = self.connect(self.port, 50)
            eventually(lambda: "LimitNOFILE" in self.output(self.manager), "the log says what to do")
            refused = control.call("play", media=["test:64x64"])
            self.assertIn("error", refused)
            self.assertIn("too many open files", refused["error"]["message"].lower())
            self.goes_on()
            restore_limit()
            for peer in peers:
                peer.close()
            number = control.call("play", media=["test:64x64"])["result"]["window"]
            self.wait_for_frames(number)
        self.goes_on()

    def test_of_a_receiver(self):
        receiver = self.receivers["node1"]
        port = self.data_port("node1")
        restore_limit = self.leave(receiver, 1)
        peers = self.connect(port, 50)
        eventually(lambda: "LimitNOFILE" in self.output(receiver), "the log says what to do")
        late = self.start("bplay", "test:64x64@30", "--place", "0,0")
        self.goes_on(late)
        for peer in peers:
            peer.close()
        restore_limit()
        eventually(lambda: len(self.state()["windows"]) == 2, "the other film is there")
        number = next(w["window"] for w in self.state()["windows"] if w["window"] != self.number)
        self.wait_for_frames(number)
        self.goes_on(late)

    def come_back_to(self, player, number):
        """Restarts both receivers while the player has no descriptor for either."""
        before = self.descriptors(player)
        for receiver in self.receivers.values():
            receiver.kill()
            receiver.wait()
        eventually(lambda: len(self.descriptors(player)) <= len(before) - 2, "the player has closed its connections")
        # With limit 0, the player cannot even reuse descriptors that it closes itself.
        limit = resource.prlimit(player.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(player.pid, resource.RLIMIT_NOFILE, (0, limit[1]))
        for name in list(self.receivers):
            self.start_receiver(name)
        self.wait_for_receivers(*self.receivers)

        def unsent():
            return (self.window(number) or {}).get("stats", {}).get("dropped", {}).get("unsent", 0)
        begin = unsent()
        eventually(lambda: unsent() > begin + 30 or player.poll() is not None, "it reaches nobody")
        self.assertIsNone(player.poll(), self.output(player))
        resource.prlimit(player.pid, resource.RLIMIT_NOFILE, limit)
        self.wait_for_frames(number, more=30)

    def test_of_a_player_whose_receivers_come_back(self):
        self.come_back_to(self.player, self.number)
        self.goes_on()

    def test_of_a_player_over_udp_whose_receivers_come_back(self):
        self.end(self.player)
        self.player, self.number = self.play("test:648x180@30", "--place", "0,0,648x180", "--transport", "udp")
        self.wait_for_frames(self.number)
        self.come_back_to(self.player, self.number)
        self.goes_on()

    def test_of_a_film_server(self):
        server = self.start_server()
        with Control(self.server_port) as control:
            first = control.call("play", title="film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(first)
            restore_limit = self.leave(server, 0)
            peers = self.connect(self.server_port, 50)
            eventually(lambda: "LimitNOFILE" in self.output(server), "the log says what to do")
            # Files that were open only briefly may still leave one descriptor.
            eventually(lambda: "too many open files" in control.call("play", title="film.vmov", loop=True)
                       .get("error", {}).get("message", "").lower(), "it says why it plays no more")
            self.wait_for_frames(first)
            self.goes_on(server)
            restore_limit()
            for peer in peers:
                peer.close()
            second = control.call("play", title="film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(second)
        self.goes_on(server)


@unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "sanitizers take whole terabytes")
class Memory(ScarcityTest):
    def leave(self, process, mib):
        """Limits the process to this much more address space."""
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        taken = next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmSize:"))
        before = resource.prlimit(process.pid, resource.RLIMIT_AS)
        resource.prlimit(process.pid, resource.RLIMIT_AS, (taken + mib * MIB, before[1]))
        return lambda: resource.prlimit(process.pid, resource.RLIMIT_AS, before)

    def test_of_the_manager(self):
        restore_limit = self.leave(self.manager, 8)
        peers = [Control(self.port) for _ in range(10)]
        for peer in peers:
            self.addCleanup(peer.close)
            with contextlib.suppress(OSError):  # the connection was refused
                peer.send(b"[" + b" " * 900_000)
            self.assertIn("not enough memory", peer.receive()["error"]["message"])
        self.goes_on()
        restore_limit()
        for peer in peers:
            peer.close()
        with Control(self.port) as control:
            self.assertIn("result", control.call("list"))
        self.goes_on()

    def test_of_a_receiver(self):
        restore_limit = self.leave(self.receivers["node1"], 16)
        large = self.start("bplay", "test:3840x2160@30", "--codec", "raw", "--place", "0,0,320x180")
        self.wait_for_frames(self.number, more=90)
        self.goes_on()
        restore_limit()
        large.terminate()
        large.wait(30)
        _, number = self.play("test:3840x2160@30", "--codec", "raw", "--place", "0,0,320x180")
        self.wait_for_frames(number)
        self.goes_on()

    def test_of_a_sender(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_AS, (500 * MIB, 500 * MIB))
        large = self.start("bplay", "test:8192x8192", preexec_fn=few)
        self.assertEqual(large.wait(60), EXIT_FAILED, self.output(large))
        self.assertIn("memory", self.output(large))
        self.goes_on()

    def test_of_a_film_server(self):
        server = self.start_server(size="1920x1080")
        with Control(self.server_port) as control:
            first = control.call("play", title="film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(first)
            restore_limit = self.leave(server, 4)
            refused = control.call("play", title="film.vmov", loop=True)
            self.assertIn("memory", refused.get("error", {}).get("message", "").lower(), refused)
            self.wait_for_frames(first)
            self.goes_on(server)
            restore_limit()
            second = control.call("play", title="film.vmov", loop=True)["result"]["window"]
            self.wait_for_frames(second)
        self.goes_on(server)


if __name__ == "__main__":
    unittest.main()


PR_CAPBSET_DROP = 24
CAP_SYS_NICE = 23


def without_right_to_priority():
    """Runs in the child before exec: removes the right to real-time priority, whatever its user is."""
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    if os.getuid() == 0:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0)


def may_have_priority():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        return False
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


class Processors(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    @staticmethod
    def first_threads(process):
        """The threads with real-time priority."""
        policies = {int(thread): os.sched_getscheduler(int(thread)) for thread in os.listdir(f"/proc/{process.pid}/task")}
        return [thread for thread, policy in policies.items() if policy & ~os.SCHED_RESET_ON_FORK != os.SCHED_OTHER]

    @unittest.skipUnless(may_have_priority(), "this user may have no real-time priority")
    def test_the_thread_that_waits_for_an_instant_goes_before_others_and_no_other_does(self):
        _, number = self.play("test:640x180@30", "--codec", "htj2k")
        self.wait_for_frames(number)
        for receiver in self.receivers.values():
            # Checked repeatedly, because the receiver has normal priority while it paints.
            eventually(lambda one=receiver: self.first_threads(one) == [one.pid], "it waits for the next instant")

    def test_a_receiver_that_may_not_says_so_and_shows(self):
        self.end(self.receivers["node1"])
        receiver = self.start("vitrail-receiver", "--manager", f"127.0.0.1:{self.port}", "--name", "node1", "--display=null",
                              preexec_fn=without_right_to_priority)
        self.wait_for_receivers("node1", "node2")
        _, number = self.play("test:640x180@30")
        self.wait_for_frames(number)
        self.assertEqual(self.first_threads(receiver), [])
        self.assertIn("frames may be shown late when this node is busy: no real-time priority", self.output(receiver))
