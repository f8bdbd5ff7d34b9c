"""Events of sessions, windows and input, as values for `match`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from ._library import Library

if TYPE_CHECKING:
    from ._stream import Stream

WishAction = Literal["pause", "resume", "seek", "rate", "loop", "volume", "page", "subtitles", "sound_track"]
PointerKind = Literal["enter", "leave", "move", "down", "up", "wheel"]
TouchKind = Literal["down", "move", "up"]
SHIFT, CONTROL, ALT, META = 1, 2, 4, 8


class Rect(NamedTuple):
    """A rectangle in pixels of the wall or of a frame."""

    x: int
    y: int
    width: int
    height: int


class DisplayColors(NamedTuple):
    """What the displays of a wall show. primaries: "bt709", "p3" or "bt2020"; gamma: 0 is the curve of sRGB."""

    primaries: str
    peak_nits: float
    gamma: float


class Timeline(NamedTuple):
    """The position of a group's film: position_s (seconds) at wall time at_ns (nanoseconds), and from then on at
    `rate`."""

    position_s: float
    at_ns: int
    rate: float = 1.0
    paused: bool = False


@dataclass(frozen=True)
class Event:
    """An event. stream: the stream of the window; None for events of the session."""

    stream: Stream | None = field(repr=False)


@dataclass(frozen=True)
class Close(Event):
    """A person closed the window: close the stream."""


@dataclass(frozen=True)
class Resize(Event):
    """The window moved or changed size. rect: in wall pixels."""

    rect: Rect


@dataclass(frozen=True)
class Refresh(Event):
    """Tiles need parts of the last frame that they do not have: show the frame again, unless another one follows."""


@dataclass(frozen=True)
class Disconnected(Event):
    """The connection to the manager is lost. The library reconnects; frames continue."""


@dataclass(frozen=True)
class Connected(Event):
    """The library is connected again, and the manager knows the streams."""


@dataclass(frozen=True)
class Wish(Event):
    """A person controls the film or document. value: seek: seconds; rate: factor of the normal speed; loop: 1 or 0;
    volume: 0 to 1; page: from 1; subtitles, sound_track: a number as in sail.h."""

    action: WishAction
    value: float


@dataclass(frozen=True)
class Codec(Event):
    """A person selected another codec: open a stream with this codec that replaces this stream."""

    codec: str


@dataclass(frozen=True)
class GroupTimeline(Event):
    """The stream is in a group with this timeline; None: it has left the group."""

    timeline: Timeline | None


@dataclass(frozen=True)
class FrameFate(Event):
    """The result of a frame (after Stream.watch_frames()). Times: wall time in nanoseconds; 0 if it was not shown."""

    number: int
    shown: bool
    receivers: int
    submitted_ns: int
    first_swapped_ns: int
    last_swapped_ns: int


@dataclass(frozen=True)
class Link(Event):
    """Statistics of the link to one receiver in the last second (after Stream.watch_links()), named as in
    sail_link_stats."""

    receiver: str
    transport: Literal["tcp", "udp"]
    figures: dict[str, Any]


@dataclass(frozen=True)
class Receiver(Event):
    """Frames do not reach a receiver, reach it again, or use another transport. text: the reason, and what to do."""

    name: str
    reachable: bool
    text: str


@dataclass(frozen=True)
class Input(Event):
    """Input of a person. client: number of the UI client. modifiers: sum of SHIFT, CONTROL, ALT, META."""

    client: int
    modifiers: int


@dataclass(frozen=True)
class Pointer(Input):
    """A pointer event. x, y: pixels of the stream's frames from the top left, with fractions; outside the frame only
    while a button is held; None after the pointer has left. button: of down and up: 0 left, 1 middle, 2 right.
    buttons: sum of those held: 1 left, 2 right, 4 middle. wheel: notches to the right and down."""

    kind: PointerKind
    x: float | None
    y: float | None
    button: int
    buttons: int
    wheel: tuple[float, float]


@dataclass(frozen=True)
class Key(Input):
    """A key event. key: as DOM's KeyboardEvent.key: the character, or the key's name: "a", "Enter", "ArrowLeft"."""

    kind: Literal["down", "up"]
    key: str


@dataclass(frozen=True)
class Touch(Input):
    """A touch event. finger: distinguishes the fingers of a client. x, y: pixels of the stream's frames."""

    kind: TouchKind
    finger: int
    x: float
    y: float


@dataclass(frozen=True)
class Pinch(Input):
    """A pinch of two fingers around x, y. scale: factor since the last event."""

    scale: float
    x: float
    y: float


