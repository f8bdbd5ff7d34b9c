"""Figures of matplotlib on the wall."""

from __future__ import annotations

from typing import Any

from ._stream import Stream
from .errors import Invalid


def fit_figure(stream: Stream, figure: Any) -> None:
    """Makes the figure as large as the stream's frames, at the figure's dots per inch."""
    figure.set_size_inches(stream.width / figure.dpi, stream.height / figure.dpi)


def show_figure(stream: Stream, figure: Any) -> int | None:
    """Draws a matplotlib figure and shows it as it lies in the canvas's memory; gives what Stream.show() gives.

    The figure must be as large as the stream's frames, which fit_figure() sees to, and have a canvas of Agg, as all do
    that pyplot makes, or that `FigureCanvasAgg(figure)` gave one.
    """
    canvas = figure.canvas
    if not hasattr(canvas, "buffer_rgba"):
        raise Invalid(f"a figure with the canvas {type(canvas).__name__} has no pixels: give it one by "
                      f"matplotlib.backends.backend_agg.FigureCanvasAgg(figure)")
    canvas.draw()
    return stream.show(canvas.buffer_rgba(), format="rgba")
