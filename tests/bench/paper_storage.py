"""Parts of scripts/bench papers about reading films: what the CineGrid report, CESNET, MuSA and the PowerWall measured."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from paper_part import BIN, ROOT, Missing, Part, bench, size_text, tell, write_film

sys.path.append(str(ROOT / "tests/e2e"))

from ganesha import ganesha_command, why_not  # noqa: E402

BLOCKS = "4k..16m"
FILM_MB = 256
NGINX = """worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/log;
events {{}}
http {{ access_log off; sendfile on; server {{ listen 8000; location / {{ root {root}; }} }} }}
"""


def curves_of(told, label):
    """A curve a depth of what `vitrail iobench --json` tells."""
    points = told[0]["points"] if isinstance(told, list) else told["sources"][0]["points"]
    depths = sorted({point["depth"] for point in points})
    return [[f"{label}, {depth} under way", [(point["block"], point["mb_per_s"]) for point in points if point["depth"] == depth]]
            for depth in depths]


def blocks(options):
    part = Part(
        "Reading films by the size of blocks",
        "How fast are films read in blocks of 4 KB to 16 MB, from the local disk and from a server behind 1 Gbit/s?",
        f"A file of {FILM_MB // options.shrink} MB that is in the page cache. The server is nginx in a network namespace of its own, what it "
        "sends limited to 1 Gbit/s by tbf; the reader is in another one, and `vitrail lab` starts both. One block and sixteen under way.",
        "The CineGrid report (Amsterdam, 2008) read by dd and iozone: a local RAID 86 to 91 MB/s, NFS 74, GlusterFS with one server 54 to 56, "
        "with three 103 to 105, all behind 1 Gbit/s. Only the link's limit, 125 MB/s, is the same today; the local disk here is memory.")
    rows, all_curves = [("block", "local, 1 under way, MB/s", "local, 16", "server, 1", "server, 16")], []
    seconds = 0.2 if options.quick else 0.5
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        film = write_film(folder, FILM_MB // options.shrink)
        words = ["--json", "iobench", "--block", BLOCKS, "--depth", "1,16", "--seconds", str(seconds)]
        part.commands.append("vitrail " + " ".join([*words, "FILM"]))
        tell("blocks from the local disk")
        local = subprocess.run([BIN / "vitrail", *words, film], capture_output=True, text=True, check=False)
        if local.returncode != 0:
            raise Missing(f"vitrail iobench failed: {local.stderr.strip()}")
        all_curves += curves_of(json.loads(local.stdout), "local")
        try:
            all_curves += curves_of(behind_nginx(part, folder, words), "server")
        except Missing as missing:
            part.setup += f" The server was left out: {missing}."
    by_label = {label: dict(points) for label, points in all_curves}
    labels = ("local, 1 under way", "local, 16 under way", "server, 1 under way", "server, 16 under way")
    for block in sorted({block for _, points in all_curves for block, _ in points}):
        rows.append((size_text(block), *(by_label.get(label, {}).get(block, "") for label in labels)))
    part.tables.append(("MB/s", rows))
    part.plot("MB/s by the size of blocks: the local disk", "bytes", "MB/s", [one for one in all_curves if one[0].startswith("local")], log_x=True)
    server = [one for one in all_curves if one[0].startswith("server")]
    if server:
        part.plot("MB/s by the size of blocks: behind 1 Gbit/s", "bytes", "MB/s", server, log_x=True)
        best = max(y for _, points in server for _, y in points)
        part.answer = (f"At best {best:.0f} MB/s of the link's 125. What counts is how many bytes are under way: small blocks need many at a time, "
                       "large ones do with one, as the papers found with read-ahead.")
    else:
        part.answer = f"At best {max(y for _, points in all_curves for _, y in points):.0f} MB/s from memory."
    return part


def behind_nginx(part, folder, words):
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not nginx:
        raise Missing("nginx is not installed")
    (pathlib.Path(folder) / "nginx.conf").write_text(NGINX.format(folder=folder, root=folder))
    return behind_a_link(part, folder, [nginx, "-c", f"{folder}/nginx.conf"], [*words, "http://{address:server}:8000/film"])


def behind_a_link(part, folder, server, words):
    """What iobench tells of a server that may send 1 Gbit/s."""
    if os.getuid() != 0:
        raise Missing("namespaces need root")
    root = pathlib.Path(folder)
    run = root / "run.json"
    run.write_text(json.dumps({
        "hosts": {"server": {"namespace": True, "rate": "1gbit"}, "reader": {"namespace": True}}, "limit_s": 120,
        "samples": {"interfaces": ["eth0"]},
        "programs": [{"name": "server", "host": "server", "background": True, "command": server},
                     {"name": "read", "host": "reader", "after": "server", "start": 5, "output": "json",
                      "command": [str(BIN / "vitrail"), *words]}]}))
    part.commands.append("vitrail lab RUN.json (its hosts and programs: tests/bench/paper_storage.py)")
    tell(f"blocks from {pathlib.Path(server[0]).name} behind 1 Gbit/s")
    done = subprocess.run([BIN / "vitrail-lab", run], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"vitrail lab: {done.stderr.strip().splitlines()[-1]}")
    return json.loads((root / "run.lab/tests/0001/read@reader.out").read_text())


def powerwall(options):
    part = Part(
        "The PowerWall's film",
        "Ten panels show one film in step: how fast, and how long do they read ahead?",
        "A .vmov film of 6400×2048 in DXT1 on 5×2 tiles, a receiver for each, from the page cache; first at the paper's 20 frames a second, "
        "then at 60, then as fast as the wall takes it.",
        "The InTENSity PowerWall (Minnesota, 2000): ten panels of 1280×1024, 4 bytes a pixel, 50 MB a frame, over 1 GB/s at 20 frames a second, read "
        "by ten machines from shared storage; 15 frames a second looked fluid. Here the film is compressed to an eighth, and one machine has all of it.")
    rows = [("film, fps", "shown", "in the slowest second", "dropped", "Mbit/s", "CPU a frame, player, ms", "receivers", "latency p99, ms", "skew p99, µs")]
    side = options.shrink
    for fps in (20, 60) if options.quick else (20, 60, 0):
        tell(f"the PowerWall's film at {fps or 'any'} fps")
        figures = bench(part, "film", "--size", f"{6400 // side // 20 * 20}x{2048 // side // 8 * 8}", "--fps", fps, "--seconds", max(1.0, options.seconds))
        rows.append((fps or "any", figures["fps_shown"], figures["fps_shown_min_1s"], figures["frames_dropped"], figures["mbit_per_s"],
                     figures["cpu_ms_per_frame_sender"], figures["cpu_ms_per_frame_receivers"], figures["latency_ms_p99"], figures["skew_us_p99"]))
    part.tables.append(("The film on ten tiles", rows))
    part.answer = (f"{rows[1][1]:.1f} frames a second are shown at the paper's pace, {rows[2][1]:.1f} at three times that; tiles swap within "
                   f"{rows[1][8] / 1000:.2f} ms (p99).")
    return part


def left_out(title, question, paper, why):
    return lambda options: Part(title, question, "", paper, left_out=why)


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
        words = ["--json", "iobench", "--block", BLOCKS, "--depth", "1,16", "--seconds", "0.2" if options.quick else "0.5"]
        server = ganesha_command(folder, folder, 2049, "0.0.0.0")
        curves = curves_of(behind_a_link(part, folder, server, [*words, f"nfs://{{address:server}}{film}"]), "NFS")
    one, many = (dict(points) for _, points in curves)
    part.tables.append(("MB/s", [("block", "1 under way, MB/s", "16"),
                                 *((size_text(block), one[block], many.get(block, "")) for block in sorted(one))]))
    part.plot("MB/s by the size of blocks: NFS behind 1 Gbit/s", "bytes", "MB/s", curves, log_x=True)
    players, best = many[1 << 20], max(*one.values(), *many.values())
    part.answer = (f"At best {best:.0f} MB/s of the link's 125; with 16 blocks of 1 MB under way, as players read, {players:.0f} MB/s, "
                   f"{players / best:.2f} of it.")
    return part


def ibp(options):
    part = Part(
        "IBP", "How fast are byte arrays loaded from a depot, by the size of loads?",
        "A depot that keeps connections as ACCRE's do, in the reader's process, by loopback, since Debian has no depot: it tells what the reader "
        "does, and nothing of networks. One LOAD and sixteen under way, and 4 KB at a time through the reading ahead.",
        "The IBP report (CESNET, 2003, 100 Mbit/s): near 35 KB/s by 64 bytes, 8 MB/s by 64 KB, 10.4 MB/s by 512 KB; far 1.6 MB/s from 256 KB.")
    tell("LOADs from a depot")
    told = bench(part, "storage", "--seconds", 0.2 if options.quick else 1, "--file-mb", FILM_MB // options.shrink)["ibp"]
    part.tables.append(("MB/s", [("LOADs of", "1 under way, MB/s", "16"),
                                 *((f"{kilo} KB", *(told[f"loads_of_{kilo}_kb_at_{depth}_mb_per_s"] for depth in ("01", "16")))
                                   for kilo in (64, 512, 1024)),
                                 ("4 KB, read ahead", told["demuxer_small_reads_mb_per_s"], "")]))
    part.answer = (f"Reads of 4 KB, read ahead, are {told['demuxer_small_reads_to_loads']:.2f} of sixteen LOADs of 1 MB, since none of them is a LOAD "
                   "of its own: the paper's reads of 64 bytes brought it 0.3 % of what those of 512 KB did.")
    return part


media_server = left_out("A media server's throughput against offered load", "What do 1, 2 and 3 disk servers deliver, and how evenly, below and above their limit?",
                        "MuSA (Napoli, about 2000): linear to about 90 Mbit/s a disk server of 1.5 Mbit/s streams; above it 20 % less for all, within 10 %.",
                        "Nothing here plays many films from the film server at once yet, and it is one program without disk servers.")