# --- from libsail -------------------------------------------------------------------------------

_POINTER_KINDS: tuple[PointerKind, ...] = get_args(PointerKind)
_TOUCH_KINDS: tuple[TouchKind, ...] = get_args(TouchKind)
_WISHES: tuple[WishAction, ...] = get_args(WishAction)


def display_colors_of(library: Library, raw: Any) -> DisplayColors:
    names = ("bt709", "p3", "bt2020")
    name = next(name for name in names if raw.primaries == getattr(library.c, "SAIL_PRIMARIES_" + name.upper()))
    return DisplayColors(name, raw.peak_nits, raw.gamma)


def rect_of(raw: Any) -> Rect:
    return Rect(raw.x, raw.y, raw.width, raw.height)


def _input(library: Library, stream: Stream | None, raw: Any) -> Event | None:
    c, said = library.c, raw.input
    base = (stream, said.client, said.modifiers)
    for kind in _POINTER_KINDS:
        if said.type == getattr(c, "SAIL_INPUT_" + kind.upper()):
            at = (said.x, said.y) if said.has_point else (None, None)
            return Pointer(*base, kind, *at, said.button, said.buttons, (said.wheel_x, said.wheel_y))
    if said.type in (c.SAIL_INPUT_KEY_DOWN, c.SAIL_INPUT_KEY_UP):
        return Key(*base, "down" if said.type == c.SAIL_INPUT_KEY_DOWN else "up", library.sentence(said.key))
    if said.type == c.SAIL_INPUT_PINCH:
        return Pinch(*base, said.scale, said.x, said.y)
    for touch in _TOUCH_KINDS:
        if said.type == getattr(c, "SAIL_INPUT_TOUCH_" + touch.upper()):
            return Touch(*base, touch, said.touch, said.x, said.y)
    return None


def _timeline(stream: Stream | None, raw: Any) -> Event:
    timeline = raw.timeline
    if not raw.value:
        return GroupTimeline(stream, None)
    return GroupTimeline(stream, Timeline(timeline.position_s, timeline.at_ns, timeline.rate, bool(timeline.paused)))


def _fate(stream: Stream | None, raw: Any) -> Event:
    frame = raw.frame
    return FrameFate(stream, frame.number, bool(frame.shown), frame.receivers, frame.submitted_ns, frame.first_swapped_ns,
                     frame.last_swapped_ns)


def _link(library: Library, stream: Stream | None, raw: Any) -> Event:
    link = raw.link
    names = [name for name, _ in library.ffi.typeof(link).fields]
    others = ("receiver", "transport", "bursts", "memory_trouble")
    figures = {name: getattr(link, name) for name in names if name not in others}
    figures["bursts"] = list(link.bursts)
    figures["memory_trouble"] = library.sentence(link.memory_trouble)
    transport: Literal["tcp", "udp"] = "udp" if link.transport == library.c.SAIL_UDP else "tcp"
    return Link(stream, library.sentence(link.receiver), transport, figures)


def event_from(library: Library, raw: Any, stream: Stream | None) -> Event | None:
    """Convert an event of libsail. Returns None for kinds that this package does not know."""
    c = library.c
    makers: dict[int, Callable[[], Event | None]] = {
        c.SAIL_EVENT_CLOSE: lambda: Close(stream),
        c.SAIL_EVENT_RESIZE: lambda: Resize(stream, rect_of(raw.rect)),
        c.SAIL_EVENT_FRAME: lambda: _fate(stream, raw),
        c.SAIL_EVENT_DISCONNECTED: lambda: Disconnected(stream),
        c.SAIL_EVENT_CONNECTED: lambda: Connected(stream),
        c.SAIL_EVENT_REFRESH: lambda: Refresh(stream),
        c.SAIL_EVENT_CODEC: lambda: Codec(stream, library.sentence(raw.codec)),
        c.SAIL_EVENT_LINK: lambda: _link(library, stream, raw),
        c.SAIL_EVENT_INPUT: lambda: _input(library, stream, raw),
        c.SAIL_EVENT_TIMELINE: lambda: _timeline(stream, raw),
        c.SAIL_EVENT_RECEIVER: lambda: Receiver(stream, library.sentence(raw.receiver.name), bool(raw.receiver.reachable),
                                                library.sentence(raw.receiver.text)),
    }
    for action in _WISHES:
        if raw.type == getattr(c, "SAIL_EVENT_" + action.upper()):
            return Wish(stream, action, raw.value)
    maker = makers.get(raw.type)
    return maker() if maker else None
