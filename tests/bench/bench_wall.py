"""A wall of real programs that a benchmark measures, as a context."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from harness import Control, WallTest  # noqa: E402


class BenchWall(WallTest):
    """`control`: a connection to the manager."""

    def runTest(self):  # WallTest starts and ends the programs
        pass

    def __enter__(self):
        self.setUp()
        self.control = Control(self.port)
        return self

    def __exit__(self, *_):
        self.control.close()
        self.doCleanups()

    def call(self, verb, /, **parameters):
        answer = self.control.call(verb, **parameters)
        if "error" in answer:
            sys.exit(f"bench: {verb}: {answer['error']['message']}")
        return answer["result"]
