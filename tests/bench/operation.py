#!/usr/bin/env python3
"""Operation of a wall: how fast scenes, events and the HTTP API are, and whether the wall is as before afterwards.

A wall of 2x2 small tiles shows still pictures in windows. A program takes pictures of the whole wall all the time, so
that each change is seen with its time, and a picture that is half old and half new is counted. Only still pictures are
on the wall; so equal pictures have equal pixels. One film plays behind the stills: its position is compared with the
clock. At most ten pictures a second are taken: times until something is seen are up to 100 ms too long.

Players, receivers and the clients of the API share the processors with the manager: `api_manager_cpu_pct` is the time of
the manager's process, and the times of answers include waiting for the clients of this program.

Then a tour through many stills in 3x3 cells: pictures with black pixels are counted. A ticker across the wall: pictures
in which tiles show different frames are counted. Last the page in a browser (tests/page/bench).
"""

import argparse
import hashlib
import json
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import threading
import time

from operated_wall import GAP, STILL, Eyes, OperatedWall, percentile
from operation_shows import page, ticker, tour

from harness import Control, eventually


GOALS = {"scene_shown_ms_p95": "≤ 250", "scene_mixed": "0", "event_picture_ms_p95": "≤ 300", "api_verbs_per_s": "2000",
         "api_manager_cpu_pct": "≤ 30", "api_ms_p95": "≤ 5", "api_failed": "0", "journal_changes_per_s": "1000", "journal_lost": "0",
         "journal_month_first_ms": "≤ 200", "journal_month_ms_p95": "≤ 200", "journal_month_window_ms_p95": "≤ 200", "journal_year_gb": "< 1",
         "tour_black": "0", "tour_windows_max": "≤ 18", "ticker_steps_per_s": "60", "ticker_mixed": "0",
         "remote_paint_ms_p95": "≤ 200", "remote_paint_slow_ms_p95": "≤ 200", "drag_frame_ms_max": "≤ 50", "drag_frames_over_50_ms": "0"}
ZERO = ("scene_mixed", "api_failed", "journal_lost", "tour_black", "ticker_mixed")


def wait_for(eyes, begin, wanted):
    """The first picture after number `begin` that has this hash."""
    return eventually(lambda: next((picture for picture in eyes.pictures[begin:] if picture["hash"] == wanted), None),
                      "the wall shows what was asked for")


def scenes(wall, eyes, windows, places, options):
    """Two scenes have the same windows in another order: all of them move in each switch."""
    moved = places[:]
    random.Random(1).shuffle(moved)
    known = {}
    for name, order in (("two", moved), ("one", places)):
        wall.arrange(windows, order)
        wall.call("session_save", name=name)
        known[name] = eyes.settled()
    shown_ms, mixed = [], 0
    for turn in range(options.scenes):
        name = ("two", "one")[turn % 2]
        begin, began_ns = len(eyes.pictures), wall.now_ns()
        wall.post("scene_show", name=name)
        shown_ms.append((wait_for(eyes, begin, known[name])["taken_ns"] - began_ns) / 1e6)
        eyes.settled()
        mixed += sum(picture["hash"] not in known.values() for picture in eyes.pictures[begin:])
    if options.scenes % 2:
        wall.call("scene_show", name="one")
        eyes.settled()
    return {"scene_windows": len(windows), "scene_shown_ms_p50": statistics.median(shown_ms),
            "scene_shown_ms_p95": percentile(shown_ms, 0.95), "scene_mixed": mixed}


