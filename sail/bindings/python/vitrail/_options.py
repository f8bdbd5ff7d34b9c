"""Options for opening a stream, and their conversion to the structures of sail.h."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._library import Library, plain_values
from .errors import Invalid
from .events import Timeline

if TYPE_CHECKING:
    from ._stream import Stream


@dataclass(frozen=True)
class Part:
    """The part of each frame that one of several programs (ranks) supplies.

    region: (x, y, width, height) in pixels of the whole frame. name: equal for all ranks of a window. absent: what
    replaces an absent rank: "wait" (all wait for it), "last" (its last picture) or "dark".
    """

    name: str
    rank: int
    ranks: int
    region: Sequence[int]
    absent: str | None = None


@dataclass(frozen=True)
class Content:
    """How to start a window's content again. media: files (absolute paths), test cards or addresses. program: the
    player."""

    media: Sequence[str]
    program: str | None = None
    loop: bool = False


@dataclass(frozen=True)
class StreamOptions:
    """See Session.stream()."""

    title: str
    width: int
    height: int
    codec: str | None
    place: Sequence[int] | None
    fps: float
    wait_when_full: bool
    takes_input: bool
    transport: str | None
    delay_ms: int
    mtu: int
    step: str | None
    group: str | None
    timeline: Timeline | None
    replaces: Stream | None
    content: Content | None


def options_for(lib: Library, options: StreamOptions, keep: list[Any]) -> Any:
    """Return sail_stream_options without `replaces`. Memory that it points to lives as long as `keep`."""
    raw = lib.ffi.new("sail_stream_options*")
    for name in ("title", "codec", "transport", "step", "group"):
        setattr(raw, name, lib.text(getattr(options, name), keep))
    with plain_values():
        for name in ("width", "height", "fps", "wait_when_full", "takes_input", "delay_ms", "mtu"):
            setattr(raw, name, getattr(options, name))
        if options.timeline is not None:
            keep.append(lib.ffi.new("sail_timeline*", list(options.timeline)))
            raw.timeline = keep[-1]
    if options.place is not None:
        _fill_rect(raw.place, options.place, "place")
    if options.content is not None:
        raw.content = _content(lib, options.content, keep)
    return raw


def part_for(lib: Library, part: Part, keep: list[Any]) -> Any:
    raw = lib.ffi.new("sail_part*")
    raw.name, raw.absent = lib.text(part.name, keep), lib.text(part.absent, keep)
    with plain_values():
        raw.rank, raw.ranks = part.rank, part.ranks
    _fill_rect(raw.region, part.region, "region")
    return raw


def _fill_rect(raw: Any, rect: Sequence[int], what: str) -> None:
    if len(rect) != 4:
        raise Invalid(f"{what} must be (x, y, width, height), not {rect!r}")
    with plain_values():
        raw.x, raw.y, raw.width, raw.height = rect


def _content(lib: Library, content: Content, keep: list[Any]) -> Any:
    raw = lib.ffi.new("sail_content*")
    names = lib.ffi.new("char*[]", [lib.text(name, keep) for name in content.media])
    keep += [names, raw]
    raw.media, raw.media_count = names, len(content.media)
    raw.program = lib.text(content.program, keep)
    raw.loop = content.loop
    return raw
