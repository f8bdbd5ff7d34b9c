"""scripts/demo without a display, as a newcomer runs it."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

import harness
from harness import eventually, free_port


class Demo(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-demo-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()
        self.env = {**os.environ, "VITRAIL_BIN": str(harness.BIN), "VITRAIL_MANAGER": f"127.0.0.1:{self.port}",
                    "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder),
                    "XDG_CACHE_HOME": str(self.folder)}
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.env.pop(display, None)

    def demo(self, *files):
        process = subprocess.Popen([harness.ROOT / "scripts/demo", *files], env=self.env, cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True)
        picture = self.folder / "wall.png"
        try:
            eventually(lambda: picture.exists() and picture.stat().st_size > 0 or process.poll() is not None,
                       "wall.png is written", 60)
            state = subprocess.run([harness.BIN / "vitrail", "--json", "ls"], env=self.env, capture_output=True,
                                   text=True, check=True).stdout
            # Ctrl-C reaches the whole process group.
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=30)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.assertEqual(process.returncode, 0, output)
        self.assertIn("vitrail", output)
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.port), timeout=5)
        return json.loads(state)

    def test_the_plain_demo(self):
        self.assertEqual(len(self.demo()["windows"]), 1)

    def test_several_files_stand_side_by_side(self):
        files = []
        for i in range(3):
            file = self.folder / f"{i}.png"
            subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=160x90", "-frames:v",
                            "1", file], check=True)
            files.append(file)
        windows = self.demo(*files)["windows"]
        self.assertEqual(len(windows), 3)
        for i, a in enumerate(windows):
            for b in windows[i + 1:]:
                ax, ay, aw, ah = a["rect"]
                bx, by, bw, bh = b["rect"]
                apart = ax + aw <= bx or bx + bw <= ax or ay + ah <= by or by + bh <= ay
                self.assertTrue(apart, (a["rect"], b["rect"]))


if __name__ == "__main__":
    unittest.main()