def prepare_events(wall, windows, places, count):
    """Saves a scene for each of `count` events, with one window enlarged, and sets the rules. The wall is as before."""
    rules = []
    for i in range(count):
        camera = windows[i + 1]  # the first window covers the film
        wall.call("place", windows=[{"window": camera, "rect": [40 + 20 * i, 30 + 10 * i, 480, 270]}])
        wall.call("raise", window=camera)
        wall.call("session_save", name=f"alarm{i}")
        wall.call("undo")
        wall.call("undo")
        rules.append({"event": f"event{i}", "scene": f"alarm{i}", "priority": i // 2})
    wall.call("event_rules", rules=rules)


def events(wall, eyes, windows, places, options):
    prepare_events(wall, windows, places, 4)
    before = eyes.settled()
    picture_ms = []
    for turn in range(options.events):
        name = f"event{turn % 4}"
        begin, began_ns = len(eyes.pictures), wall.now_ns()
        wall.post("event_start", name=name)
        changed = eventually(lambda begin=begin: next((one for one in eyes.pictures[begin:] if one["hash"] != before), None),
                             "the event's camera is on the wall")
        picture_ms.append((changed["taken_ns"] - began_ns) / 1e6)
        wall.post("event_clear", name=name)
        wait_for(eyes, begin + 1, before)
        eyes.settled()
    return {"event_picture_ms_p50": statistics.median(picture_ms), "event_picture_ms_p95": percentile(picture_ms, 0.95),
            **overlaps(wall, eyes, before, options)}


def overlaps(wall, eyes, before, options):
    """Events that overlap at random and end in another order: the wall has the same pixels afterwards, and the film has
    played on."""
    chance = random.Random(2)
    restored = 0
    start = film_position(wall)
    for _ in range(options.overlaps):
        begun = []
        for name in chance.sample([f"event{i}" for i in range(4)], chance.randint(2, 4)):
            wall.post("event_start", name=name)
            begun.append(name)
            if len(begun) > 1 and chance.random() < 0.3:
                wall.post("event_clear", name=begun.pop(chance.randrange(len(begun))))
            if chance.random() < 0.5:
                eyes.settled()
        chance.shuffle(begun)
        for name in begun:
            wall.post("event_clear", name=name)
        eventually(lambda: "events" not in wall.state(), "all events are over")
        eyes.settled()
        restored += eyes.settled() == before
    end = film_position(wall)
    return {"overlaps": options.overlaps, "overlaps_restored": restored,
            "film_drift_ms": 1e3 * abs((end[0] - start[0]) - (end[1] - start[1]))}


def film_position(wall):
    """The film's position and the time at which the player was there, in seconds: as the player tells them at a pause."""
    wall.call("control", window=wall.film, action="pause")
    state = eventually(lambda: (playback := wall.window(wall.film)["playback"])["paused"] and playback, "the film is paused")
    wall.call("control", window=wall.film, action="resume")
    resumed = eventually(lambda: not (playback := wall.window(wall.film)["playback"])["paused"] and playback, "the film goes on")
    return state["position_s"], resumed["at_ns"] / 1e9


class Requests:
    """A connection that sends one request after another, at fixed times; the time of each answer counts from its due time."""

    def __init__(self, port, window, per_s, seconds):
        self.took_ms, self.failed = [], 0
        self.port, self.window, self.per_s, self.seconds = port, window, per_s, seconds
        self.thread = threading.Thread(target=self._run)

    def _run(self):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            answers = connection.makefile("rb")
            begin = time.monotonic()
            for i in range(int(self.per_s * self.seconds)):
                due = begin + i / self.per_s
                if (early := due - time.monotonic()) > 0:
                    time.sleep(early)
                body = json.dumps({"window": self.window, "x": i % 200, "y": 0}).encode()
                connection.sendall(b"POST /api/move HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n\r\n%s" %
                                   (self.port, len(body), body))
                status = answers.readline().split()[1]
                length = 0
                while (line := answers.readline()) not in (b"\r\n", b""):
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                answers.read(length)
                self.took_ms.append((time.monotonic() - due) * 1e3)
                self.failed += status != b"200"


def api(wall, windows, options):
    """Changes over HTTP by four clients, at a fixed rate."""
    clients = [Requests(wall.page_port, windows[i], options.verbs / 4, options.seconds) for i in range(4)]
    cpu_s, began = wall.manager_cpu_s(), time.monotonic()
    for client in clients:
        client.thread.start()
    for client in clients:
        client.thread.join()
    took_s = time.monotonic() - began
    took_ms = [one for client in clients for one in client.took_ms]
    return {"api_verbs_per_s": len(took_ms) / took_s, "api_manager_cpu_pct": 100 * (wall.manager_cpu_s() - cpu_s) / took_s,
            "api_ms_p50": statistics.median(took_ms), "api_ms_p95": percentile(took_ms, 0.95),
            "api_failed": sum(client.failed for client in clients)}


def journal(wall, windows, options):
    """Changes at a fixed rate until the manager is killed: what was answered 100 ms before is in the journal."""
    first = wall.call("journal", person="test", count=1)["entries"][0]["n"]
    answered = []
    begin = time.monotonic()
    for i in range(int(options.changes * options.journal_seconds)):
        if (early := begin + i / options.changes - time.monotonic()) > 0:
            time.sleep(early)
        wall.call("move", window=windows[i % len(windows)], x=i % 200, y=i % 100)
        answered.append(time.monotonic())
    wall.manager.kill()
    killed = time.monotonic()
    wall.manager.wait()
    rate = len(answered) / (killed - begin)
    expected = sum(one < killed - 0.1 for one in answered)
    wall.control.close()
    kept = add_month(next(wall.folder.glob("**/journal")), options.month)
    wall.manager = wall.start_manager()
    wall.control = Control(wall.port)
    eventually(lambda: set(windows) <= {window["window"] for window in wall.state()["windows"]}, "all players are back")
    newest_ms = []
    for _ in range(20):
        began = time.monotonic()
        wall.call("journal", count=200)
        newest_ms.append((time.monotonic() - began) * 1e3)
    since = int(time.time()) - 31 * 86400
    first_ms = search(wall, options.month // RARE, verb="lock", since=since)  # reads all files
    month_ms = [search(wall, options.month // RARE, verb="lock", since=since) for _ in range(20)]
    window_ms = [search(wall, 0, window=99, since=since) for _ in range(20)]
    return {"journal_changes_per_s": rate, "journal_lost": max(0, expected - (kept - first)),
            "journal_newest_ms_p95": percentile(newest_ms, 0.95), "journal_month_entries": options.month,
            "journal_month_first_ms": first_ms, "journal_month_ms_p95": percentile(month_ms, 0.95),
            "journal_month_window_ms_p95": percentile(window_ms, 0.95), "journal_year_gb": year_gb(next(wall.folder.glob("**/journal")))}


YEAR = 260 * 8 * 3600  # one change a second in office hours


def year_gb(folder):
    """How much the journal of a year has on disk, from the files that the manager has compressed and those that it has not;
    0: none is compressed, because the month is too short."""
    def entries(suffix):
        numbers = sorted(int(file.name.partition(".")[0]) for file in folder.glob("*.jsonl*"))
        files = [file for file in folder.glob("*" + suffix) if int(file.name.partition(".")[0]) != numbers[-1]]
        count = sum(numbers[numbers.index(int(file.name.partition(".")[0])) + 1] - int(file.name.partition(".")[0]) for file in files)
        return count, sum(file.stat().st_size for file in files)
    plain, plain_bytes = entries(".jsonl")
    compressed, compressed_bytes = entries(".zst")
    return (plain_bytes + (YEAR - plain) * compressed_bytes / compressed) / 1e9 if compressed else 0


def search(wall, wanted, **query):
    """Reads all pages of the journal's entries that match; returns how long that takes."""
    began = time.monotonic()
    page = wall.call("journal", **query)
    found = len(page["entries"])
    while "next" in page:
        page = wall.call("journal", **query, before=page["next"])
        found += len(page["entries"])
    if found != wanted:
        sys.exit(f"bench: the journal has {wanted} entries of {query} and returned {found}")
    return (time.monotonic() - began) * 1e3


RARE = 10_000  # one of 10,000 entries is searched for


def add_month(folder, count):
    """Continues the journal by the entries of a month, in files as the manager writes them. Returns the number of the last
    entry before them."""
    lines = max(folder.glob("*.jsonl")).read_bytes()
    last = lines[:lines.rfind(b"\n")].rpartition(b"\n")[2]
    kept = number = json.loads(last)["n"]
    pieces, size, now_s, place = [], 0, time.time(), [0, 0]
    for i in range(count):
        number += 1
        window, before, place = number % 40 + 1, place, [random.randrange(3000), random.randrange(2000)]
        entry = {"at": round(now_s - count + i, 3), "n": number, "changed": {str(window): {"rect": [[*before, 480, 270], [*place, 480, 270]]}},
                 "from": "127.0.0.1", "params": {"window": window, "x": place[0], "y": place[1]}, "role": "operator",
                 "verb": "lock" if i % RARE == RARE - 1 else "move", "who": f"console {i % 5}", "did": f"Moved 'Camera {window}'",
                 "prev": hashlib.sha256(last).hexdigest()}
        last = json.dumps(entry, separators=(",", ":")).encode()
        pieces.append(last)
        size += len(last) + 1
        if size > 16 << 20 or i == count - 1:
            (folder / f"{number - len(pieces) + 1:012}.jsonl").write_bytes(b"\n".join(pieces) + b"\n")
            pieces, size = [], 0
    return kept


def switches(options):
    """Scenes, events, the API and the journal, on one wall."""
    with OperatedWall() as wall:
        film = wall.folder / "film.mp4"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25", "-t", "600", film], check=True)
        wall.film = wall.call("play", media=[str(film)], place=[GAP, GAP, *STILL])["window"]
        windows, places = wall.open_stills(options.windows)
        for window in windows:
            eventually(lambda window=window: wall.shown(window) > 0, f"window {window} shows its picture")
        with Eyes(wall.port) as eyes:
            figures = {**scenes(wall, eyes, windows, places, options), **events(wall, eyes, windows, places, options)}
        figures.update({**api(wall, windows, options), **journal(wall, windows, options)})
    return figures


PARTS = {"switches": switches, "tour": tour, "ticker": ticker, "page": page}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench operation", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind, default, text in (("--windows", int, 40, "windows of each scene, at most 56"), ("--scenes", int, 20, "switches between scenes"),
                                      ("--events", int, 40, "events, one after another"), ("--overlaps", int, 100, "groups of events that overlap"),
                                      ("--verbs", float, 2000, "verbs a second over HTTP"), ("--seconds", float, 10, "how long verbs are sent"),
                                      ("--changes", float, 1000, "changes a second for the journal"),
                                      ("--journal-seconds", float, 60, "how long until the manager is killed"),
                                      ("--month", int, 720_000, "entries of the journal that a query reads"),
                                      ("--sources", int, 100, "of the tour"), ("--turns", int, 500, "of the tour"),
                                      ("--ticker-seconds", float, 30, "how long the ticker is watched"),
                                      ("--page-windows", int, 200, "on the wall while one is dragged in the page"),
                                      ("--paints", int, 40, "first paints of the page and of the remote"),
                                      ("--drag-seconds", float, 10, "how long the window is dragged")):
        parser.add_argument(name, type=kind, default=default, metavar="N", help=f"{text} (%(default)s)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what is measured (all)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to this file, too")
    options = parser.parse_args()
    if not 5 <= options.windows <= 56:
        parser.error("--windows must be 5 to 56")
    measured = {}
    for part in options.parts:
        measured.update(PARTS[part](options))
    figures = {name: round(value, 2) for name, value in measured.items()}
    for name, value in figures.items():
        print(f"  {name:<30} {value:>12}  {GOALS.get(name, '')}".rstrip())
    if options.json:
        options.json.write_text(json.dumps(figures) + "\n")
    none = all(figures.get(name, 0) == 0 for name in ZERO)
    return 0 if none and figures.get("overlaps_restored") == figures.get("overlaps") else 1


if __name__ == "__main__":
    sys.exit(main())
