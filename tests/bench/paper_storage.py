"""Parts of scripts/bench papers on reading films: what the CineGrid report, CESNET, MuSA and the PowerWall measured."""

import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from paper_part import BIN, ROOT, Missing, Part, bench, block_seconds, read_cold, repeats, size_text, spread, tell, write_film

sys.path.append(str(ROOT / "tests/e2e"))

from ganesha import ganesha_command, why_not  # noqa: E402

BLOCKS = "4k..16m"
FILM_MB = 256
DISK_MB = 2048  # more than is read for one measurement
DEPTHS = (1, 16)
# Name in scripts/bench storage, label, and the papers' MB/s, near and far: as numbers or ranges.
LOADS = (("64_b", "64 B", "0.035", "0.001–0.09"), ("1_kb", "1 KB", "", "0.001–0.09"), ("64_kb", "64 KB", "8", ""), ("256_kb", "256 KB", "", "1.6"),
         ("512_kb", "512 KB", "10.4", "1.6"), ("1024_kb", "1 MB", "", "1.6"))
PAPER_LOADS = {"near": [("64 B", 0.035), ("64 KB", 8), ("512 KB", 10.4)], "far": [("1 KB", 0.09), ("256 KB", 1.6)]}
LINK_MB_PER_S = 125
NGINX = """worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/log;
events {{}}
http {{ access_log off; sendfile on; server {{ listen 8000; location / {{ root {root}; }} }} }}
"""


def curves_of(runs, label):
    """Returns a curve for each depth from several runs of `vitrail iobench --json`."""
    figures = {}
    for reported in runs:
        for point in reported["sources"][0]["points"]:
            figures.setdefault((point["depth"], point["block"]), []).append(point["mb_per_s"])
    return [curve(label, depth, [(block, values) for (one, block), values in sorted(figures.items()) if one == depth]) for depth in DEPTHS]


def curve(label, depth, points):
    """points: (size, values of all runs)."""
    return [f"{label}, {depth} under way", [(size_text(size), *spread(values)) for size, values in points]]


def level(label, value, curves):
    """A horizontal line."""
    return [label, [(x, value) for x, *_ in curves[0][1]]]


