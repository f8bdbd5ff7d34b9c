"""The part of scripts/bench papers with the figures of README.md, not of papers."""

from paper_part import Part, bench, tell

# Name in README.md → the benchmark; its options for a full run, a quick run and a test; the figures in README.md.
RUNS = {
    "wall": ("wall --codec dxt1", "--seconds 5", "--seconds 2", "--size 640x352 --seconds 0.5",
             ("cpu_ms_per_frame_sender", "cpu_ms_per_frame_receivers", "cpu_ms_per_frame_manager", "latency_ms_p50")),
    "jpeg2000": ("wall --yuv --codec htj2k:500mbit --fps 0", "", "--seconds 2", "--size 640x352 --seconds 0.5", ("fps_shown",)),
    "jpeg2000-server": ("wall --yuv --codec htj2k:500mbit --server", "", "--seconds 2", "--size 640x352 --seconds 0.5", ("fps_shown",)),
    "lossy": ("link --transport udp --impair loss=5%,delay=50ms,seed=7", "--size 1920x1080 --seconds 60", "--size 1920x1080 --seconds 5",
              "--size 640x352 --seconds 0.5",
              ("frames_dropped", "frames_submitted")),
    "crowd": ("ui", "", "--seconds 2", "--windows 20 --clients 5 --seconds 0.5", ("manager_cpu_pct",)),
}


def readme(options):
    part = Part("What README.md tells", "What does a wall cost, in the few figures that README.md tells?",
                "As the commands say, on this machine's loopback.", "")
    rows = [("run", "figure", "value", "command")]
    for name, (words, whole, quick, small, figures) in RUNS.items():
        tell(f"README.md: {name}")
        reported = bench(part, *words.split(), *(small if options.shrink > 1 else quick if options.quick else whole).split())
        rows += [(name, figure, reported[figure], "" if number else part.commands[-1]) for number, figure in enumerate(figures)]
    part.tables.append(("Figures", rows))
    part.answer = "One run of each command."
    return part
