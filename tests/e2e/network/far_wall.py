"""A wall whose receiver "far" runs behind ssh or a launcher. Its environment has FAR_AWAY."""

import pathlib

from harness import eventually
from test_up import UpTest


class FarWall(UpTest):
    def far_processes(self, program):
        def is_far(pid):
            try:
                return b"FAR_AWAY=" in pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            except OSError:  # it has just ended
                return False
        return [pid for pid in self.processes(program) if is_far(pid)]

    def far_receivers(self):
        return self.far_processes("vitrail-receiver")

    def check_that_logs_are_cut(self):
        """The receiver "far", which has written 10 MB before it began."""
        self.up()
        self.here()
        result = self.vitrail("logs", "far").stdout
        self.assertLess(len(result), 100_000)
        self.assertIn("vitrail-receiver", result)
        logs = [file for file in self.folder.rglob("far.log")]
        eventually(lambda: sum(file.stat().st_size for file in logs) < 2_000_000, "what is old is cut off", 120)
        self.down()
