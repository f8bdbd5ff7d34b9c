"""What happens to a stream's window, and what people do over it: small values for `match`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from ._library import Library

if TYPE_CHECKING:
    from ._stream import Stream

WishAction = Literal["pause", "resume", "seek", "rate", "loop", "volume", "page"]
PointerKind = Literal["enter", "leave", "move", "down", "up", "wheel"]
TouchKind = Literal["down", "move", "up"]
SHIFT, CONTROL, ALT, META = 1, 2, 4, 8


class Rect(NamedTuple):
    """Pixels: of the wall, or of a frame."""

    x: int
    y: int
    width: int
    height: int


class Timeline(NamedTuple):
    """Where the film of a group is: at position_s (seconds) at the wall time at_ns (nanoseconds), and on from there."""

    position_s: float
    at_ns: int
    rate: float = 1.0
    paused: bool = False


@dataclass(frozen=True)
class Event:
    """stream: whose window it is about; None for events of the session."""

    stream: Stream | None = field(repr=False)


@dataclass(frozen=True)
class Close(Event):
    """Somebody closed the window: end the stream."""


@dataclass(frozen=True)
class Resize(Event):
    """The window moved or changed size: rect, wall pixels."""

    rect: Rect


@dataclass(frozen=True)
class Refresh(Event):
    """The wall shows parts of the last frame that it has not: show it again, if no other follows by itself."""


@dataclass(frozen=True)
class Disconnected(Event):
    """The manager is gone. The library keeps trying, and frames go on."""


@dataclass(frozen=True)
class Connected(Event):
    """A manager knows the streams again."""


@dataclass(frozen=True)
class Wish(Event):
    """Somebody wants the film or document otherwise. value: seconds of seek, times the normal speed of rate, 1 or 0 of
    loop, 0 to 1 of volume, a number from 1 of page."""

    action: WishAction
    value: float


@dataclass(frozen=True)
class Codec(Event):
    """Somebody wants another codec: open a stream with it that replaces this one."""

    codec: str


@dataclass(frozen=True)
class GroupTimeline(Event):
    """The stream is a member of a group, whose film is there; None: it is a member no more."""

    timeline: Timeline | None


@dataclass(frozen=True)
class FrameFate(Event):
    """What became of a frame (after Stream.watch_frames()); times: nanoseconds of wall time, 0 when it is not shown."""

    number: int
    shown: bool
    receivers: int
    submitted_ns: int
    first_swapped_ns: int
    last_swapped_ns: int


@dataclass(frozen=True)
class Link(Event):
    """The way to one receiver in the last second (after Stream.watch_links()): figures named as in sail_link_stats."""

    receiver: str
    transport: Literal["tcp", "udp"]
    figures: dict[str, Any]


@dataclass(frozen=True)
class Receiver(Event):
    """Frames do not get through to a receiver, or do again, or by another transport: text says why, and what to do."""

    name: str
    reachable: bool
    text: str


@dataclass(frozen=True)
class Input(Event):
    """What a person did over the window. client: whose, a number for each person; modifiers: SHIFT and so on, a sum."""

    client: int
    modifiers: int


@dataclass(frozen=True)
class Pointer(Input):
    """x, y: pixels of the stream's frames from the top left, fractions too, outside while a button is held; None when
    the pointer left. button: of down and up, 0 left, 1 middle, 2 right. buttons: held now, a sum of 1 left, 2 right,
    4 middle. wheel: notches to the right and downwards."""

    kind: PointerKind
    x: float | None
    y: float | None
    button: int
    buttons: int
    wheel: tuple[float, float]


@dataclass(frozen=True)
class Key(Input):
    """key: the character typed, or the key's name as in DOM's KeyboardEvent.key: "a", "Enter", "ArrowLeft"."""

    kind: Literal["down", "up"]
    key: str


@dataclass(frozen=True)
class Touch(Input):
    """A finger, told from the client's others by its number; x, y in pixels of the stream's frames."""

    kind: TouchKind
    finger: int
    x: float
    y: float


@dataclass(frozen=True)
class Pinch(Input):
    """Two fingers apart or together by the factor scale, since the last one, around x, y."""

    scale: float
    x: float
    y: float


# --- from libsail -------------------------------------------------------------------------------

_POINTER_KINDS: tuple[PointerKind, ...] = get_args(PointerKind)
_TOUCH_KINDS: tuple[TouchKind, ...] = get_args(TouchKind)
_WISHES: tuple[WishAction, ...] = get_args(WishAction)


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
    told = raw.timeline
    if not raw.value:
        return GroupTimeline(stream, None)
    return GroupTimeline(stream, Timeline(told.position_s, told.at_ns, told.rate, bool(told.paused)))


def _fate(stream: Stream | None, raw: Any) -> Event:
    told = raw.frame
    return FrameFate(stream, told.number, bool(told.shown), told.receivers, told.submitted_ns, told.first_swapped_ns,
                     told.last_swapped_ns)


def _link(library: Library, stream: Stream | None, raw: Any) -> Event:
    told = raw.link
    names = [name for name, _ in library.ffi.typeof(told).fields]
    figures = {name: getattr(told, name) for name in names if name not in ("receiver", "transport", "bursts")}
    figures["bursts"] = list(told.bursts)
    transport: Literal["tcp", "udp"] = "udp" if told.transport == library.c.SAIL_UDP else "tcp"
    return Link(stream, library.sentence(told.receiver), transport, figures)


def event_from(library: Library, raw: Any, stream: Stream | None) -> Event | None:
    """None: a kind that this package does not know."""
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
