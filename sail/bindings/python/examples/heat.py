#!/usr/bin/env python3
"""Heat that people add with pointers and fingers, and that spreads and fades: heat.py [SECONDS]

Left button or finger: add heat; Escape: clear. numpy computes a small picture; the wall scales it up.
"""

import math
import sys
import time

import numpy
import vitrail

WIDTH, HEIGHT, FPS = 640, 360, 30
STAMP = 12  # pixels from the pointer


def colours() -> numpy.ndarray:
    """Return 256 colours from black through red and yellow to white."""
    level = numpy.arange(256)
    return numpy.stack([3 * level, 3 * level - 255, 3 * level - 510], axis=1).clip(0, 255).astype(numpy.uint8)


def spread(heat: numpy.ndarray) -> None:
    inner = heat[1:-1, 1:-1]
    around = heat[:-2, 1:-1] + heat[2:, 1:-1] + heat[1:-1, :-2] + heat[1:-1, 2:]
    inner += 0.2 * (around - 4 * inner)
    heat *= 0.995


def bring(heat: numpy.ndarray, x: float | None, y: float | None) -> None:
    if x is None or y is None:
        return
    left, top = max(0, int(x) - STAMP), max(0, int(y) - STAMP)
    heat[top:max(0, int(y) + STAMP), left:max(0, int(x) + STAMP)] += 40


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else math.inf
    heat = numpy.zeros((HEIGHT, WIDTH), numpy.float32)
    heat[HEIGHT // 2 - 40:HEIGHT // 2 + 40, WIDTH // 2 - 40:WIDTH // 2 + 40] = 255
    palette = colours()
    end = time.monotonic() + seconds
    with vitrail.Session("heat") as session, \
            session.stream("Heat", WIDTH, HEIGHT, fps=FPS, takes_input=True) as window:
        while time.monotonic() < end:
            window.show(palette[heat.clip(0, 255).astype(numpy.uint8)])
            spread(heat)
            for event in session.events(1 / FPS):
                match event:
                    case vitrail.Close():
                        return
                    case vitrail.Pointer(buttons=buttons, x=x, y=y) if buttons & 1:
                        bring(heat, x, y)
                    case vitrail.Touch(kind="down" | "move", x=x, y=y):
                        bring(heat, x, y)
                    case vitrail.Key(kind="down", key="Escape"):
                        heat[:] = 0


if __name__ == "__main__":
    main()
