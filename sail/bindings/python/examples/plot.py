#!/usr/bin/env python3
"""An animated matplotlib plot in a window on the wall: plot.py [SECONDS]"""

import math
import sys
import time

import vitrail
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

FPS = 15


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else math.inf
    figure = Figure(dpi=150)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    times = [i / 100 for i in range(1000)]
    (line,) = axes.plot(times, [math.sin(t) for t in times])
    axes.set_title("a wave")
    with vitrail.Session("plot") as session, session.stream("Plot", 1920, 1080, fps=FPS) as window:
        vitrail.fit_figure(window, figure)
        begun = time.monotonic()
        frame = 0
        while window.wanted and (now := time.monotonic() - begun) < seconds:
            line.set_ydata([math.sin(t + 2 * now) for t in times])
            vitrail.show_figure(window, figure)
            frame += 1
            session.dispatch(max(0.0, frame / FPS - (time.monotonic() - begun)))


if __name__ == "__main__":
    main()
