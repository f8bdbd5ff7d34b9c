#!/usr/bin/env python3
"""What it costs to show an array of Python on a wall: CPU time of window.show() beside that of the C call alone.

A wall of one tile on this machine's loopback. Frames of noise and gradients alternate, so that every block has changed;
the showing thread encodes alone, and its own CPU time counts. Calls of both kinds take turns, so that both have the same
share of the machine.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/e2e"), str(ROOT / "sail/bindings/python")]

from harness import BIN, WallTest  # noqa: E402

os.environ.setdefault("VITRAIL_LIBSAIL", str(BIN.parent / "sail/client/libsail.so.0"))

import numpy  # noqa: E402
import vitrail  # noqa: E402

LAYOUTS = ("rgba", "rgb", "part of a wider array", "grey", "bgr")


class OneTile(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [640, 360]}

    def runTest(self):
        """Not run: only the fixture's programs are used."""


def picture(seed, width, height):
    noise = numpy.random.default_rng(seed).normal(0, 6, (height, width, 4))
    y, x = numpy.mgrid[0:height, 0:width]
    waves = numpy.dstack([numpy.sin(x / 50 + seed), numpy.sin(y / 40 + seed), numpy.sin((x + y) / 90), numpy.ones_like(x)])
    return (128 + 100 * waves + noise).clip(0, 255).astype(numpy.uint8)


def laid_out(pixels, layout):
    """Returns the array in this layout, and its format."""
    if layout in ("rgb", "bgr"):
        return numpy.ascontiguousarray(pixels[:, :, :3]), layout
    if layout == "grey":
        return numpy.ascontiguousarray(pixels[:, :, 0]), layout
    if layout == "rgba":
        return pixels, layout
    wide = numpy.zeros((pixels.shape[0], pixels.shape[1] + 100, 4), numpy.uint8)
    wide[:, 50:-50] = pixels
    return wide[:, 50:-50], "rgba"


def cpu_ms(call):
    begun = time.thread_time()
    call()
    return (time.thread_time() - begun) * 1000


def measure(session, layout, pictures, options):
    arrays = [laid_out(pixels, layout)[0] for pixels in pictures]
    name = laid_out(pictures[0], layout)[1]
    show_ms, call_ms = [], []
    with session.stream(layout, options.width, options.height, codec=options.codec, wait_when_full=True) as window:
        lib, frames = window._library, []
        for array in arrays:
            window.show(array, format=name)
            frames.append(lib.ffi.new("sail_frame*", window._frame[0]))
        with window.handle as pointer:
            for turn in range(2 * options.frames):
                which = turn % 2
                if turn % 4 in (0, 3):  # both kinds get each picture equally often
                    show_ms.append(cpu_ms(lambda: window.show(arrays[which], format=name)))
                elif layout == "bgr":  # show() used a temporary copy of its pixels
                    window.show(arrays[which], format=name)
                else:
                    call_ms.append(cpu_ms(lambda: lib.c.sail_submit(pointer, frames[which], lib.ffi.NULL)))
    show = statistics.median(show_ms)
    call = statistics.median(call_ms) if call_ms else None
    return {"layout": layout, "show_ms": show, "call_ms": call, "ratio": show / call if call else None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--codec", default="dxt1")
    parser.add_argument("--frames", type=int, default=200, help="of each kind")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    options.width, options.height = map(int, options.size.split("x"))
    pictures = [picture(seed, options.width, options.height) for seed in (1, 2)]
    wall = OneTile()
    try:
        wall.setUp()
        with vitrail.Session("bench", f"127.0.0.1:{wall.port}", encode_threads=-1) as session:
            results = [measure(session, layout, pictures, options) for layout in LAYOUTS]
    finally:
        wall.doCleanups()
    print(f"{options.size}, {options.codec}; CPU of the showing thread a frame\n")
    print(f"{'array':<24}{'show()':>10}{'C call':>10}{'ratio':>8}")
    for row in results:
        rest = f"{row['call_ms']:>7.2f} ms{row['ratio']:>8.2f}" if row["call_ms"] else ""
        print(f"{row['layout']:<24}{row['show_ms']:>7.2f} ms{rest}")
    if options.json:
        options.json.write_text(json.dumps({"size": options.size, "codec": options.codec, "arrays": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
