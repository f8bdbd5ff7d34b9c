"""The connection of a program to a wall."""

from __future__ import annotations

import math
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar

from . import events
from ._handle import Handle
from ._library import check, library, plain_values
from ._options import Content, Part, StreamOptions
from ._stream import Stream, open_stream
from .errors import Invalid, Unavailable
from .events import Event, Timeline

# Longest wait for an event inside the library. During this time Python runs no signal handlers, such as for Ctrl-C.
SLICE_MS = 100
MOST_WAITING = 1024

AnyEvent = TypeVar("AnyEvent", bound=Event)


class Session:
    """A connection to the manager. `with` closes the session and its streams.

    name: shown in lists; None: the name of the program. manager: "host:port"; None: $VITRAIL_MANAGER, else
    127.0.0.1:7440. encode_threads: threads in addition to the one that calls show(); 0: one less than there are cores;
    -1: none. quiet: write nothing to standard error. The key comes from $VITRAIL_KEY, $VITRAIL_KEY_FILE or the user's
    folder, as for all programs.

    Raises Unavailable if there is no manager, or if it refuses the key.
    """

    def __init__(self, name: str | None = None, manager: str | None = None, *, encode_threads: int = 0,
                 quiet: bool = True) -> None:
        lib = self._library = library()
        keep: list[Any] = []
        options = lib.ffi.new("sail_session_options*")
        options.name = lib.text(name, keep)
        options.manager = lib.text(manager, keep)
        with plain_values():
            options.encode_threads, options.quiet = encode_threads, quiet
        error = lib.ffi.new("sail_error*")
        pointer = lib.c.sail_session_open(options, error)
        if pointer == lib.ffi.NULL:
            raise Unavailable(lib.sentence(error.text))
        self._handle = Handle(pointer, lib.c.sail_session_close, "session")
        self._streams: weakref.WeakValueDictionary[int, Stream] = weakref.WeakValueDictionary()
        # Handles of open streams. When session and streams are collected together, the weak references are cleared
        # before __del__; these strong references are not.
        self._stream_handles: dict[int, Handle] = {}
        self._waiting: deque[Event] = deque(maxlen=MOST_WAITING)
        self._callbacks: list[tuple[type[Event], Callable[[Any], object]]] = []

    # --- streams

    def stream(self, title: str, width: int, height: int, *, codec: str | None = None,
               place: Sequence[int] | None = None, fps: float = 0, wait_when_full: bool = False,
               takes_input: bool = False, transport: Literal["tcp", "udp"] | None = None, delay_ms: int = 0, mtu: int = 0,
               step: Literal["frame", "none"] | None = None, group: str | None = None, timeline: Timeline | None = None,
               replaces: Stream | None = None, content: Content | None = None, part: Part | None = None) -> Stream:
        """Open a window for frames of width × height pixels.

        codec: "dxt1" (default), "dxt5" (with alpha), "dxt5ycocg", "raw", "htj2k", "j2k", with the suffixes of sail.h.
        place: (x, y, width, height) in wall pixels; None: the manager chooses.
        fps: frames per second, if known.
        wait_when_full: show() waits instead of dropping a frame.
        takes_input: Input events are sent.
        transport: None: the wall's default. delay_ms: from show() to the swap, 1 to 2000; 0: the library chooses; -1:
            no delay. mtu: bytes of the largest UDP packet; 0: the wall's.
        step: "none": each tile shows a frame as soon as it can, without waiting for the other tiles.
        group: name of a group, whose streams show frames of equal present_ns in one swap. timeline: of the group's film.
        replaces: a stream of this session; the new stream takes its place with the first frame.
        content: how the manager can start the window's content again.
        part: this program supplies a region of each frame; width and height are those of the whole frame. The call
            waits for the other ranks.

        Raises Refused if the manager refuses the stream, Invalid for an invalid option.
        """
        options = StreamOptions(title, width, height, codec, place, fps, wait_when_full, takes_input, transport,
                                delay_ms, mtu, step, group, timeline, replaces, content)
        with self._handle as pointer:
            stream = open_stream(self, self._library, pointer, options, part)
        self._streams[stream.address] = stream
        self._stream_handles[stream.address] = stream.handle
        return stream

    def band(self, width: int, height: int, rank: int, ranks: int) -> events.Rect:
        """Return the region of a rank if all ranks supply horizontal bands of about the same height."""
        rect = self._library.ffi.new("sail_rect*")
        with plain_values():
            status = self._library.c.sail_band(width, height, rank, ranks, rect)
        check(status, f"{height} lines are too few for {ranks} bands, or rank {rank} does not exist")
        return events.rect_of(rect)

    def part(self, name: str, rank: int, ranks: int, width: int, height: int, absent: str | None = None) -> Part:
        """Return the Part of a rank whose region is its band()."""
        return Part(name, rank, ranks, self.band(width, height, rank, ranks), absent)

    # --- time

    def wall_time_ns(self) -> int:
        """Return wall time now in nanoseconds, the clock of `present_ns` and `at_ns`."""
        with self._handle as pointer:
            return int(self._library.c.sail_wall_time(pointer))

    def display_colors(self) -> events.DisplayColors:
        """Return what the wall's displays show. Pixels are shown as they are, so programs convert other colours."""
        colors = self._library.ffi.new("sail_display_colors*")
        with self._handle as pointer:
            check(self._library.c.sail_wall_display_colors(pointer, colors), "the session is closed")
        return events.display_colors_of(self._library, colors)

    # --- events

    def poll(self, timeout: float = 0) -> Event | None:
        """Return the next event; None after `timeout` seconds without one."""
        deadline = time.monotonic() + timeout
        while not self._waiting:
            left_ms = math.ceil((deadline - time.monotonic()) * 1000)
            if not self._fetch(max(0, min(SLICE_MS, left_ms))) and left_ms <= 0:
                return None
        return self._waiting.popleft()

    def events(self, timeout: float | None = 0) -> Iterator[Event]:
        """Yield events until none has come for `timeout` seconds (0: queued events only; None: no end)."""
        while self._handle.is_open:
            try:
                event = self.poll(SLICE_MS / 1000 if timeout is None else timeout)
            except Invalid:  # closed by another thread
                return
            if event is not None:
                yield event
            elif timeout is not None:
                return

    def on(self, kind: type[AnyEvent], callback: Callable[[AnyEvent], object]) -> None:
        """Register a callback that dispatch() calls with each event of this kind."""
        self._callbacks.append((kind, callback))

    def dispatch(self, timeout: float = 0) -> int:
        """Call the callbacks of all events that come within `timeout` seconds, in this thread. Returns the number of
        events."""
        deadline = time.monotonic() + timeout
        count = 0
        while (event := self.poll(max(0.0, deadline - time.monotonic()))) is not None:
            count += 1
            self.call_back(event)
        return count

    def call_back(self, event: Event) -> None:
        """Call the callbacks of one event."""
        for kind, callback in self._callbacks:
            if isinstance(event, kind):
                callback(event)

    def look(self) -> None:
        """Move the library's pending events into the queue of poll(). Called by Stream.wanted."""
        while self._fetch(0):
            pass

    def _fetch(self, timeout_ms: int) -> bool:
        """Move one event from the library into the queue. Returns False if there was none."""
        with self._handle as pointer:
            lib = self._library
            raw = lib.ffi.new("sail_event*")
            status = lib.c.sail_poll_event(pointer, raw, timeout_ms)
            if check(status, "cannot read the session's events") != lib.c.SAIL_OK:
                return False
            address = int(lib.ffi.cast("uintptr_t", raw.stream))
            stream = self._streams.get(address)
            event = events.event_from(lib, raw, stream) if stream or not address else None
        if event is None:
            return True
        if isinstance(event, events.Close) and stream is not None:
            stream.closed_by_people()
        self._waiting.append(event)
        return True

    # --- the end

    @property
    def is_open(self) -> bool:
        return self._handle.is_open

    def forget(self, stream: Stream) -> None:
        """Called by the stream when it closes."""
        self._streams.pop(stream.address, None)
        self._stream_handles.pop(stream.address, None)

    def close(self) -> None:
        """Close the session and its windows."""
        if not self._handle.is_open:
            return
        for handle in list(self._stream_handles.values()):
            handle.close()
        self._stream_handles.clear()
        self._handle.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self.close()
