"""scripts/bench storage --engine: films read side by side from storage engines behind links of 1 Gbit/s."""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from paper_part import BIN, tell, write_film  # noqa: E402
from ceph import CephFs, ImpatientCephFs, Rgw  # noqa: E402
from disk_servers import DiskServers  # noqa: E402
from glusterfs import GlusterFs, ImpatientGlusterFs  # noqa: E402
from rig import Failed, Rig  # noqa: E402
from seaweedfs import MountedSeaweedFs, SeaweedFs  # noqa: E402
from single import Http, Local, Nfs  # noqa: E402
from vitrail_lab.mistake import Mistake  # noqa: E402

ENGINES = {engine.name: engine for engine in (Local, Http, Nfs, DiskServers, GlusterFs, ImpatientGlusterFs, CephFs, ImpatientCephFs, Rgw, SeaweedFs,
                                              MountedSeaweedFs)}
EXIT_FAILED, EXIT_INTERRUPTED = 1, 130
BEFORE_S, AFTER_S = 3, 7  # of the film that is read while a server fails
NOTES = """One film is read as fast as it comes, then 20 at once; then seeks are made. Then a film is read at --mb-per-s while one server's cable is
pulled, and again while all processes of one server are killed: the gap is the longest time that the player waits for bytes, and the film goes on or
not. CPU is the time of servers and reader for the 20 films. The gateway (metadata, S3) and the servers one, two and three are network namespaces and may each send 1 Gbit/s; the reader's link is not
limited. Films are in the servers' memory, mounts are made again for each measurement. Needs root. Exit code 1: an engine failed, or the only
engine that was named is not installed."""


def parse(words):
    parser = argparse.ArgumentParser(prog="scripts/bench storage", description="Compares storage engines as films are read from them.", epilog=NOTES)
    parser.add_argument("--engine", action="append", required=True, choices=["all", *ENGINES], help="storage to measure; repeatable")
    parser.add_argument("--seconds", type=float, default=4, help="longest time for each throughput (default: 4)")
    parser.add_argument("--film-mb", type=int, default=256, help="size of the large film; the others have an eighth (default: 256)")
    parser.add_argument("--films", type=int, default=20, help="films to read at once (default: 20)")
    parser.add_argument("--seeks", type=int, default=100, help="seeks in the large film (default: 100)")
    parser.add_argument("--mb-per-s", type=float, default=20, help="rate of the film while a server fails (default: 20)")
    parser.add_argument("--patience", type=float, default=100, help="seconds until a film that waits is given up (default: 100)")
    parser.add_argument("--json", help="write the figures to this file, too")
    options = parser.parse_args(words)
    if options.film_mb < 8 or not 1 <= options.films <= 100 or options.seeks < 1 or min(options.seconds, options.mb_per_s, options.patience) <= 0:
        parser.error("--film-mb is at least 8, --films 1 to 100, the other numbers are above 0")
    if options.film_mb < options.mb_per_s * (BEFORE_S + AFTER_S):
        parser.error(f"the film must last {BEFORE_S + AFTER_S} s: --film-mb is at least {BEFORE_S + AFTER_S} times --mb-per-s")
    return options


class Reader:
    """Runs film_reader on the rig's reader."""

    def __init__(self, rig, engine, options):
        self.rig, self.engine, self.options = rig, engine, options

    def command(self, films, *words):
        return [*self.rig.words("reader"), BIN / "film_reader", *map(str, words), *(str(self.engine.url_of(film)) for film in films)]

    def read(self, films, *words, fail=None):
        """Returns what film_reader reports; fail: called while it reads. None: it waits for too long."""
        self.engine.begin_reading()
        mistake = "reading ended before"

        def fail_now():
            nonlocal mistake
            try:
                fail()
                mistake = ""
            except (Mistake, OSError) as found:
                mistake = found

        cpu_s = self.rig.cpu_s()
        with subprocess.Popen(self.command(films, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **self.engine.env}) as process:
            timer = threading.Timer(BEFORE_S, fail_now) if fail else None
            try:
                if timer:
                    timer.start()
                out, err = process.communicate(timeout=BEFORE_S + AFTER_S + self.options.seconds + self.options.patience)
            except subprocess.TimeoutExpired:
                out = None
            finally:
                if timer:
                    timer.cancel()
                    timer.join()
                process.kill()
                process.wait()
                cpu_s = self.rig.cpu_s() - cpu_s
                self.engine.end_reading()
        if out is not None and process.returncode != 0:
            raise Failed(f"film_reader: {err.strip()[-300:]}")
        if fail and mistake:
            raise Failed(f"the server has not failed: {mistake}")
        if out is None:
            return None
        return {**json.loads(out), "cpu_s": cpu_s}

    def throughput(self, films):
        reported = self.read(films, "--seconds", self.options.seconds)
        for film in (reported or {"films": [{"error": "waits for too long"}]})["films"]:
            if "error" in film:
                raise Failed(f"reading {len(films)} films: {film['error']}")
        return reported

    def failure(self, fail):
        """What a viewer sees of a failing server."""
        reported = self.read(["film00.mov"], "--seconds", BEFORE_S + AFTER_S, "--mb-per-s", self.options.mb_per_s, fail=fail)
        if reported is None:
            return {"goes_on": False, "error": f"still waits after {self.options.patience:.0f} s"}
        film = reported["films"][0]
        return {"goes_on": "error" not in film, "gap_s": film["longest_wait_s"], **({"error": film["error"]} if "error" in film else {})}


