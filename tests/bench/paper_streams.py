"""Parts of scripts/bench papers about streams: SAGE's research report, by the University of Amsterdam, 2008."""

from paper_part import Part, bench, repeats, spread, tell

REPORT = ("the research report on SAGE and the NTT codec for CineGrid (University of Amsterdam, 2008: a render node and "
          "display nodes on gigabit Ethernet)")
BITS_PER_PIXEL = 24  # uncompressed, as the paper counts
TRANSPORTS = ("tcp", "udp")

# Name, size, frames a second, codec, 4:2:0 or not, transport, and the paper's Mbit/s, ratio and remark.
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
SMALL = [*ROWS[2:4], *ROWS[5:]]  # each codec with each transport


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
    chosen = ROWS if options.shrink == 1 else SMALL
    for number, (name, size, fps, codec, yuv, transport, paper) in enumerate(chosen, 1):
        tell(f"SHD, {number} of {len(chosen)}: {name} {transport}")
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
    part.answer = (f"{len(kept)} of {len(chosen)} streams kept their frame rate. DXT in SHD needs what the paper calculated: "
                   f"{next(row[5] for row in rows if row[0] == 'DXT, SHD'):.0f} Mbit/s over TCP; the paper: 832.")
    return part


def stream(options):
    part = Part(
        "A stream from its first second",
        "How do bandwidth, CPU and traffic go from the start, over TCP and over UDP?",
        "One 1080p film of 24 frames a second in DXT1, one receiver, loopback with an MTU of 1500; from the stream's opening on, a point each half "
        "second. Render is what leaves the sender, display what is shown, by the mean size of frames. The table leaves the first two seconds out. "
        "Traffic is that of a run of its own through a relay, which sees packets.",
        f"{REPORT[0].upper() + REPORT[1:]} saw 450 Mbit/s of compression at first, which filled a buffer of a second that the display then "
        "followed; UDP left in bursts of 10 ms; CPU of display nodes was 14 points higher over TCP; the ratio was 7.2 over TCP, 6.8 over UDP. Bits and "
        "shapes can be compared, shares of processors cannot: nothing is compressed ahead here, and eighteen years lie between.")
    seconds = least_seconds(options, options.seconds)
    size = f"{1920 // options.shrink // 16 * 16}x{1080 // options.shrink // 8 * 8}"
    runs = {}
    for transport in TRANSPORTS:
        tell(f"a stream over {transport}")
        runs[transport] = bench(part, "link", "--transport", transport, "--size", size, "--fps", 24, "--codec", "dxt1:fast",
                                "--seconds", seconds)
    series = {transport: run["series"] for transport, run in runs.items()}
    part.plot("Bandwidth from the first second on", "s", "Mbit/s",
              [[f"{one.upper()} {what}", points] for one in TRANSPORTS for what, points in
               (("render", pairs(series[one], "mbit_per_s")),
                ("display", [(t, fps * 8e-6 * runs[one]["bytes_per_frame"]) for t, fps in pairs(series[one], "fps_shown")]))])
    part.plot("CPU of all three, and what of it is transport", "s", "% of a core",
              [[f"{one.upper()} {end}", pairs(series[one], f"cpu_{end}_pct")] for end in ("sender", "receivers", "manager", "transport")
               for one in TRANSPORTS])
    for bin_ms, count in ((10, 100), (1, 200)):
        curves = []
        for one in TRANSPORTS:
            binned = series[one].get(f"traffic_bytes_{bin_ms}ms", [])[:count]
            curves.append([one.upper(), [(n * bin_ms, 8e-3 * value / bin_ms) for n, value in enumerate(binned)]])
        part.plot(f"Traffic in bins of {bin_ms} ms", "ms", "Mbit/s", curves, steps=True)
    width, height = map(int, size.split("x"))
    raw_bytes = width * height * BITS_PER_PIXEL / 8
    rows = [("over", "Mbit/s", "ratio", "fps shown", "frames dropped", "CPU a frame, sender, ms", "receiver", "manager", "latency p50, ms", "p99",
             "fullest 10 ms, of the mean", "fullest 1 ms")]
    columns = ("fps_shown", "frames_dropped", "cpu_ms_per_frame_sender", "cpu_ms_per_frame_receivers", "cpu_ms_per_frame_manager", "latency_ms_p50",
               "latency_ms_p99", "burst_peak_to_mean_10ms", "burst_peak_to_mean_1ms")
    rows += [(one.upper(), run["mbit_per_s"], raw_bytes / run["bytes_per_frame"] if run["bytes_per_frame"] else "", *(run[name] for name in columns))
             for one, run in runs.items()]
    part.tables.append(("The whole run", rows))
    part.answer = (f"{runs['tcp']['mbit_per_s']:.0f} Mbit/s over TCP (the paper: 208.1), {runs['udp']['mbit_per_s']:.0f} over UDP "
                   f"(218.4); in the first half second {series['tcp']['mbit_per_s'][0]:.0f} and {series['udp']['mbit_per_s'][0]:.0f}. In 10 ms UDP sends at "
                   f"most {runs['udp']['burst_peak_to_mean_10ms']:.2f} times the mean, since frames are spread over their interval, and TCP "
                   f"{runs['tcp']['burst_peak_to_mean_10ms']:.2f} times.")
    return part


def least_seconds(options, seconds):
    """At least two seconds, which are needed for a meaningful result."""
    return seconds if options.shrink > 1 else max(2.0, seconds)


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
    seconds = least_seconds(options, options.seconds / 2)
    rows = [("queue, ms", "delay, ms", "frames lost", "least", "most", "of", "by cause, all runs", "packets lost", "mended by parity", "mended by asking")]
    curves = []
    for delay in delays:
        points = []
        for queue in queues:
            runs = []
            for seed in range(7, 7 + repeats(options)):
                tell(f"drops: queue {queue} ms, delay {delay} ms, seed {seed}")
                runs.append(bench(part, "link", "--transport", "udp", "--size", size, "--codec", "dxt1:fast", "--seconds", seconds, "--delay-ms", delay,
                                  "--impair", f"rate=300mbit,queue={queue}ms,loss=1%,burst=8,seed={seed}"))
            lost = spread([run["frames_dropped"] for run in runs])
            frames = spread([run["frames_submitted"] for run in runs])[0]
            causes = {}
            for name, count in (item for run in runs for item in run.get("dropped", {}).items()):
                causes[name] = causes.get(name, 0) + count
            rows.append((queue, delay, *lost, frames, ", ".join(f"{name} {count:.0f}" for name, count in causes.items() if count) or "–",
                         *(spread([run.get(name, 0) for run in runs])[0] for name in ("packets_lost", "packets_mended_fec", "packets_mended_retransmit"))))
            points.append((f"{queue}", *(100 * count / max(1, frames) for count in lost)))
        curves.append([f"delay {delay} ms", points])
    part.plot("Frames lost against the path's queue: median, least and most of the runs", "queue, ms", "% of frames", curves)
    part.tables.append((f"Queue, delay and causes; medians of {repeats(options)}", rows))
    worst, best = max(rows[1:], key=lambda row: row[2]), min(rows[1:], key=lambda row: row[2])
    part.answer = (f"With a queue of {best[0]} ms and a delay of {best[1]} ms {best[2]:.0f} of {best[5]:.0f} frames were lost, with {worst[0]} ms and "
                   f"{worst[1]} ms {worst[2]:.0f} of {worst[5]:.0f} ({worst[6]}). A frame is lost when its lost packets are neither "
                   "repaired nor retransmitted before its presentation time.")
    return part
