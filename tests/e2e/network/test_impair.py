"""vitrail impair as a real process: forwarding, reports and exit."""

import json
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

from harness import BIN, EXIT_DONE, EXIT_FAILED, EXIT_USAGE, PATIENCE_S, eventually, run


class Impair(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.target = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(self.target.close)
        self.target.bind(("127.0.0.1", 0))
        self.target.settimeout(PATIENCE_S)
        self.to = "127.0.0.1:%d" % self.target.getsockname()[1]

    def start(self, *arguments):
        """Starts the process; returns it and its port."""
        port_file = self.folder / "port"
        process = subprocess.Popen([BIN / "vitrail", "impair", "--listen", "0", "--to", self.to, "--port-file", port_file,
                                    *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.kill(), process.communicate()) if process.returncode is None else None)
        eventually(lambda: port_file.exists() or process.poll() is not None, "it listens")
        self.assertIsNone(process.poll())
        return process, int(port_file.read_text())

    def stop(self, process, number):
        process.send_signal(number)
        output, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, EXIT_DONE, errors)
        self.assertEqual(errors, "")
        return output

    def test_it_passes_packets_and_counts_them(self):
        traffic = self.folder / "traffic.csv"
        process, port = self.start("--delay", "5ms", "--traffic", traffic, "--json")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(PATIENCE_S)
            for i in range(20):
                client.sendto(b"x" * 100 + bytes([i]), ("127.0.0.1", port))
            got = [self.target.recvfrom(2000) for _ in range(20)]
            self.assertEqual([packet[-1] for packet, _ in got], list(range(20)))
            self.target.sendto(b"answer", got[0][1])
            self.assertEqual(client.recv(100), b"answer")
        result = json.loads(self.stop(process, signal.SIGTERM))
        there = result["to_target"]
        self.assertEqual((there["packets"], there["bytes"], there["passed"], there["lost"]), (20, 2020, 20, 0))
        self.assertEqual((result["to_client"]["passed"], result["clients"]), (1, 1))
        rows = [list(map(int, line.split(","))) for line in traffic.read_text().splitlines()[1:]]
        self.assertEqual(sum(row[1] for row in rows), 2020)
        self.assertEqual(sum(row[2] for row in rows), 20)

    def test_a_schedule_changes_it(self):
        process, port = self.start("--loss", "100%", "--schedule", "100ms:loss=0")
        first = process.stdout.readline()
        self.assertIn(f"127.0.0.1:{port} forwards to {self.to}: loss=100%", first)
        self.assertIn("now none", process.stdout.readline())
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"through", ("127.0.0.1", port))
            self.assertEqual(self.target.recv(100), b"through")
        self.assertIn("to target: 1 packets", self.stop(process, signal.SIGINT))

    def test_wrong_words_are_a_usage_error(self):
        for arguments, words in ((("--loss", "1.5"), "loss=1.5"), (("--delay", "5"), "delay=5"),
                                 (("--rate", "fast"), "rate=fast"),
                                 (("--schedule", "loss=1%"), "TIME:CHANGES"), (("--to", "localhost:1"), "numeric"),
                                 (("--listen", "nowhere!"), "nowhere!"), (("--speed", "5"), "--speed")):
            to = () if "--to" in arguments else ("--to", self.to)
            result = run("vitrail", "impair", *to, *arguments)
            self.assertEqual(result.returncode, EXIT_USAGE, arguments)
            self.assertIn(words, result.stderr)
        self.assertEqual(run("vitrail", "impair").returncode, EXIT_USAGE)

    def test_what_cannot_be_done_says_why(self):
        result = run("vitrail", "impair", "--listen", self.to, "--to", self.to)
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("in use", result.stderr)
        result = run("vitrail", "impair", "--to", self.to, "--traffic", "/no/such/folder/file")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("/no/such/folder/file", result.stderr)


if __name__ == "__main__":
    unittest.main()
