"""vitrail convert --shard and --join as real processes, also as an array of Slurm."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import test_launch
from harness import BIN, EXIT_DONE, EXIT_FAILED, EXIT_NOT_WHOLE, EXIT_USAGE, run
from test_readme import PLAYING, blocks


class ShardTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25",
                        "-frames:v", "120", "-c:v", "libx264", "-g", "250", "-bf", "3", self.folder / "film.mkv"], check=True)

    def convert(self, *arguments, expect=EXIT_DONE):
        result = run("vitrail", "convert", *arguments, cwd=self.folder)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()


class Shards(ShardTest):
    def test_four_processes_write_what_one_writes(self):
        self.convert("film.mkv", "whole.vmov")
        processes = [subprocess.Popen([BIN / "vitrail", "convert", "film.mkv", f"{k}.vmov", "--shard", f"{k}/4", "--threads", "1"],
                                      cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for k in range(1, 5)]
        for process in processes:
            words = process.communicate()[1]
            self.assertEqual(process.returncode, EXIT_DONE, words)
        answer = json.loads(self.convert("--json", "--join", "film.vmov", "3.vmov", "1.vmov", "4.vmov", "2.vmov").stdout)
        self.assertEqual((answer["frames"], answer["shards"], answer["size"]), (120, 4, [160, 90]))
        self.assertEqual(self.bytes_of("film.vmov"), self.bytes_of("whole.vmov"))
        again = self.convert("--join", "film.vmov", "1.vmov", "2.vmov", "3.vmov", "4.vmov", expect=EXIT_FAILED)
        self.assertIn("--force", again.stderr)
        missing = self.convert("--join", "other.vmov", "1.vmov", "4.vmov", expect=EXIT_FAILED)
        self.assertIn("these are missing: 2, 3", missing.stderr)

    def test_what_cannot_be_done_says_why(self):
        for arguments, code, words in (
                *((("film.mkv", "a.vmov", "--shard", wrong), EXIT_USAGE, f'"{wrong}" must be K/N with N from 2 to 1000 and K from 1 to N')
                  for wrong in ("5/4", "1/1", "1/1001")),
                (("film.mkv", "a.vmov", "--shard", "1/121"), EXIT_FAILED, "choose fewer"),
                (("-", "a.vmov", "--shard", "1/2"), EXIT_USAGE, "standard input"),
                (("film.mkv", "a.vmov", "--shard", "1/2", "--wall", "wall.json"), EXIT_USAGE, "--wall"),
                (("film.mkv", "a.vmov", "b.vmov"), EXIT_USAGE, "--join"),
                (("--join", "a.vmov", "film.mkv", "film.mkv"), EXIT_FAILED, "not a .vmov file"),
                (("--join", "a.vmov", "1.vmov", "2.vmov", "--codec", "dxt5"), EXIT_USAGE, "remove all but --force")):
            result = self.convert(*arguments, expect=code)
            self.assertIn(words, result.stderr + result.stdout)
        self.assertEqual(os.listdir(self.folder), ["film.mkv"])

    def test_no_shard_lacks_pictures_because_it_cannot_deinterlace(self):
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=2x2:r=25", "-frames:v", "3",
                        "-c:v", "huffyuv", "-pix_fmt", "yuv422p", "-field_order", "tt", self.folder / "tiny.mkv"], check=True)
        self.assertIn("cannot be deinterlaced", self.convert("tiny.mkv", "tiny.vmov", expect=EXIT_NOT_WHOLE).stderr)
        shard = ("tiny.mkv", "1.vmov", "--shard", "1/2")
        self.assertIn("cannot be deinterlaced", self.convert(*shard, expect=EXIT_FAILED).stderr)
        self.convert(*shard, "--deinterlace", "off")


@unittest.skipUnless(os.getuid() == 0 and all(shutil.which(name, path=test_launch.SLURM_PATH)
                                              for name in (*test_launch.SLURM, "sbatch")), "needs root and Slurm")
class ShardsBySlurm(ShardTest):
    def test_the_example_of_the_readme(self):
        slurm = test_launch.Slurm(self.folder / "slurm", "far")
        self.addCleanup(slurm.end)
        (example,) = (block for block in blocks("sh", PLAYING) if "sbatch" in block)
        done = subprocess.run(["sh", "-e", "-c", example], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, **slurm.environment, "PATH": f"{BIN}:{test_launch.SLURM_PATH}"})
        logs = "\n".join(log.read_text() for log in self.folder.glob("slurm-*.out"))
        self.assertEqual(done.returncode, 0, done.stderr + logs)
        self.convert("film.mkv", "whole.vmov")
        self.assertEqual(self.bytes_of("film.vmov"), self.bytes_of("whole.vmov"))


if __name__ == "__main__":
    unittest.main()
