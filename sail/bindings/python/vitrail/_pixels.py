"""Maps arrays to the planes of a sail_frame: formats, their shapes, and errors for arrays that do not fit."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ._buffer import Buffer, contiguous
from .errors import Invalid

Format = Literal["rgb", "bgr", "rgba", "bgra", "grey", "nv12", "i420", "nv16", "i422", "i444", "i420-deep", "i422-deep",
                 "i444-deep", "rgb-deep"]
Matrix = Literal["bt601", "bt709", "bt2020", "xyz"]
Range = Literal["limited", "full"]

NEUTRAL = 128  # chroma sample without colour


@dataclass(frozen=True)
class PlaneShape:
    """One plane. across, down: subsampling factors. channels: samples per pixel. itemsize: bytes per sample."""

    across: int = 1
    down: int = 1
    channels: int = 1
    itemsize: int = 1

    def sizes(self, width: int, height: int) -> tuple[int, int]:
        return -(-width // self.across), -(-height // self.down)

    def byte_count(self, width: int, height: int) -> int:
        columns, rows = self.sizes(width, height)
        return columns * rows * self.channels * self.itemsize

    def text(self, width: int, height: int) -> str:
        columns, rows = self.sizes(width, height)
        shape = (rows, columns) if self.channels == 1 else (rows, columns, self.channels)
        return f"{shape} of {'uint8' if self.itemsize == 1 else 'uint16'}"


def _planes(across: int, down: int, itemsize: int = 1) -> list[PlaneShape]:
    chroma = PlaneShape(across, down, 1, itemsize)
    return [PlaneShape(itemsize=itemsize), chroma, chroma]


FORMATS: dict[str, list[PlaneShape]] = {
    "rgb": [PlaneShape(channels=3)],
    "bgr": [PlaneShape(channels=3)],
    "rgba": [PlaneShape(channels=4)],
    "bgra": [PlaneShape(channels=4)],
    "grey": [PlaneShape()],
    "nv12": [PlaneShape(), PlaneShape(2, 2, 2)],
    "nv16": [PlaneShape(), PlaneShape(2, 1, 2)],
    "i420": _planes(2, 2),
    "i422": _planes(2, 1),
    "i444": _planes(1, 1),
    "i420-deep": _planes(2, 2, 2),
    "i422-deep": _planes(2, 1, 2),
    "i444-deep": _planes(1, 1, 2),
    "rgb-deep": [PlaneShape(channels=3, itemsize=2)],
}
# Formats that libsail lacks, and the format that is submitted instead.
SAIL_NAMES = {"bgr": "SAIL_RGB", "grey": "SAIL_NV12"}


def sail_name(name: str) -> str:
    return SAIL_NAMES.get(name, "SAIL_" + name.upper().replace("-", "_"))


def check_choice(what: str, value: str | None, choices: Any) -> None:
    if value is not None and value not in get_args(choices):
        raise Invalid(f"{what} must be one of {', '.join(map(repr, get_args(choices)))}, not {value!r}")


class Picture:
    """The planes of one frame in the caller's memory: addresses, strides, and references that keep the memory alive."""

    def __init__(self, source: Any, name: Format | None, width: int, height: int) -> None:
        self.buffers: list[Buffer] = []
        self.copy: Any = None  # converted pixels of formats that libsail cannot read
        self.addresses: list[int] = []
        self.strides: list[int] = []
        self.width = width
        self.height = height
        try:
            self.name = self._read(source, name)
        except Invalid:
            for buffer in self.buffers:
                buffer.release()  # so that a stored exception does not keep the array alive
            raise

    @property
    def is_one_piece(self) -> bool:
        """Whether the picture is one plane without gaps, from an array with the buffer protocol."""
        return len(self.addresses) == 1 and self.buffers[0].is_contiguous and bool(self.buffers[0].format)

    @property
    def layout(self) -> tuple[tuple[int, ...], str]:
        return self.buffers[0].shape, self.buffers[0].format

    def _read(self, source: Any, name: Format | None) -> str:
        check_choice("format", name, Format)
        _check_image(source)
        if isinstance(source, (tuple, list)):
            return self._read_planes(source, name)
        buffer = self._open(source)
        name = name or self._guess(buffer)
        shapes = FORMATS[name]
        if len(shapes) > 1 or len(buffer.shape) == 1:
            self._cut(buffer, name, shapes)
        else:
            self._add(buffer, shapes[0], name)
        return name

    def _open(self, source: Any) -> Buffer:
        self.buffers.append(Buffer(source))
        return self.buffers[-1]

    def _guess(self, buffer: Buffer) -> Format:
        """Return the usual format of an array of this shape and type."""
        if len(buffer.shape) == 1:
            by_size: dict[int, Format] = {4: "rgba", 3: "rgb", 1: "grey"}
            channels, rest = divmod(buffer.byte_count, self.width * self.height)
            if not rest and channels in by_size:
                return by_size[channels]
        elif len(buffer.shape) == 2:
            return "grey"
        elif len(buffer.shape) == 3 and buffer.shape[2] in (3, 4):
            if buffer.kind == "uint16":
                return "rgb-deep"
            return "rgb" if buffer.shape[2] == 3 else "rgba"
        grey, rgb, rgba = ((self.height, self.width, *more) for more in ((), (3,), (4,)))
        raise Invalid(f"expected an array of the stream's size, {self.width}×{self.height}: {grey}, {rgb} or {rgba} of "
                      f"uint8; this one is {buffer}")

    def _read_planes(self, sources: Sequence[Any], name: Format | None) -> str:
        if name is None:
            raise Invalid("planes need a format: set format='i420', 'nv12' or another")
        shapes = FORMATS[name]
        if len(sources) != len(shapes):
            raise Invalid(f"{name} has {len(shapes)} planes, not {len(sources)}")
        for source, shape in zip(sources, shapes):
            self._add(self._open(source), shape, name)
        return name

    def _cut(self, buffer: Buffer, name: str, shapes: list[PlaneShape]) -> None:
        """Add all planes of an array that has them one after another."""
        wanted = sum(shape.byte_count(self.width, self.height) for shape in shapes)
        if not buffer.is_contiguous or buffer.byte_count != wanted or buffer.itemsize != shapes[0].itemsize:
            raise Invalid(f"{name} of {self.width}×{self.height} in one array has {wanted} bytes without gaps; this one "
                          f"is {buffer}" + ("" if buffer.is_contiguous else ", with gaps"))
        address = buffer.address
        for shape in shapes:
            columns, _ = shape.sizes(self.width, self.height)
            self.addresses.append(address)
            self.strides.append(columns * shape.channels * shape.itemsize)
            address += shape.byte_count(self.width, self.height)

    def _add(self, buffer: Buffer, shape: PlaneShape, name: str) -> None:
        columns, rows = shape.sizes(self.width, self.height)
        fits = [(rows, columns, shape.channels), (rows, columns * shape.channels)]
        if shape.channels > 2:
            del fits[1]
        kind = "uint8" if shape.itemsize == 1 else "uint16"
        if buffer.shape not in fits or buffer.kind != kind:
            raise Invalid(f"{name} of a stream of {self.width}×{self.height} is {shape.text(self.width, self.height)}; "
                          f"this array is {buffer}{_advice(buffer.kind) if kind == 'uint8' != buffer.kind else ''}")
        inner = contiguous(buffer.shape[1:], buffer.itemsize)
        if any(size > 1 and have != want for size, have, want in zip(buffer.shape[1:], buffer.strides[1:], inner)):
            wanted = ", ".join(map(str, inner))
            raise Invalid(f"the pixels of a row must lie next to each other (strides (…, {wanted})); this array has the "
                          f"strides {buffer.strides}: use numpy.ascontiguousarray")
        row_bytes = columns * shape.channels * shape.itemsize
        stride = buffer.strides[0] if rows > 1 else row_bytes
        if abs(stride) < row_bytes:
            raise Invalid(f"rows must not overlap: the stride must be at least {row_bytes} bytes, not "
                          f"{abs(stride)}")
        self.addresses.append(buffer.address)
        self.strides.append(stride)


