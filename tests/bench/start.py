#!/usr/bin/env python3
"""The first second: how long until a wall is up, and until a picture is on all of its tiles.

A wall of 2x2 receivers in memory, each with a full HD tile. `vitrail up` counts until the page answers, and until the
last receiver has painted its tile. Pictures count from the start of the command (seeks: from the request) to the first
swap of the last tile, as the receivers record it (the verb `trace`). Films are H.264 with a key picture a second, and
sound, in the disk cache. Films by HTTP come from a film server behind `vitrail impair` with a round trip of 20 ms; films by RTSP
begin with a key picture at once.
"""

import argparse
import contextlib
import datetime
import http.client
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from bench_wall import BenchWall

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from harness import BIN, eventually, free_port, run  # noqa: E402

SWAP = 8  # the stage of a swap in the answer of trace_read
GOALS_MS = {"up_page": 100, "up_dark": 100, "play_1080p": 120, "play_4k": 200, "play_http_20ms": 450, "play_rtsp": 150,
            "replace": 120, "seek": 100, "seek_held": 100, "still_24mpixel": 250, "pyramid": 200}
HELD_KEYS = 30  # seeks, one every 33 ms
RATE = 25


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *map(str, arguments)], check=True)


class Media:
    """Films and pictures, made by FFmpeg in a folder."""

    def __init__(self, folder, shrink):
        def size(width, height):
            return f"{width // shrink}x{height // shrink}"

        self.film = self.make_film(folder / "film.mp4", size(1920, 1080), 10, "testsrc2")
        self.other = self.make_film(folder / "other.mp4", size(1920, 1080), 4, "testsrc")
        self.large = self.make_film(folder / "large.mp4", size(3840, 2160), 3, "testsrc2")
        self.still = folder / "still.jpg"
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={size(6000, 4000)},noise=alls=8", "-frames:v", 1, "-q:v", 3, self.still)
        self.pyramid = self.make_pyramid(folder, 8192 if shrink == 1 else 2048)

    @staticmethod
    def make_film(path, size, seconds, pattern):
        ffmpeg("-f", "lavfi", "-i", f"{pattern}=size={size}:rate={RATE}", "-f", "lavfi", "-i", "sine=r=48000", "-t", seconds,
               "-c:v", "libx264", "-preset", "veryfast", "-g", RATE, "-bf", 2, "-pix_fmt", "yuv420p", "-c:a", "aac", path)
        return path

    @staticmethod
    def make_pyramid(folder, side):
        """A square DeepZoom picture, each level of which has half the size of the next."""
        levels, tile = folder / "pyramid_files", 1024
        for level in range(side.bit_length()):
            width = 1 << level
            columns = max(1, width // tile)
            (levels / str(level)).mkdir(parents=True)
            ffmpeg("-f", "lavfi", "-i", f"testsrc=size={width}x{width}", *(["-vf", f"untile={columns}x{columns}"] if columns > 1 else []),
                   "-frames:v", columns * columns, "-q:v", 3, "-start_number", 0, levels / str(level) / "%d.jpg")
            for number in range(columns * columns):
                (levels / str(level) / f"{number}.jpg").rename(levels / str(level) / f"{number % columns}_{number // columns}.jpg")
        description = folder / "pyramid.dzi"
        description.write_text(f'<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="jpg" Overlap="0" TileSize="{tile}">'
                               f'<Size Width="{side}" Height="{side}"/></Image>')
        return description


class PicturedWall(BenchWall):
    """A wall whose receivers tell when they swap."""

    def __init__(self, tile):
        super().__init__()
        self.grid = {"columns": 2, "rows": 2, "resolution": tile}
        self.place = f"0,0,{2 * tile[0]}x{2 * tile[1]}"
        self.receivers_traced = []

    def now_ns(self):
        return self.call("clock")["wall_ns"]

    def opened(self, *words):
        """Runs a command that opens a window. Returns the window's number, and after how many ms the command ended."""
        began = time.monotonic()
        answer = json.loads(self.vitrail(*words, "--json").stdout)
        return answer["window"], (time.monotonic() - began) * 1e3

    def close_all(self):
        for window in self.state()["windows"]:
            self.call("close", window=window["window"])
        eventually(lambda: not self.state()["windows"] and not self.players(), "the players have ended")

    def players(self):
        return pathlib.Path(f"/proc/{self.manager.pid}/task/{self.manager.pid}/children").read_text().split()

    def watch(self):
        processes = sorted(self.call("trace", seconds=60)["processes"], key=lambda one: one["name"])
        self.receivers_traced = [one["process"] for one in processes if one["role"] == "receiver"]

    def stamps(self, process, stage, begin_ns):
        """What a receiver did in this stage from begin_ns on: the stream, the frame, and when it was done."""
        part, found = {"next": 0}, []
        while "next" in part:
            part = self.call("trace_read", process=process, **{"from": part["next"]})
            found += [(stream, frame, part["base_ns"] + began + took) for done, _, stream, frame, began, took in part["stamps"] if done == stage]
        return [one for one in found if one[2] >= begin_ns]

    def swaps(self, process, begin_ns, without):
        """Times of a receiver's swaps of all streams but these, from begin_ns on."""
        return [done_ns for stream, _, done_ns in self.stamps(process, SWAP, begin_ns) if stream not in without]

    def all_swaps(self, begin_ns, without=()):
        """The swaps of each receiver, once all have one."""
        def there():
            found = [self.swaps(process, begin_ns, without) for process in self.receivers_traced]
            return found if all(found) else None
        return eventually(there, "a picture is on all tiles")

    def last_swap(self, begin_ns):
        """The last swap of any receiver, once there was none for half a second."""
        before = None
        while (found := self.all_swaps(begin_ns)) != before:
            before = found
            time.sleep(0.5)
        return max(map(max, found))

    def ms_until_picture(self, action, without=()):
        """Runs the action. Returns its result, and the time until a picture is on all tiles."""
        self.watch()
        begin_ns = self.now_ns()
        result = action()
        return result, (max(map(min, self.all_swaps(begin_ns, without))) - begin_ns) / 1e6


# --- the wall -------------------------------------------------------------------------------------


def get(port):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False


def painted_at(log):
    """When a receiver painted its tile, in seconds since 1970; None: not yet."""
    for line in log.read_text().splitlines():
        if line.startswith("{") and line.endswith("}") and "the tiles are painted" in line:
            return datetime.datetime.fromisoformat(json.loads(line)["time"]).timestamp()
    return None


def up_once(folder, tile):
    """Starts and stops a wall with an empty state, as on a machine that had one before. Returns the times until `vitrail up` returned, the page answered,
    and the last tile was painted."""
    page_port = free_port()
    for log in folder.glob("**/node*.log"):
        log.unlink()
    env = {**os.environ, "VITRAIL_MANAGER": f"127.0.0.1:{free_port()}", "HOME": str(folder), "XDG_STATE_HOME": str(folder),
           "NO_COLOR": "1", "VITRAIL_LOG_FORMAT": "json"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "VITRAIL_KEY", "VITRAIL_KEY_FILE"):
        env.pop(name, None)
    wall = folder / "wall.json"
    wall.write_text(json.dumps({"name": "start", "grid": {"columns": 2, "rows": 2, "resolution": tile}}))
    began_s, began = time.time(), time.monotonic()
    up = subprocess.Popen([BIN / "vitrail", "up", "--fresh", wall, "--", "--page", f"127.0.0.1:{page_port}"], env=env,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not get(page_port):
            if up.poll():
                sys.exit("bench: vitrail up failed")
            time.sleep(0.002)
        page_ms = (time.monotonic() - began) * 1e3
        if up.wait():
            sys.exit("bench: vitrail up failed")
        up_ms = (time.monotonic() - began) * 1e3

        def painted():
            times = [painted_at(log) for log in folder.glob("**/node*.log")]
            return times if len(times) == 4 and all(times) else None
        dark_ms = (max(eventually(painted, "all tiles are painted")) - began_s) * 1e3
        return {"up_returned": up_ms, "up_page": page_ms, "up_dark": dark_ms}
    finally:
        run("vitrail", "down", env=env)


def up(runs, tile):
    """The first run is not counted: the machine has not had a wall before."""
    with tempfile.TemporaryDirectory(prefix="vitrail-start-") as folder:
        times = [up_once(pathlib.Path(folder), tile) for _ in range(runs + 1)]
    return {name: [one[name] for one in times[1:]] for name in times[0]}


# --- pictures -------------------------------------------------------------------------------------


def play(wall, name, media, runs):
    """The first run is not counted: it fills the disk cache."""
    returned_ms, picture_ms = [], []
    for _ in range(runs + 1):
        (_, took_ms), until_ms = wall.ms_until_picture(lambda: wall.opened("play", "--place", wall.place, media))
        returned_ms.append(took_ms)
        picture_ms.append(until_ms)
        wall.close_all()
    return {f"{name}_returned": returned_ms[1:], name: picture_ms[1:]}


def replace(wall, media, runs):
    window, _ = wall.opened("play", "--loop", "--place", wall.place, media.film)
    picture_ms = []
    for turn in range(runs + 1):
        streams = [one["stream"] for one in wall.state()["windows"]]
        eventually(lambda window=window: wall.shown(window) > 0, "the window shows pictures")
        film = (media.other, media.film)[turn % 2]
        (window, _), took_ms = wall.ms_until_picture(
            lambda window=window, film=film: wall.opened("replace", "--loop", window, film), streams)
        picture_ms.append(took_ms)
    wall.close_all()
    return {"replace": picture_ms[1:]}


def seek(wall, media, runs):
    """Seeks of a film that is paused, so that each picture is the answer to a seek."""
    window, _ = wall.opened("play", "--loop", "--place", wall.place, media.film)
    wall.call("control", window=window, action="pause")
    eventually(lambda: wall.window(window).get("playback", {}).get("paused"), "the film is paused")
    chance = random.Random(1)
    picture_ms, held_ms = [], []

    def to(position_s):
        wall.call("control", window=window, action="seek", value=position_s)

    def there(position_s):
        eventually(lambda: abs(wall.window(window)["playback"]["position_s"] - position_s) < 1.5 / RATE, "the film is there")
    for _ in range(runs + 1):
        position_s = chance.randrange(8 * RATE) / RATE
        there_before = wall.window(window)["playback"]["position_s"]
        if abs(there_before - position_s) < 1:
            position_s = (position_s + 4) % 8
        _, took_ms = wall.ms_until_picture(lambda position_s=position_s: to(position_s))
        picture_ms.append(took_ms)
        there(position_s)
    for _ in range(max(1, runs // 3)):
        wall.watch()
        for step in range(HELD_KEYS):
            time.sleep(1 / 30)
            begin_ns = wall.now_ns()
            to(step * 8 / HELD_KEYS)
        held_ms.append((wall.last_swap(begin_ns) - begin_ns) / 1e6)
    wall.close_all()
    return {"seek": picture_ms[1:], "seek_held": held_ms}


@contextlib.contextmanager
def film_server(wall, folder):
    """A server of the films in a folder. Yields its ports for HTTP, behind a slow network, and RTSP."""
    ports = [wall.folder / name for name in ("http", "slow", "rtsp")]

    def port(file, process):
        eventually(lambda: file.exists() and file.read_text().strip() or process.poll() is not None, "a server listens")
        return file.read_text().strip()
    server = wall.start("vitrail-server", "--films", folder, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
                        "--http-port-file", ports[0], "--rtsp", "127.0.0.1:0", "--rtsp-port-file", ports[2])
    relay = wall.start("vitrail", "impair", "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{port(ports[0], server)}",
                       "--delay", "10ms", "--port-file", ports[1])
    yield port(ports[1], relay), port(ports[2], server)
    wall.end(relay)
    wall.end(server)


def measure(options):
    shrink = 6 if options.quick else 1
    runs = 1 if options.quick else options.runs
    tile = [1920 // shrink, 1080 // shrink]
    with tempfile.TemporaryDirectory(prefix="vitrail-start-") as folder:
        media = Media(pathlib.Path(folder), shrink)
        times = up(runs, tile)
        with PicturedWall(tile) as wall:
            for name, what in (("play_1080p", media.film), ("play_4k", media.large), ("still_24mpixel", media.still),
                               ("pyramid", media.pyramid)):
                times.update(play(wall, name, what, runs))
            times.update(replace(wall, media, runs))
            times.update(seek(wall, media, runs))
            with film_server(wall, folder) as (http_port, rtsp_port):
                times.update(play(wall, "play_http_20ms", f"http://127.0.0.1:{http_port}/{media.film.name}", runs))
                times.update(play(wall, "play_rtsp", f"rtsp://127.0.0.1:{rtsp_port}/{media.film.name}", runs))
        return times


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench start", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="measurements of each figure (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="once, with small tiles, films and pictures: does it work?")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to this file, too")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be positive")
    figures = {}
    print(f"  {'ms':<24} {'p50':>8} {'p95':>8} {'goal':>8}")
    for name, times in measure(options).items():
        p50, p95 = statistics.median(times), percentile(times, 0.95)
        figures.update({f"{name}_ms_p50": round(p50, 1), f"{name}_ms_p95": round(p95, 1)})
        print(f"  {name:<24} {p50:>8.1f} {p95:>8.1f} {GOALS_MS.get(name, ''):>8}")
    if options.json:
        options.json.write_text(json.dumps(figures) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
