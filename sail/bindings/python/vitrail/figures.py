"""Shows figures of matplotlib on the wall."""

from __future__ import annotations

from typing import Any

from ._stream import Stream
from .errors import Invalid


def fit_figure(stream: Stream, figure: Any) -> None:
    """Set the figure's size to that of the stream's frames, at the figure's dots per inch."""
    figure.set_size_inches(stream.width / figure.dpi, stream.height / figure.dpi)


def show_figure(stream: Stream, figure: Any) -> int | None:
    """Draw a matplotlib figure and show it without a copy. Returns the result of Stream.show().

    The figure must have the size of the stream's frames (see fit_figure()) and an Agg canvas. pyplot makes such
    canvases, and so does `FigureCanvasAgg(figure)`.
    """
    canvas = figure.canvas
    if not hasattr(canvas, "buffer_rgba"):
        raise Invalid(f"a figure with the canvas {type(canvas).__name__} has no pixels: give it one by "
                      f"matplotlib.backends.backend_agg.FigureCanvasAgg(figure)")
    canvas.draw()
    return stream.show(canvas.buffer_rgba(), format="rgba")
