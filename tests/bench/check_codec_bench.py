#!/usr/bin/env python3
"""Runs the codec benchmark on a small picture and checks its output, never its speed.

check_codec_bench.py PROGRAM
"""

import itertools
import json
import numbers
import pathlib
import subprocess
import sys
import tempfile

KEYS = ["codec", "mode", "kernel", "side", "content", "threads", "mpixel_per_s", "psnr_db",
        "bits_per_pixel", "ratio_to_memory_limit"]
CODECS = {"dxt1": 4, "dxt5": 8, "dxt5ycocg": 8}
MODES = ["fast", "good", "high"]
PEERS = ["memory-limit", "libsquish-range", "libsquish-cluster", "libsquish", "ffmpeg-texturedsp",
         "etcpak"]


J2K = {"j2k": "openjpeg", "htj2k": "openjph"}
OUR_J2K = {"j2k": ["vitrail"], "htj2k": ["sse4.1", "avx2", "avx512"]}


def check_j2k_row(row):
    library = row["kernel"].split("-")[0]  # without the version of a second library
    assert library in OUR_J2K[row["codec"]] + [J2K[row["codec"]], "ffmpeg"], row
    less = row["mode"].endswith((" half", " quarter"))
    assert row["mode"].split(" ")[0] in ("480x240", "whole"), row
    assert row["side"] == "decode" or (row["side"] == "encode" and not less), row
    assert 0.5 < row["bits_per_pixel"] < 4 and row["mpixel_per_s"] > 0, row
    assert row["ratio_to_memory_limit"] is None, row
    assert row["psnr_db"] is None if less else 10 < row["psnr_db"] < 99, row


def check_row(row):
    assert list(row) == KEYS, row
    if row["codec"] in J2K:
        return check_j2k_row(row)
    assert row["mode"].removesuffix(" 128x64") in MODES and row["side"] in ("encode", "decode"), row
    assert row["bits_per_pixel"] == CODECS[row["codec"]], row
    assert row["threads"] in (1, 2), row
    assert row["mpixel_per_s"] > 0 and row["ratio_to_memory_limit"] > 0, row
    if row["kernel"] == "memory-limit":
        assert row["psnr_db"] is None and row["ratio_to_memory_limit"] == 1, row
    else:
        assert isinstance(row["psnr_db"], numbers.Real) and 10 < row["psnr_db"] < 99, row


def check_rates(rows):
    for row in rows:
        lossless = " lossless" in row["mode"]
        assert lossless or " 4bpp" in row["mode"], row
        assert row["psnr_db"] is None or not lossless, row
    there = {(row["mode"], row["kernel"], row["side"]) for row in rows}
    for size, rate, kernel in itertools.product(("480x240", "whole"), ("4bpp", "lossless"), ("sse4.1", "openjph")):
        for side in ("encode", "decode"):
            assert (f"{size} {rate}", kernel, side) in there, (size, rate, kernel, side)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows.json"
        subprocess.run([sys.argv[1], "--quick", "--threads", "2", "--json", path], check=True)
        rows = json.loads(path.read_text())
        subprocess.run([sys.argv[1], "--quick", "--threads", "1", "--json", path, "--codec", "htj2k", "--content",
                        "photo", "--rate", "4", "--rate", "lossless"], check=True)
        check_rates(json.loads(path.read_text()))
    profile = subprocess.run([sys.argv[1], "--quick", "--profile", "--content", "photo"], check=True,
                             capture_output=True, text=True).stdout
    assert profile.count("encode") and profile.count("decode half"), profile
    for row in rows:
        check_row(row)

    ours = {(row["codec"], row["mode"], row["side"], row["threads"]) for row in rows
            if row["kernel"] not in PEERS}
    for codec, threads in itertools.product(CODECS, (1, 2)):
        for mode in MODES:
            assert (codec, mode, "encode", threads) in ours, (codec, mode, threads)
        assert (codec, "fast 128x64", "encode", threads) in ours, (codec, threads)
        assert (codec, "good", "decode", threads) in ours, (codec, threads)
    there = {(row["kernel"], row["codec"], row["side"]) for row in rows}
    for codec, side in itertools.product(CODECS, ("encode", "decode")):
        assert ("memory-limit", codec, side) in there, (codec, side)
    for kernel in ("libsquish-range", "libsquish-cluster"):
        assert (kernel, "dxt1", "encode") in there and (kernel, "dxt5", "encode") in there, kernel
    for codec, library in J2K.items():
        for kernel, side in itertools.product((OUR_J2K[codec][0], library), ("encode", "decode")):
            assert (kernel, codec, side) in there, (kernel, codec, side)
    for mode in ("480x240 half", "whole half", "whole quarter"):
        assert ("htj2k", mode, "decode", 1) in ours, mode
    assert ("ffmpeg", "j2k", "encode") in there and ("ffmpeg", "j2k", "decode") in there
    contents = {row["content"] for row in rows}
    for content in ("testcard", "photo", "photo (i420)", "photo (nv12)", "fractal", "desktop",
                    "translucent"):
        assert content in contents, content


if __name__ == "__main__":
    main()
