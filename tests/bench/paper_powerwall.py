"""The part of scripts/bench papers about the PowerWall: ten panels show one film (Minnesota, 2000)."""

import os
import tempfile

from paper_part import Missing, Part, bench, block_seconds, read_cold, repeats, spread, tell, write_film
from paper_storage import DISK_MB, FILM_MB, LINK_MB_PER_S, behind_nginx, level

MEGA = 1 << 20
FRAME_BYTES = 6400 * 2048 // 2  # a frame of the PowerWall in DXT1
DELAY_MS = 10  # one way


def powerwall(options):
    part = Part(
        "The PowerWall's film",
        "Ten panels show one film in step: how fast, and how long do they read ahead?",
        "A .vmov film of 6400×2048 in DXT1 on 5×2 tiles, a receiver for each, from the page cache; first at the paper's 20 frames a second, "
        "then at 60, then as fast as the wall takes it. Reading ahead is measured by itself: a file on the disk of "
        "which nothing is in memory (the host of a virtual machine may have it), and nginx in a namespace that sends 1 Gbit/s, behind `vitrail impair`.",
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
    place, ahead = read_ahead_curve(part, options)
    part.answer = (f"{rows[1][1]:.1f} frames a second are shown at the paper's rate, {rows[2][1]:.1f} at three times that rate; tiles swap within "
                   f"{rows[1][8] / 1000:.2f} ms (p99). From {place} {ahead[1]:.0f} MB/s arrive with one block in flight and {ahead[16]:.0f} with 16, "
                   f"the players' read-ahead: {ahead[16] * 1e6 / FRAME_BYTES:.0f} frames a second.")
    return part


def read_ahead_curve(part, options):
    """Measures MB/s by number of blocks read ahead, from the disk and over a network. Returns the results of the farthest source."""
    depths = (1, 4, 16) if options.quick else (1, 2, 4, 8, 16, 32)
    seconds = block_seconds(options)
    curves = []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        film = write_film(folder, DISK_MB // options.shrink, "disk")
        tell("the PowerWall's film, read ahead from the disk")
        part.commands.append(f"vitrail --json iobench --block 1m --depth NUMBER --seconds {seconds} FILM (its pages dropped before each)")
        curves.append(("the disk", [(depth, *spread([read_cold(film, MEGA, depth, seconds) for _ in range(3)])) for depth in depths]))
        write_film(folder, FILM_MB // options.shrink)
        words = ["--json", "iobench", "--block", "1m", "--depth", ",".join(map(str, depths)), "--seconds", str(seconds)]
        try:
            runs = behind_nginx(part, folder, words, repeats(options), f"{DELAY_MS}ms")
            values = {depth: [point["mb_per_s"] for reported in runs for point in reported["sources"][0]["points"] if point["depth"] == depth] for depth in depths}
            curves.append((f"a server behind 1 Gbit/s, {2 * DELAY_MS} ms there and back", [(depth, *spread(values[depth])) for depth in depths]))
        except Missing as missing:
            part.setup += f" The server was left out: {missing}."
    part.tables.append(("Read-ahead, by blocks of 1 MB", [
        ("from", "blocks under way", "MB/s, median", "least", "most", f"frames of {FRAME_BYTES / 1e6:.2f} MB a second", "of 52.4 MB, not compressed"),
        *((name, *point, point[1] * 1e6 / FRAME_BYTES, point[1] * 1e6 / (8 * FRAME_BYTES)) for name, points in curves for point in points)]))
    for name, points in curves:
        drawn = [[name, [(str(depth), *rest) for depth, *rest in points]]]
        part.plot(f"Read-ahead: {name}", "blocks of 1 MB under way", "MB/s", drawn + [level("the link's limit", LINK_MB_PER_S, drawn)] * ("server" in name),
                  part.commands[-len(curves):])
    return curves[-1][0], {depth: median for depth, median, *_ in curves[-1][1]}
