"""Parts of scripts/bench papers about streams: SAGE's research report, by the University of Amsterdam, 2008."""

from paper_part import Part, bench, tell

REPORT = ("the research report on SAGE and the NTT codec for CineGrid (University of Amsterdam, 2008: a render node and "
          "display nodes on gigabit Ethernet)")
BITS_PER_PIXEL = 24  # of the pictures before compression, as the paper counts
TRANSPORTS = ("tcp", "udp")

# Name, size, frames a second, codec, 4:2:0?, transport, and the paper's: Mbit/s, ratio, remark.
ROWS = [
    ("DXT, 1080p", (1920, 1080), 24, "dxt1:fast", False, "tcp", (208.1, 7.2, "measured")),
    ("DXT, 1080p", (1920, 1080), 24, "dxt1:fast", False, "udp", (218.4, 6.8, "measured")),
    ("DXT, SHD", (3840, 2160), 24, "dxt1:fast", False, "tcp", (832, 7.2, "calculated")),
    ("DXT, SHD", (3840, 2160), 24, "dxt1:fast", False, "udp", (873.6, 6.8, "calculated")),
    ("DXT, SHD", (3840, 2160), 30, "dxt1:fast", False, "udp", (800, None, "documented")),
    ("DXT + LZ4, SHD", (3840, 2160), 24, "dxt1+lz4:fast", False, "tcp", (832, 7.2, "calculated")),
    ("JPEG 2000 (high throughput), SHD", (3840, 2160), 30, "htj2k:500mbit", True, "udp", (500, 12, "4 boards")),
    ("JPEG 2000 (high throughput), SHD, 4:4:4", (3840, 2160), 30, "htj2k:500mbit", False, "udp", (500, 12, "4 boards")),
    ("JPEG 2000 (Part 1), SHD", (3840, 2160), 30, "j2k:500mbit", True, "udp", (500, 12, "4 boards")),
]