def blocks(options):
    part = Part(
        "Reading films by the size of blocks",
        "How fast are films read in blocks of 4 KB to 16 MB, from the local disk and from a server behind 1 Gbit/s?",
        f"A file of {FILM_MB // options.shrink} MB that is in the page cache, and one of {DISK_MB // options.shrink} MB on the disk of which this machine "
        "has nothing in memory (the host of a virtual machine may). The server is nginx in a network namespace of its own, what it "
        "sends limited to 1 Gbit/s by tbf; the reader is in another one, and `vitrail lab` starts both. One block and sixteen under way.",
        "The CineGrid report (Amsterdam, 2008) read by dd and iozone: a local RAID 86 to 91 MB/s, NFS 74, GlusterFS with one server 54 to 56, "
        "with three 103 to 105, all behind 1 Gbit/s. Only the link's limit, 125 MB/s, is the same today; disks are others.")
    seconds = block_seconds(options)
    curves = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        film = write_film(folder, FILM_MB // options.shrink)
        words = ["--json", "iobench", "--block", BLOCKS, "--depth", "1,16", "--seconds", str(seconds)]
        part.commands.append("vitrail " + " ".join([*words, "FILM"]))
        curves["memory"] = curves_of([from_memory(words, film) for _ in range(repeats(options))], "memory")
        curves["disk"] = from_the_disk(part, folder, options, seconds)
        try:
            curves["server"] = curves_of(behind_nginx(part, folder, words, repeats(options)), "server")
        except Missing as missing:
            part.setup += f" The server was left out: {missing}."
    columns = [dict((x, y) for x, y, *_ in points) for pair in curves.values() for _, points in pair]
    part.tables.append((f"MB/s{medians(options)}", [
        ("block", *(f"{where}, {depth}" + " under way" * (depth == 1) for where in curves for depth in DEPTHS)),
        *((size, *(column.get(size, "") for column in columns)) for size in columns[0])]))
    disk_mb, memory_mb = (max(y for _, points in curves[where] for _, y, *_ in points) for where in ("disk", "memory"))
    part.plot("A local file in memory, by the size of blocks", "size of blocks", "MB/s", curves["memory"], part.commands[:1])
    part.plot("The local disk", "size of blocks", "MB/s", [*curves["disk"], level("the report's local RAID, 2008", 91, curves["disk"])], part.commands[1:2])
    part.answer = f"At best {memory_mb:.0f} MB/s from memory and {disk_mb:.0f} from the disk (the report: 91)."
    if "server" in curves:
        part.plot("A server behind 1 Gbit/s", "size of blocks", "MB/s", [*curves["server"], level("the link's limit", LINK_MB_PER_S, curves["server"])],
                  part.commands[2:])
        best = max(y for _, points in curves["server"] for _, y, *_ in points)
        part.answer += (f" At best {best:.0f} MB/s of the link's 125. The bytes in flight decide: small blocks need many in flight, large blocks "
                        "need one, as the papers found with read-ahead.")
    return part


def medians(options):
    return "" if options.quick else ", medians of three"


def from_memory(words, film):
    tell("blocks from memory")
    done = subprocess.run([BIN / "vitrail", *words, film], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"vitrail iobench failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def from_the_disk(part, folder, options, seconds):
    film = write_film(folder, DISK_MB // options.shrink, "disk")
    part.commands.append(f"vitrail --json iobench --block BYTES --depth NUMBER --seconds {seconds} FILM (its pages dropped before each)")
    sizes = [1 << power for power in range(12, 25, 2)]
    figures = {}
    for turn in range(repeats(options)):
        tell(f"blocks from the disk, {turn + 1} of {repeats(options)}")
        for key in itertools.product(DEPTHS, sizes):
            figures.setdefault(key, []).append(read_cold(film, key[1], key[0], seconds))
    return [curve("disk", depth, [(size, figures[depth, size]) for size in sizes]) for depth in DEPTHS]


def behind_nginx(part, folder, words, times, delay=None):
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not nginx:
        raise Missing("nginx is not installed")
    (pathlib.Path(folder) / "nginx.conf").write_text(NGINX.format(folder=folder, root=folder))
    return behind_a_link(part, folder, [nginx, "-c", f"{folder}/nginx.conf"], [*words, "http://{address:server}:8000/film"], times, delay)


def behind_a_link(part, folder, server, words, times, delay=None):
    """Results of several iobench runs with a server behind 1 Gbit/s; delay: one-way delay by `vitrail impair` for port 8000."""
    if os.getuid() != 0:
        raise Missing("namespaces need root")
    root = pathlib.Path(folder)
    run = root / "run.json"
    path = []
    if delay:
        path = [{"name": "path", "host": "server", "background": True,
                 "command": [str(BIN / "vitrail"), "impair", "--listen", "0.0.0.0:8001", "--to", "127.0.0.1:8000", "--delay", delay]}]
        words = [word.replace(":8000/", ":8001/") for word in words]
    run.write_text(json.dumps({
        "hosts": {"server": {"namespace": True, "rate": "1gbit"}, "reader": {"namespace": True}}, "limit_s": 120, "repetitions": times,
        "samples": {"interfaces": ["eth0"]},
        "programs": [{"name": "server", "host": "server", "background": True, "command": server}, *path,
                     {"name": "read", "host": "reader", "after": "server", "start": 5, "output": "json",
                      "command": [str(BIN / "vitrail"), *words]}]}))
    part.commands.append("vitrail lab RUN.json (its hosts and programs: tests/bench/paper_storage.py)")
    tell(f"blocks from {pathlib.Path(server[0]).name} behind 1 Gbit/s")
    done = subprocess.run([BIN / "vitrail-lab", run], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"vitrail lab: {done.stderr.strip().splitlines()[-1]}")
    return [json.loads((root / f"run.lab/tests/{number:04}/read@reader.out").read_text()) for number in range(1, times + 1)]


def nfs(options):
    part = Part(
        "NFS", "How fast are films read over NFS, by the size of blocks?",
        f"A file of {FILM_MB // options.shrink} MB that is in the server's page cache. The server is nfs-ganesha (user space, NFS 4.0) in a network "
        "namespace of its own, what it sends limited to 1 Gbit/s by tbf; the reader, which mounts nothing (libnfs, one connection), is in another "
        "one. One block and sixteen under way; what is larger than 1 MB is asked for by 1 MB at a time.",
        "The CineGrid report (Amsterdam, 2008): 74 MB/s behind 1 Gbit/s, by the kernel's client. The link's limit, 125 MB/s, is the same.")
    part.left_out = why_not()
    if part.left_out:
        return part
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        film = write_film(folder, FILM_MB // options.shrink)
        words = ["--json", "iobench", "--block", BLOCKS, "--depth", "1,16", "--seconds", str(block_seconds(options))]
        server = ganesha_command(folder, folder, 2049, "0.0.0.0")
        curves = curves_of(behind_a_link(part, folder, server, [*words, f"nfs://{{address:server}}{film}"], repeats(options)), "NFS")
    one, many = (dict((x, y) for x, y, *_ in points) for _, points in curves)
    part.tables.append((f"MB/s{medians(options)}", [("block", "1 under way", "16"), *((size, one[size], many.get(size, "")) for size in one)]))
    part.plot("NFS behind 1 Gbit/s, by the size of blocks", "size of blocks", "MB/s", [
        *curves, level("the link's limit", LINK_MB_PER_S, curves), level("the report, 2008", 74, curves)])
    players, best = many["1 MB"], max(*one.values(), *many.values())
    part.answer = (f"At best {best:.0f} MB/s of the link's 125 (the report: 74); with 16 blocks of 1 MB in flight, as players read, {players:.0f} MB/s, "
                   f"{players / best:.2f} of it.")
    return part


def ibp(options):
    part = Part(
        "IBP", "How fast are byte arrays loaded from a depot, by the size of loads, near and far?",
        "A depot that keeps connections as ACCRE's do, in the reader's process, since Debian has no depot: by loopback, by a path of 100 Mbit/s, and by one "
        "that makes each answer come 20 ms later, too (what `vitrail impair` makes). One LOAD and sixteen under way, and 4 KB at a time through the "
        "reading ahead.",
        "The IBP report (CESNET, 2003, 100 Mbit/s): near 35 KB/s by 64 bytes, 8 MB/s by 64 KB, 10.4 MB/s by 512 KB; on a farther network 0.001 to 0.09 MB/s "
        "up to 1 KB, 1.6 MB/s from 256 KB. The rate of the path is the paper's; how far its other network was is not told, and its reader had one LOAD "
        "under way on a connection each.")
    tell("LOADs from a depot")
    reported = bench(part, "storage", "--seconds", 1 if not options.quick else block_seconds(options), "--file-mb", FILM_MB // options.shrink,
                 "--rate", 100 if options.shrink == 1 else 1000, "--delay", 20)
    places = {"loopback": reported["ibp"], "near": reported["ibp_near"], "far": reported["ibp_far"]}
    part.tables.append(("MB/s", [
        ("LOADs of", *(f"{place}, {depth}" + " under way" * (depth == 1) for place in places for depth in DEPTHS), "paper, near", "paper, far"),
        *((text, *(figures[f"loads_of_{name}_at_{depth:02}_mb_per_s"] for figures in places.values() for depth in DEPTHS), near, far)
          for name, text, near, far in LOADS),
        ("4 KB, read ahead", *(value for figures in places.values() for value in ("", figures["demuxer_small_reads_mb_per_s"])), "", "")]))
    for place in ("near", "far"):
        part.plot(f"MB/s by the size of LOADs: {place}", "size of LOADs", "MB/s", [
            *([f"{depth} under way", [(text, places[place][f"loads_of_{name}_at_{depth:02}_mb_per_s"]) for name, text, *_ in LOADS]] for depth in DEPTHS),
            ["the paper, 2003", PAPER_LOADS[place]]])
    far = places["far"]
    part.answer = (f"With read-ahead, reads of 4 KB reach {far['demuxer_small_reads_mb_per_s']:.1f} MB/s on the far path and "
                   f"{places['near']['demuxer_small_reads_mb_per_s']:.1f} on the near one, of the path's 12.5, since none of them is a separate "
                   f"LOAD; on the far path one LOAD of 64 bytes at a time reaches {1000 * far['loads_of_64_b_at_01_mb_per_s']:.1f} KB/s, one of 256 KB "
                   f"{far['loads_of_256_kb_at_01_mb_per_s']:.1f} MB/s, sixteen of them {far['loads_of_256_kb_at_16_mb_per_s']:.1f}.")
    return part
