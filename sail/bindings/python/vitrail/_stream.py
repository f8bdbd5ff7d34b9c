"""A window on the wall, with its frames and sound."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import events
from ._buffer import Buffer
from ._handle import Handle
from ._library import Library, check, plain_values
from ._options import Part, StreamOptions, options_for, part_for
from ._pixels import NEUTRAL, Format, Matrix, Picture, Range, check_choice, check_codec, sail_name, swapped
from .errors import Invalid, Refused

if TYPE_CHECKING:
    from ._session import Session

_How = tuple[Format | None, Matrix, Range, int]
LOOK_S = 0.1  # interval of polling for events in hold()


def open_stream(session: Session, lib: Library, pointer: Any, options: StreamOptions, part: Part | None) -> Stream:
    """See Session.stream()."""
    keep: list[Any] = []
    raw = options_for(lib, options, keep)
    error = lib.ffi.new("sail_error*")
    with contextlib.ExitStack() as held:
        if options.replaces is not None:
            raw.replaces = held.enter_context(options.replaces.handle)
        if part is None:
            opened = lib.c.sail_stream_open(pointer, raw, error)
            width, height = options.width, options.height
        else:
            opened = lib.c.sail_stream_join(pointer, raw, part_for(lib, part, keep), error)
            _, _, width, height = part.region
    if opened == lib.ffi.NULL:
        raise Refused(lib.sentence(error.text))
    return Stream(session, lib, opened, width, height, options.codec or "dxt1")


class Stream:
    """A window. `with` closes it. All methods may be called from any thread; one thread at a time submits a frame."""

    def __init__(self, session: Session, lib: Library, pointer: Any, width: int, height: int, codec: str) -> None:
        self.session = session
        self.width = width
        self.height = height
        self._codec = codec
        self.handle = Handle(pointer, lib.c.sail_stream_close, "stream")
        self.address = int(lib.ffi.cast("uintptr_t", pointer))
        self._library = lib
        self._showing = threading.Lock()
        self._frame = lib.ffi.new("sail_frame*")
        self._number = lib.ffi.new("uint64_t*")
        self._neutral: Any = None
        self._bytes = lib.ffi.typeof("uint8_t[]")
        self._before: tuple[Any, ...] | None = None  # shape, type and format of the last frame, if contiguous
        self._last: tuple[Any, _How] | None = None
        self._wanted = True

    # --- frames

    def show(self, pixels: Any, *, format: Format | None = None, matrix: Matrix = "bt709", range: Range = "limited",
             bits: int = 16, present_ns: int = 0, at: float | None = None) -> int | None:
        """Show a frame on all tiles in one swap, as soon as possible or at a given time. The frame is encoded when the
        call returns, so the array may then be changed.

        pixels: an array of the stream's size with the buffer protocol or __array_interface__ (numpy, PIL, bytes …),
            read in place. Strides of rows may have any size and sign.

            (height, width) uint8                "grey"
            (height, width, 3) uint8             "rgb", or "bgr" if `format` says so (copied)
            (height, width, 4) uint8             "rgba", or "bgra"
            (height, width, 3) uint16            "rgb-deep" (JPEG 2000 only)
            [Y, Cb, Cr] of (height, width) …     "i420", "i422", "i444": chroma subsampled 2×2, 2×1 or not, rounded up
            [Y, CbCr] with CbCr (…, 2)           "nv12", "nv16"
            one array with all planes' bytes     the same formats

        matrix, range: of YUV formats. bits: per sample of deep formats, 9 to 16.
        present_ns: presentation time as wall time in nanoseconds. at: the same in seconds.

        Returns the frame's number, or None if the frame was dropped because the wall did not keep up. Raises Invalid
        if the pixels do not fit, with the expected shapes; or if the presentation time is more than half a second
        ahead, or before that of the previous frame.
        """
        if at is not None:
            present_ns = round(at * 1e9)
        return self._submit(pixels, (format, matrix, range, bits), present_ns, again=False)

    def _submit(self, pixels: Any, how: _How, present_ns: int, again: bool) -> int | None:
        lib, frame = self._library, self._frame
        with self.handle as pointer, self._showing:
            keep = self._as_before(pixels, how) or self._fill(pixels, *how)
            try:
                frame.present_ns = present_ns
            except (OverflowError, TypeError) as error:
                raise Invalid(f"present_ns: {error}") from error
            frame.again = again
            status = lib.c.sail_submit(pointer, frame, self._number)
            del keep
            self._last = pixels, how
            if status == lib.c.SAIL_OK:
                return int(self._number[0])
        _, matrix, _, bits = how
        check(status, f"libsail rejected this frame (matrix {matrix}, {bits} bits, present_ns {present_ns}): the "
                      f"time is past or too far ahead, or the matrix does not fit the format")
        return None

    def _as_before(self, pixels: Any, how: _How) -> Any:
        """Fast path: if the array has the layout of the previous frame, set only its address. Returns a reference that
        keeps the memory alive; None if the layout differs."""
        try:
            view = memoryview(pixels)
        except TypeError:
            return None
        if not view.c_contiguous or (view.shape, view.format, how) != self._before:
            return None
        data = self._library.ffi.from_buffer(self._bytes, view)
        self._frame.planes[0] = data
        return data

    def _fill(self, pixels: Any, format: Format | None, matrix: Matrix, range: Range, bits: int) -> Any:
        """Fill the sail_frame. Returns an object that must live until the frame is submitted."""
        check_choice("matrix", matrix, Matrix)
        check_choice("range", range, Range)
        lib, frame = self._library, self._frame
        self._before = None
        picture = Picture(pixels, format, self.width, self.height)
        check_codec(self._codec, picture.name, matrix)
        addresses, strides = picture.addresses, picture.strides
        frame.format = getattr(lib.c, sail_name(picture.name))
        frame.matrix = getattr(lib.c, "SAIL_" + matrix.upper())
        frame.range = getattr(lib.c, "SAIL_" + range.upper())
        with plain_values():
            frame.bits = bits
        if picture.name == "bgr":
            picture.copy = lib.ffi.from_buffer(swapped(picture))
            addresses, strides = [int(lib.ffi.cast("uintptr_t", picture.copy))], [self.width * 3]
        elif picture.is_one_piece:
            self._before = *picture.layout, (format, matrix, range, bits)
        if picture.name == "grey":  # luma without colour
            addresses, strides = [*addresses, self._no_colour()], [*strides, (self.width + 1) // 2 * 2]
            frame.range = lib.c.SAIL_FULL
        for plane, (address, stride) in enumerate(zip(addresses, strides)):
            frame.planes[plane] = lib.ffi.cast("uint8_t*", address)
            frame.strides[plane] = stride
        return picture

    def _no_colour(self) -> int:
        lib = self._library
        if self._neutral is None:
            count = (self.width + 1) // 2 * 2 * ((self.height + 1) // 2)
            self._neutral = lib.ffi.new("uint8_t[]", bytes([NEUTRAL]) * count)
        return int(lib.ffi.cast("uintptr_t", self._neutral))

    def hold(self, seconds: float | None = None) -> bool:
        """Block until a person closes the window (returns False) or `seconds` have passed (True). Meanwhile show the
        last picture again whenever the wall needs it. This consumes all events of the session; handle them in callbacks
        (Session.on), which hold() calls."""
        end = None if seconds is None else time.monotonic() + seconds
        while self.wanted and (end is None or time.monotonic() < end):
            event = self.session.poll(LOOK_S if end is None else max(0.0, min(LOOK_S, end - time.monotonic())))
            if event is None:
                continue
            self.session.call_back(event)
            if isinstance(event, events.Refresh) and event.stream is not None:
                event.stream.show_again()
            elif isinstance(event, events.Connected):
                self.show_again()
        return self.wanted

    def show_again(self) -> None:
        """Submit the last picture again, as it is in memory now. Other ranks treat it as the same frame."""
        if self._last is not None:
            pixels, how = self._last
            self._submit(pixels, how, present_ns=0, again=True)

    @property
    def wanted(self) -> bool:
        """False after a person has closed the window, or after close()."""
        if self._wanted and self.handle.is_open:
            self.session.look()
        return self._wanted and self.handle.is_open

    def closed_by_people(self) -> None:
        """Note that a person has closed the window. Called by the session."""
        self._wanted = False

    def skip(self, frames: int = 1) -> None:
        """Report that this number of frames was due and skipped, so that the frame rate stays correct."""
        with self.handle as pointer:
            with plain_values():
                status = self._library.c.sail_skip(pointer, frames)
        check(status, "libsail rejected this number of frames")

    # --- sound

    def play(self, samples: Any, rate: int, *, at_ns: int = 0, with_picture: bool = False,
             restart: bool = False) -> bool:
        """Play sound on the wall's loudspeakers: int16 or float32 (-1 to 1) of (count,) or (count, channels), copied.

        rate: samples per second. at_ns: wall time at which the first sample is played, at most 2 s ahead; with
        `with_picture`, the time at which show() is called for the matching picture. restart: discard earlier sound that
        has not been played yet. Returns False if no receiver plays sound, or if the sound is too late.
        """
        lib = self._library
        with Buffer(samples) as buffer, self.handle as pointer:
            formats = {"int16": lib.c.SAIL_S16, "float32": lib.c.SAIL_FLOAT}
            if buffer.kind not in formats or len(buffer.shape) not in (1, 2) or not buffer.is_contiguous:
                raise Invalid(f"expected samples as (count,) or (count, channels) of int16 or float32 without gaps; "
                              f"these are {buffer}")
            audio = lib.ffi.new("sail_audio*")
            audio.format = formats[buffer.kind]
            audio.samples = lib.ffi.cast("void*", buffer.address)
            audio.count = buffer.shape[0]
            audio.channels = buffer.shape[1] if len(buffer.shape) == 2 else 1
            with plain_values():
                audio.rate, audio.at_ns, audio.with_picture, audio.restart = rate, at_ns, with_picture, restart
            status = lib.c.sail_submit_audio(pointer, audio)
        check(status, f"libsail rejected this sound: {buffer} at {rate} Hz; it must have 1 to 8 channels and "
                      f"end at most 2 s ahead")
        return bool(status == lib.c.SAIL_OK)

    @property
    def has_loudspeakers(self) -> bool:
        """Whether the wall has loudspeakers for this stream, muted or not."""
        with self.handle as pointer:
            return bool(self._library.c.sail_wall_has_audio(pointer))

    # --- state

    @property
    def id(self) -> int:
        """The window's number, as in `vitrail ls` and Wall."""
        with self.handle as pointer:
            return int(self._library.c.sail_stream_id(pointer))

    @property
    def window(self) -> events.Rect:
        """The window's rectangle in wall pixels."""
        rect = self._library.ffi.new("sail_rect*")
        with self.handle as pointer:
            check(self._library.c.sail_stream_window(pointer, rect, self._library.ffi.NULL), "the window is unknown")
        return events.rect_of(rect)

    @property
    def visible(self) -> bool:
        """Whether any tile shows a part of the window."""
        visible = self._library.ffi.new("int*")
        with self.handle as pointer:
            status = self._library.c.sail_stream_window(pointer, self._library.ffi.NULL, visible)
        check(status, "the window is unknown")
        return bool(visible[0])

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the whole picture in wall pixels: the best size for drawing."""
        width, height = self._library.ffi.new("int32_t*"), self._library.ffi.new("int32_t*")
        with self.handle as pointer:
            check(self._library.c.sail_stream_picture(pointer, width, height), "the picture size is unknown")
        return int(width[0]), int(height[0])

    @property
    def stats(self) -> Mapping[str, int]:
        """Counters, named as in sail_stream_stats: frames_shown, frames_dropped, bytes_sent …"""
        raw = self._library.ffi.new("sail_stream_stats*")
        with self.handle as pointer:
            check(self._library.c.sail_stream_get_stats(pointer, raw), "the stream has no statistics")
        return {name: int(getattr(raw, name)) for name, _ in self._library.ffi.typeof(raw).item.fields}

    def set_playback(self, **values: float) -> None:
        """Report the playback state to control programs: fields of sail_playback by name, such as position_s,
        duration_s, rate, paused, loop, page, pages."""
        raw = self._library.ffi.new("sail_playback*")
        known = [name for name, _ in self._library.ffi.typeof(raw).item.fields]
        for name, value in values.items():
            if name not in known:
                raise Invalid(f"unknown field {name!r} of a playback: use {', '.join(known)}")
            with plain_values():
                setattr(raw, name, value)
        with self.handle as pointer:
            check(self._library.c.sail_set_playback(pointer, raw), f"a value is out of range: {values}")

    def watch_frames(self) -> None:
        """Request a FrameFate event for each frame."""
        with self.handle as pointer:
            check(self._library.c.sail_watch_frames(pointer), "frames cannot be watched")

    def watch_links(self) -> None:
        """Request a Link event each second for each receiver of the stream."""
        with self.handle as pointer:
            check(self._library.c.sail_watch_links(pointer), "links cannot be watched")

    # --- the end

    def close(self) -> None:
        """Close the window."""
        if self.handle.is_open:
            self.session.forget(self)
            self.handle.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            self.close()
