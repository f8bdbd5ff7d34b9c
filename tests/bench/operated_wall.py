"""A wall of 2x2 small tiles that scripts/bench operation measures, and a program that takes pictures of it."""

import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading

from bench_wall import BenchWall
from harness import BIN, eventually

STILL = (64, 36)
GAP = 8  # pixels between stills
COLUMNS = 8
WALL = (640, 360)
SETTLED = 3  # equal pictures in a row, after which the wall is taken as still
TICKS_S = os.sysconf("SC_CLK_TCK")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


class Eyes:
    """Follows the pictures of the whole wall."""

    def __init__(self, port):
        self.process = subprocess.Popen([BIN / "seen_pictures", "--manager", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True)
        self.pictures = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.pictures.append(json.loads(line))

    def settled(self):
        """The hash of the wall's picture, once several in a row are equal."""
        begin = len(self.pictures)

        def still():
            last = [picture["hash"] for picture in self.pictures[begin:][-SETTLED:]]
            return len(last) == SETTLED and len(set(last)) == 1
        eventually(still, "the wall is still")
        return self.pictures[-1]["hash"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is not None:
            sys.exit("bench: seen_pictures has ended: there are no more pictures")
        self.process.kill()
        self.process.wait()


class OperatedWall(BenchWall):
    grid = {"columns": 2, "rows": 2, "resolution": [WALL[0] // 2, WALL[1] // 2]}

    def __enter__(self):
        super().__enter__()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.page_port, timeout=60)
        return self

    def __exit__(self, *_):
        self.connection.close()
        super().__exit__()

    def post(self, verb, /, **parameters):
        """Runs a verb over HTTP, on a connection that stays open."""
        self.connection.request("POST", f"/api/{verb}", json.dumps(parameters))
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"bench: {verb}: {answer.status} {text[:300]}")
        return json.loads(text)

    def now_ns(self):
        return self.call("clock")["wall_ns"]

    def still(self, number):
        """A picture of one colour with a white column, different for each number."""
        path = self.folder / f"still{number}.ppm"
        colour = bytes((40 + number * 37 % 200, 40 + number * 71 % 200, 40 + number * 113 % 200))
        row = colour * (number % STILL[0]) + b"\xff\xff\xff" + colour * (STILL[0] - number % STILL[0] - 1)
        path.write_bytes(b"P6 %d %d 255\n" % STILL + row * STILL[1])
        return str(path)

    def open_stills(self, count):
        """Opens windows in rows; returns their numbers and places."""
        places = [[GAP + i % COLUMNS * (STILL[0] + GAP), GAP + i // COLUMNS * (STILL[1] + GAP), *STILL] for i in range(count)]
        windows = [self.call("play", media=[self.still(i)], place=place)["window"] for i, place in enumerate(places)]
        return windows, places

    def arrange(self, windows, places):
        self.call("place", windows=[{"window": window, "rect": place} for window, place in zip(windows, places)])

    def manager_cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.manager.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_S