def measure(engine_class, options, films, folder):
    rig = Rig(folder)
    engine = engine_class(rig, films)
    try:
        tell(f"{engine.name}: starts, and stores {options.films + 1} films")
        engine.start()
        rig.limit()
        reader = Reader(rig, engine, options)
        tell(f"{engine.name}: reads")
        many = [f"film{number:02}.mov" for number in range(1, options.films + 1)]
        figures = {"title": engine.title, "one_mb_per_s": reader.throughput(["film00.mov"])["mb_per_s"]}
        together = reader.throughput(many)
        figures["many_mb_per_s"] = together["mb_per_s"]
        figures["least_of_many_mb_per_s"] = min(film["mb_per_s"] for film in together["films"])
        figures["cpu_s_per_gb"] = together["cpu_s"] / sum(film["mb"] for film in together["films"]) * 1000
        figures["seek_ms"] = (reader.read(["film00.mov"], "--seeks", options.seeks) or {}).get("seek_ms")
        if engine.victim:
            tell(f"{engine.name}: a server is cut off")
            figures["cut_off"] = reader.failure(lambda: rig.cut(engine.victim))
            rig.cut(engine.victim, up=True)
            rig.wait(engine.is_whole, "the servers have found each other again")
            tell(f"{engine.name}: a server is killed")
            figures["killed"] = reader.failure(lambda: rig.kill(engine.victim))
        figures["load"] = os.getloadavg()[0]
        return figures
    finally:
        rig.end()
        engine.end()


def failure_text(failure):
    if failure is None:
        return "–"
    if "gap_s" not in failure:
        return failure["error"]
    return f"{failure['gap_s']:.2f} s" if failure["goes_on"] else f"ends after {failure['gap_s']:.0f} s"


def row(figures):
    seek = figures["seek_ms"] or {"p50": float("nan"), "p95": float("nan")}
    cells = [figures["title"], *(f"{figures[name]:.0f}" for name in ("one_mb_per_s", "many_mb_per_s")), f"{figures['least_of_many_mb_per_s']:.1f}", f"{figures['cpu_s_per_gb']:.1f}",
             f"{seek['p50']:.0f} / {seek['p95']:.0f}", failure_text(figures.get("cut_off")), failure_text(figures.get("killed")), f"{figures['load']:.1f}"]
    return f"| {' | '.join(cells)} |"


def write_films(options, folder):
    write_film(folder, options.film_mb, "film00.mov")
    for number in range(1, options.films + 1):
        write_film(folder, options.film_mb // 8, f"film{number:02}.mov")


def measure_all(names, options, reported):
    """Adds to `reported` by engine. Returns the exit code."""
    code = 0
    for name in names:
        reason = ENGINES[name].why_not()
        if reason:
            print(f"{name} is left out: {reason}", file=sys.stderr)
            reported[name] = {"left_out": reason}
            code = code if len(names) > 1 else EXIT_FAILED
            continue
        with tempfile.TemporaryDirectory(prefix="vitrail-storage-", ignore_cleanup_errors=True) as folder:
            os.chmod(folder, 0o755)
            films = pathlib.Path(folder) / "films"
            films.mkdir()
            write_films(options, films)
            try:
                reported[name] = measure(ENGINES[name], options, films, folder)
                print(row(reported[name]), flush=True)
            except (Failed, Mistake, OSError, RuntimeError, subprocess.TimeoutExpired) as failed:
                print(f"{name} failed: {failed}", file=sys.stderr)
                reported[name] = {"failed": str(failed)}
                code = EXIT_FAILED
    return code


def main(words):
    options = parse(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_INTERRUPTED))
    if os.geteuid() != 0:
        print("bench: network namespaces need root", file=sys.stderr)
        return EXIT_FAILED
    names = list(ENGINES) if "all" in options.engine else list(dict.fromkeys(options.engine))
    titles = ("engine", "one film, MB/s", f"{options.films} at once", "the slowest of them", "CPU, s a GB", "seek, ms, p50 / p95",
              "gap when a server is cut off", "… is killed", "load")
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}", flush=True)
    reported = {}
    try:
        return measure_all(names, options, reported)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    finally:
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(reported, indent=2) + "\n")
