"""The part of scripts/bench papers about GlusterFS, from which the CineGrid report read: a real cluster in namespaces."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from paper_part import BIN, ROOT, Missing, Part, block_seconds, repeats, size_text, spread, tell, write_film

sys.path[:0] = [str(ROOT / "tests/e2e"), str(ROOT / "sail/bindings/python"), str(ROOT / "ui/lab")]

import gluster as servers  # noqa: E402
from harness import eventually  # noqa: E402
from vitrail_lab.mistake import Mistake  # noqa: E402
from vitrail_lab.spaces import Spaces  # noqa: E402

FILM_MB = 384  # more than is read for one measurement, because the kernel caches what was read
NODES = ("one", "two", "three")
SHARDS = (("features.shard", "on"), ("features.shard-block-size", "4MB"))
# Name → number of bricks, volume type, settings; and the report's MB/s: behind 1 Gbit/s, and behind 10 Gbit/s with read-ahead.
VOLUMES = {
    "1 brick": (1, (), (), "54–56", "80–96"),
    "2, distribute": (2, (), (), "", ""),
    "3, distribute": (3, (), (), "", ""),
    "2, shard": (2, (), SHARDS, "55", "103–123"),
    "3, shard": (3, (), SHARDS, "103–105", "259–323"),
    "3, disperse 2+1": (3, ("disperse", "3", "redundancy", "1"), (), "103–105", "259–323"),
}
QUICK = ("1 brick", "3, shard", "3, disperse 2+1")
AHEAD_OFF, AHEAD_ON = (("performance.read-ahead", on) for on in ("off", "on"))
# Reader-ahead, blocks in flight → the kernel's read-ahead in KB, and the settings.
WAYS = {("the kernel 128 KB", 1): (128, AHEAD_OFF), ("the kernel 4 MB", 1): (4096, AHEAD_OFF), ("GlusterFS", 1): (128, AHEAD_ON),
        ("we do", 16): (128, AHEAD_OFF)}
# A new mount for each measurement, so that no part of the film is cached.
MOUNTED = """glusterfs --log-file=/dev/null --volfile-server="$1" --volfile-id="$2" "$3" || exit
mount=$3; echo "$4" > "/sys/class/bdi/$(mountpoint -d "$mount")/read_ahead_kb"; shift 4
"$@"; code=$?; umount "$mount"; exit $code"""


class Cluster:
    """Three nodes with links of 1 Gbit/s, and a reader, in network namespaces."""

    def __init__(self, folder):
        self.mount = pathlib.Path(folder) / "mount"
        self.mount.mkdir()
        self.spaces = Spaces([*NODES, "reader"])
        addresses = {self.spaces.addresses[name]: self.spaces.words(name) for name in NODES}
        self.server = next(iter(addresses))
        try:
            self.gluster = servers.Gluster(folder, addresses)
        except BaseException:
            self.spaces.end()
            raise

    def begin(self):
        eventually(self.gluster.is_up, "the nodes' glusterds answer")
        self.gluster.join()
        eventually(self.gluster.is_joined, "the nodes are one pool")
        for name in NODES:
            self.spaces.limit(name, {"rate": "1gbit"})

    def run(self, volume, ahead_kb, *command):
        """Runs a command with the volume mounted. Returns its output."""
        done = subprocess.run([*self.spaces.words("reader"), "sh", "-c", MOUNTED, "sh", self.server, volume, self.mount, str(ahead_kb), *command],
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise Missing(f"{volume}: {' '.join(map(str, command))}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def end(self):
        self.gluster.end()
        self.spaces.end()


def gluster(options):
    part = Part(
        "GlusterFS", "How fast are films read from one to three bricks: distribute, shard, disperse, with read-ahead and without?",
        f"A file of {FILM_MB // options.shrink} MB that is in the bricks' page caches. Each brick is on a node of its own, a network namespace "
        "with a glusterd, what it sends limited to 1 Gbit/s by tbf; the reader is in another one, takes as much as comes, and has mounted the volume "
        "(by FUSE, anew for each figure). One block under way, with the kernel's read-ahead as it is and as we advise, and with GlusterFS's own; and sixteen "
        "under way, as our players read. Shards are of 4 MB.",
        "The CineGrid report (Amsterdam, 2008), GlusterFS of that time: behind 1 Gbit/s one server 54 to 56 MB/s, two 55, three 103 to 105 (the reader's link "
        "was full); behind 10 Gbit/s with read-ahead 80 to 96, 103 to 123, 259 to 323. It striped files, which is gone since 2019: shards and disperse "
        "are what came after it. Of these, only that each brick has 125 MB/s at most is the same; the reader's own link is not limited here.")
    part.left_out = servers.why_not()
    if part.left_out:
        return part
    names = tuple(VOLUMES) if not options.quick else QUICK if options.shrink == 1 else QUICK[-1:]
    sizes = [1 << power for power in ((16, 20, 24) if options.quick else range(12, 25, 2))]
    part.commands.append("vitrail --json iobench --block BYTES --depth NUMBER --seconds 0.5 MOUNT/film (for each figure, in tests/bench/paper_gluster.py)")
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            cluster = Cluster(folder)
            try:
                cluster.begin()
                reported = read_all(cluster, names, sizes, write_film(folder, FILM_MB // options.shrink), block_seconds(options), repeats(options))
            finally:
                cluster.end()
    except Mistake as mistake:
        raise Missing(str(mistake)) from None
    tell_all(part, names, sizes, reported)
    return part


def read_all(cluster, names, sizes, film, seconds, times):
    """Returns MB/s (median, minimum, maximum) by volume, reader-ahead and block size."""
    reported = {}
    for number, name in enumerate(names):
        bricks, kind, settings, *_ = VOLUMES[name]
        volume = f"v{number}"
        cluster.gluster.make_volume(volume, bricks, kind, settings)
        cluster.run(volume, 128, "cp", film, cluster.mount / "film")
        for (ahead, depth), (ahead_kb, setting) in WAYS.items():
            tell(f"GlusterFS, {name}, {depth} under way, who reads ahead: {ahead}")
            cluster.gluster.tell("volume", "set", volume, *setting)
            for size in sizes:
                words = [BIN / "vitrail", "--json", "iobench", "--block", str(size), "--depth", str(depth), "--seconds", str(seconds),
                         cluster.mount / "film"]
                texts = [cluster.run(volume, ahead_kb, *words) for _ in range(times)]
                reported[name, ahead, size] = spread([json.loads(text)["sources"][0]["points"][0]["mb_per_s"] for text in texts])
        cluster.gluster.tell("volume", "stop", volume, "force")
    return reported


def tell_all(part, names, sizes, reported):
    part.tables.append(("MB/s by the size of blocks (medians), and the report's", [
        ("bricks", "who reads ahead", "under way", *map(size_text, sizes), "paper"),
        *((name, ahead, depth, *(reported[name, ahead, size][0] for size in sizes), VOLUMES[name][4 if ahead == "GlusterFS" else 3])
          for name in names for ahead, depth in WAYS)]))
    for ahead, depth in WAYS:
        part.plot(f"GlusterFS, {depth} under way, who reads ahead: {ahead}", "size of blocks", "MB/s",
                  [[name, [(size_text(size), *reported[name, ahead, size]) for size in sizes]] for name in names])
    mega = {key[:2]: median for key, (median, *_) in reported.items() if key[2] == 1 << 20}
    part.answer = ("MB/s by blocks of 1 MB, one at a time with the mount's defaults / 4 MB of kernel read-ahead / GlusterFS read-ahead, and as "
                   "players read: ") + "; ".join(
        f"{name}: {mega[name, 'the kernel 128 KB']:.0f} / {mega[name, 'the kernel 4 MB']:.0f} / {mega[name, 'GlusterFS']:.0f}, {mega[name, 'we do']:.0f}"
        for name in names if not name.startswith("2")) + ". Each brick delivers at most 125 MB/s."
