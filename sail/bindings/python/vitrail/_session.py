"""A program's connection to a wall."""

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

# So long nothing of Python runs, Ctrl-C neither, while the library waits for an event.
SLICE_MS = 100
MOST_WAITING = 1024

AnyEvent = TypeVar("AnyEvent", bound=Event)


class Session:
    """Connects to the manager; `with` closes it, and its streams with it.

    name: what people see in lists; None: the program's. manager: "host:port"; None: $VITRAIL_MANAGER, else
    127.0.0.1:7440. encode_threads: that help the one that shows; 0: one a core, less one; -1: none. quiet: nothing on
    standard error. The key comes from $VITRAIL_KEY, $VITRAIL_KEY_FILE or the user's folder, as for all programs.

    Raises Unavailable when there is no manager, or it lets nobody in with this key.
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
        # Of open streams. Weak references are cleared before __del__ when both are collected together; these are not.
        self._stream_handles: dict[int, Handle] = {}
        self._waiting: deque[Event] = deque(maxlen=MOST_WAITING)
        self._callbacks: list[tuple[type[Event], Callable[[Any], object]]] = []

    # --- streams

    def stream(self, title: str, width: int, height: int, *, codec: str | None = None,
               place: Sequence[int] | None = None, fps: float = 0, wait_when_full: bool = False,
               takes_input: bool = False, transport: Literal["tcp", "udp"] | None = None, delay_ms: int = 0, mtu: int = 0,
               step: Literal["frame", "none"] | None = None, group: str | None = None, timeline: Timeline | None = None,
               replaces: Stream | None = None, content: Content | None = None, part: Part | None = None) -> Stream:
        """A window on the wall, which shows frames of width × height pixels.

        codec: "dxt1" (the default), "dxt5" (with alpha), "dxt5ycocg", "raw", "htj2k", "j2k", with what may follow
            (sail.h). place: (x, y, width, height) in wall pixels; None: the manager chooses. fps: frames a second that
            will be shown, if known. wait_when_full: show() waits instead of dropping a frame. takes_input: Input comes.
        transport: None: the wall's choice. delay_ms: from show() to the swap, 1 to 2000; 0: the library's choice; -1:
            none. mtu: bytes of the largest packet over UDP; 0: the wall's. step: "none": each tile shows a frame as
            soon as it has it.
        group: a name: its streams show frames of equal present_ns in one swap. timeline: of its film.
        replaces: a stream of this session whose place this one takes with its first frame.
        content: what the manager starts to have the window again.
        part: this program gives a region of every frame; width and height are of the whole. Waits for the other ranks.

        Raises Refused when the manager says no, Invalid when an option is none.
        """
        options = StreamOptions(title, width, height, codec, place, fps, wait_when_full, takes_input, transport,
                                delay_ms, mtu, step, group, timeline, replaces, content)
        with self._handle as pointer:
            stream = open_stream(self, self._library, pointer, options, part)
        self._streams[stream.address] = stream
        self._stream_handles[stream.address] = stream.handle
        return stream

    def band(self, width: int, height: int, rank: int, ranks: int) -> events.Rect:
        """The region of a rank when each gives a band of the frames, all about as high."""
        rect = self._library.ffi.new("sail_rect*")
        with plain_values():
            status = self._library.c.sail_band(width, height, rank, ranks, rect)
        check(status, f"{height} lines are too few for {ranks} bands, or rank {rank} is none of theirs")
        return events.rect_of(rect)

    def part(self, name: str, rank: int, ranks: int, width: int, height: int, absent: str | None = None) -> Part:
        """A Part that is the band of a rank."""
        return Part(name, rank, ranks, self.band(width, height, rank, ranks), absent)

    # --- time

    def wall_time_ns(self) -> int:
        """Wall time now, nanoseconds: what `present_ns` and `at_ns` are counted in."""
        with self._handle as pointer:
            return int(self._library.c.sail_wall_time(pointer))

    # --- events

    def poll(self, timeout: float = 0) -> Event | None:
        """The next event, waiting at most so many seconds."""
        deadline = time.monotonic() + timeout
        while not self._waiting:
            left_ms = math.ceil((deadline - time.monotonic()) * 1000)
            if not self._fetch(max(0, min(SLICE_MS, left_ms))) and left_ms <= 0:
                return None
        return self._waiting.popleft()

    def events(self, timeout: float | None = 0) -> Iterator[Event]:
        """Events as they come, until none has come for so many seconds (0: those that wait; None: for ever)."""
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
        """Has dispatch() call it with each event of this kind."""
        self._callbacks.append((kind, callback))

    def dispatch(self, timeout: float = 0) -> int:
        """Calls the callbacks of all events that come within so many seconds, in this thread; gives their number."""
        deadline = time.monotonic() + timeout
        count = 0
        while (event := self.poll(max(0.0, deadline - time.monotonic()))) is not None:
            count += 1
            self.call_back(event)
        return count

    def call_back(self, event: Event) -> None:
        """What dispatch() does with an event."""
        for kind, callback in self._callbacks:
            if isinstance(event, kind):
                callback(event)

    def look(self) -> None:
        """Takes what has happened from the library; poll() gives it later. Stream.wanted does this."""
        while self._fetch(0):
            pass

    def _fetch(self, timeout_ms: int) -> bool:
        """One event from the library, if there is one."""
        with self._handle as pointer:
            lib = self._library
            raw = lib.ffi.new("sail_event*")
            status = lib.c.sail_poll_event(pointer, raw, timeout_ms)
            if check(status, "the session cannot be asked for events") != lib.c.SAIL_OK:
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
        """The windows leave the wall."""
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
