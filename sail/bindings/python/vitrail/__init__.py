"""Show pictures from Python on a Vitrail wall, and control the wall.

    import vitrail
    with vitrail.Session() as s, s.stream("plot", 1920, 1080) as w:
        w.show(array)                  # (1080, 1920, 3) uint8, from numpy or anything with the buffer protocol
        w.hold()                       # blocks until a person closes the window

    with vitrail.Wall() as wall:
        wall.move(1, x=0, y=0)         # each verb of the manager is a method; asyncio: vitrail.aio.Wall

The first Session loads libsail: from $VITRAIL_LIBSAIL, else from the prefix of the package, the system's library path,
or the folder that pkg-config reports. Every exception is a vitrail.Error.
"""

from . import aio
from ._conversation import Notification
from ._options import Content, Part
from ._session import Session
from ._stream import Stream
from ._wall import Wall
from .errors import Error, Invalid, Refused, Unavailable
from .events import (
    ALT, CONTROL, META, SHIFT, Close, Codec, Connected, Disconnected, DisplayColors, Event, FrameFate,
    GroupTimeline, Input, Key, Link, Pinch, Pointer, Receiver, Rect, Refresh, Resize, Timeline, Touch, Wish)
from .figures import fit_figure, show_figure

__version__ = "0.2.0"
__all__ = [
    "ALT", "CONTROL", "META", "SHIFT", "Close", "Codec", "Connected", "Content", "Disconnected", "DisplayColors",
    "Error", "Event", "FrameFate", "GroupTimeline", "Input", "Invalid", "Key", "Link", "Notification", "Part", "Pinch",
    "Pointer", "Receiver", "Rect", "Refresh", "Refused", "Resize", "Session", "Stream", "Timeline", "Touch",
    "Unavailable", "Wall", "Wish", "aio", "fit_figure", "show_figure"]