def shd(options):
    part = Part(
        "SHD in DXT and in JPEG 2000",
        "What do films of 1080p and SHD (3840×2160) take on the network and of the processors, in DXT and in JPEG 2000?",
        "A wall of 2×2 tiles on this machine's loopback, a receiver for each, moving and detailed content. Bits of blocks that "
        "two tiles show count twice. A row has not kept up where fewer frames are shown than asked for.",
        f"Of {REPORT}: 1080p was measured, SHD in DXT only calculated from it, JPEG 2000 by a hardware codec of four boards. Its "
        "ratio is against 24 bit/pixel, as here. Bits can be compared, processors cannot: eighteen years lie between.")
    rows = [("what", "codec", "over", "fps shown", "of", "Mbit/s", "ratio", "cores, sender", "cores, receivers", "PSNR dB",
             "paper: Mbit/s", "paper: ratio", "paper: how")]
    for number, (name, size, fps, codec, yuv, transport, paper) in enumerate(ROWS, 1):
        tell(f"SHD, {number} of {len(ROWS)}: {name} {transport}")
        width, height = (side // options.shrink // 16 * 16 for side in size)
        figures = bench(part, "wall", "--size", f"{width}x{height}", "--fps", fps, "--codec", codec, "--transport", transport,
                        "--seconds", options.seconds, *(["--yuv"] if yuv else []))
        shown = figures["fps_shown"]
        ratio = width * height * BITS_PER_PIXEL / 8 / figures["bytes_per_frame"] if figures["bytes_per_frame"] else ""
        rows.append((name, codec, transport, shown, fps, figures["mbit_per_s"], ratio,
                     figures["cpu_ms_per_frame_sender"] * shown / 1000, figures["cpu_ms_per_frame_receivers"] * shown / 1000,
                     figures["psnr_db"], paper[0], paper[1] or "", paper[2]))
    part.tables.append(("Measured here, and told by the paper", rows))
    kept = [row for row in rows[1:] if row[3] >= 0.97 * row[4]]
    part.answer = (f"{len(kept)} of {len(ROWS)} streams kept their pace here. What the paper calculated for SHD is what DXT takes: "
                   f"{rows[3][5]:.0f} Mbit/s over TCP beside its 832.")
    return part


def stream(options):
    part = Part(
        "A stream from its first second",
        "How do bandwidth, CPU and traffic go from the start, over TCP and over UDP?",
        "One 1080p film of 24 frames a second in DXT1, one receiver, loopback with an MTU of 1500. Traffic is that of a run of its "
        "own through a relay, which sees packets.",
        f"{REPORT[0].upper() + REPORT[1:]} saw 450 Mbit/s of compression at first, which filled a buffer of a second that the display then "
        "followed; UDP left in bursts of 10 ms; CPU of display nodes was 14 points higher over TCP. Here nothing is compressed "
        "ahead, so there is no first second to be seen; shapes can be compared, rates of processors cannot.")
    seconds = max(2.0, options.seconds)
    size = f"{1920 // options.shrink // 16 * 16}x{1080 // options.shrink // 8 * 8}"
    runs = {}
    for transport in TRANSPORTS:
        tell(f"a stream over {transport}")
        runs[transport] = bench(part, "link", "--transport", transport, "--size", size, "--fps", 24, "--codec", "dxt1:fast",
                                "--seconds", seconds)
    series = {transport: run["series"] for transport, run in runs.items()}
    part.plot("Bandwidth on the wire", "s", "Mbit/s", [[one.upper(), pairs(series[one], "mbit_per_s")] for one in TRANSPORTS])
    part.plot("CPU of both ends", "s", "% of a core",
              [[f"{one.upper()} {end}", pairs(series[one], f"cpu_{end}_pct")] for end in ("sender", "receivers", "transport")
               for one in TRANSPORTS])
    for bin_ms, count in ((10, 100), (1, 200)):
        curves = []
        for one in TRANSPORTS:
            binned = series[one].get(f"traffic_bytes_{bin_ms}ms", [])[:count]
            curves.append([one.upper(), [(n * bin_ms, 8e-3 * value / bin_ms) for n, value in enumerate(binned)]])
        part.plot(f"Traffic in bins of {bin_ms} ms", "ms", "Mbit/s", curves, steps=True)
    rows = [("over", "Mbit/s", "fps shown", "frames dropped", "CPU a frame, sender, ms", "receiver", "manager", "latency p50, ms", "p99",
             "fullest 10 ms, of the mean", "fullest 1 ms")]
    rows += [(one.upper(), run["mbit_per_s"], run["fps_shown"], run["frames_dropped"], run["cpu_ms_per_frame_sender"],
              run["cpu_ms_per_frame_receivers"], run["cpu_ms_per_frame_manager"], run["latency_ms_p50"], run["latency_ms_p99"],
              run["burst_peak_to_mean_10ms"], run["burst_peak_to_mean_1ms"]) for one, run in runs.items()]
    part.tables.append(("The whole run", rows))
    part.answer = (f"{runs['tcp']['mbit_per_s']:.0f} Mbit/s over TCP (the paper: 208.1), {runs['udp']['mbit_per_s']:.0f} over UDP "
                   f"(218.4). In 10 ms UDP sends at most {runs['udp']['burst_peak_to_mean_10ms']:.2f} times the mean, since frames "
                   f"are spread over their interval; TCP {runs['tcp']['burst_peak_to_mean_10ms']:.2f} times.")
    return part


def pairs(series, name):
    return list(zip(series["t_s"], series[name]))


def drops(options):
    part = Part(
        "Why frames are dropped",
        "Lost packets reach the picture: which buffers and delays lose how many frames, and by which cause?",
        "1080p, 30 frames a second, dxt1:fast (260 Mbit/s), over UDP through a path of 300 Mbit/s that loses 1 % in bursts of 8, "
        "with a queue as long as told. The stream's delay is from submission to display. Causes are counted from the stream's "
        "beginning, before its rate is known; frames and packets from two seconds on.",
        f"{REPORT[0].upper() + REPORT[1:]} left open why packets were dropped, and proposed larger buffers and delays. Its streams had neither "
        "parity nor repetition.")
    queues = (5, 100) if options.quick else (2, 5, 20, 100)
    delays = (40,) if options.quick else (20, 40, 80)
    size = f"{1920 // options.shrink // 16 * 16}x{1080 // options.shrink // 8 * 8}"
    rows = [("queue, ms", "delay, ms", "frames lost", "of", "by cause", "packets lost", "mended by parity", "mended by asking")]
    curves = []
    for delay in delays:
        points = []
        for queue in queues:
            tell(f"drops: queue {queue} ms, delay {delay} ms")
            run = bench(part, "link", "--transport", "udp", "--size", size, "--codec", "dxt1:fast", "--seconds", max(2.0, options.seconds / 2),
                        "--delay-ms", delay, "--impair", f"rate=300mbit,queue={queue}ms,loss=1%,burst=8,seed=7")
            frames = run["frames_dropped"] + round(run["fps_shown"] * max(2.0, options.seconds / 2))
            causes = ", ".join(f"{name} {count:.0f}" for name, count in run.get("dropped", {}).items() if count) or "–"
            rows.append((queue, delay, run["frames_dropped"], frames, causes, run.get("packets_lost", ""),
                         run.get("packets_mended_fec", ""), run.get("packets_mended_retransmit", "")))
            points.append((queue, 100 * run["frames_dropped"] / max(1, frames)))
        curves.append([f"delay {delay} ms", points])
    part.plot("Frames lost against the path's queue", "queue, ms", "% of frames", curves, log_x=True)
    part.tables.append(("Queue, delay and causes", rows))
    worst, best = max(rows[1:], key=lambda row: row[2]), min(rows[1:], key=lambda row: row[2])
    part.answer = (f"With a queue of {best[0]} ms and a delay of {best[1]} ms {best[2]} of {best[3]} frames were lost, with {worst[0]} ms and "
                   f"{worst[1]} ms {worst[2]} of {worst[3]} ({worst[4]}). Frames are lost when what was lost of them cannot be made or "
                   "sent again before their instant; the causes name which.")
    return part