def _check_image(source: Any) -> None:
    """Refuse PIL images whose mode has no 8-bit grey, RGB or RGBA pixels; the array alone does not show this."""
    mode = getattr(source, "mode", "")
    if not hasattr(source, "getbands") or mode in ("L", "RGB", "RGBA"):
        return
    if mode.startswith("I;16"):
        raise Invalid(f"an image of mode {mode!r} has 16 bits a sample: show {_deep_advice('numpy.asarray(image)')}")
    if mode in ("I", "F"):
        raise Invalid(f"an image of mode {mode!r} has values of any range. With `most`, the value of white: show "
                      f"{_range_advice('numpy.asarray(image)')}")
    wanted = "RGBA" if mode in ("LA", "PA", "La", "RGBa") else "RGB"
    raise Invalid(f"an image of mode {mode!r} has no pixels of red, green and blue: show image.convert({wanted!r})")


def _deep_advice(array: str) -> str:
    return f"({array} >> 8).astype('uint8')"


def _range_advice(array: str) -> str:
    return f"numpy.clip({array} * (255 / most), 0, 255).astype('uint8')"


def _advice(kind: str) -> str:
    """Return advice how to convert an array to uint8."""
    if kind.endswith("uint16"):
        return f": show {_deep_advice('array')}"
    return f". With `most`, the value of white: show {_range_advice('array')}"


def check_codec(codec: str, name: str, matrix: str) -> None:
    """Raise Invalid if a stream with this codec does not accept frames of this format."""
    if codec.startswith(("htj2k", "j2k")):
        return
    if name.endswith("-deep"):
        raise Invalid(f"{name} (16 bits a sample) needs a stream of JPEG 2000 (codec='htj2k'), and this one is "
                      f"{codec!r}{_advice('uint16')}")
    if name == "i444" or matrix in ("bt2020", "xyz"):
        raise Invalid(f"{name} with the matrix {matrix} needs a stream of JPEG 2000 (codec='htj2k'), and this one is "
                      f"{codec!r}")


def swapped(picture: Picture) -> bytearray:
    """Return BGR pixels as RGB without gaps. BGR is the only format that must be copied."""
    row_bytes = picture.width * 3
    made = bytearray(row_bytes * picture.height)
    for row in range(picture.height):
        address = picture.addresses[0] + row * picture.strides[0]
        at = row * row_bytes
        made[at:at + row_bytes] = ctypes.string_at(address, row_bytes)
    made[0::3], made[2::3] = made[2::3], made[0::3]
    return made
