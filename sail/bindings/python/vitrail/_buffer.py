"""Access to the memory of an array without numpy and without a copy, by Python's buffer protocol. Strides may be
negative."""

from __future__ import annotations

import ctypes
from typing import Any

from .errors import Invalid

# PyBUF_STRIDES and PyBUF_FORMAT of Python.h.
STRIDED, FORMAT = 0x0010 | 0x0008, 0x0004


class _PyBuffer(ctypes.Structure):
    """Py_buffer. Its layout is part of Python's stable ABI."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
                ("internal", ctypes.c_void_p)]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
_get_buffer.restype = ctypes.c_int
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [ctypes.POINTER(_PyBuffer)]
_release_buffer.restype = None


# The letters of memoryview.format, and of typestr in __array_interface__.
FORMATS = {"c": "uint", "?": "bool", "Zf": "complex", "Zd": "complex", **dict.fromkeys("bhilqn", "int"),
           **dict.fromkeys("BHILQN", "uint"), **dict.fromkeys("efdg", "float")}
TYPES = {"i": "int", "u": "uint", "f": "float", "c": "complex", "b": "bool"}


def _kind(name: str | None, order: str, itemsize: int) -> str | None:
    """Return numpy's name of a type."""
    if name is None or name == "bool":
        return name
    return f"{'big-endian ' if order in ('>', '!') and itemsize > 1 else ''}{name}{itemsize * 8}"


class Buffer:
    """The memory of an array. The memory stays valid until release().

    kind: "uint8", "float32", "big-endian uint16" …; for other types, the array's own name of the type.
    """

    def __init__(self, source: Any) -> None:
        self.format = ""  # memoryview.format; empty without the buffer protocol
        self._view: _PyBuffer | None = None
        self._keep: Any = None
        try:
            self._from_buffer(source)
        except (TypeError, BufferError) as error:
            interface = getattr(source, "__array_interface__", None)
            if not isinstance(interface, dict):
                raise Invalid(f"expected an array (anything with the buffer protocol or __array_interface__), not "
                              f"{type(source).__name__}") from error
            self._from_interface(interface)

    def _from_buffer(self, source: Any) -> None:
        view = _PyBuffer()
        _get_buffer(source, ctypes.byref(view), STRIDED | FORMAT)
        self._view = view
        self.address: int = view.buf or 0
        self.itemsize: int = view.itemsize
        self.shape: tuple[int, ...] = tuple(view.shape[:view.ndim])
        self.strides: tuple[int, ...] = tuple(view.strides[:view.ndim])
        name = (view.format or b"B").decode()
        self.kind = _kind(FORMATS.get(name.lstrip("@=<>!")), name[:1], self.itemsize) or name
        self.format = name

    def _from_interface(self, interface: dict[str, Any]) -> None:
        data = interface.get("data")
        if isinstance(data, (bytes, bytearray, memoryview)):  # as in PIL
            self._from_buffer(data)
        elif isinstance(data, tuple):
            self.address = data[0]
        else:
            raise Invalid("the array's __array_interface__ lacks the address of its data")
        self._keep = data
        name = str(interface["typestr"])
        self.itemsize = int(name[2:])
        self.shape = tuple(interface["shape"])
        self.strides = tuple(interface.get("strides") or contiguous(self.shape, self.itemsize))
        self.kind = _kind(TYPES.get(name[1:2]), name[:1], self.itemsize) or name

    @property
    def is_contiguous(self) -> bool:
        wanted = contiguous(self.shape, self.itemsize)
        return all(size <= 1 or have == want for size, have, want in zip(self.shape, self.strides, wanted))

    @property
    def byte_count(self) -> int:
        count = self.itemsize
        for size in self.shape:
            count *= size
        return count

    def __str__(self) -> str:
        return f"{self.shape} of {self.kind}"

    def release(self) -> None:
        if self._view is not None:
            _release_buffer(ctypes.byref(self._view))
            self._view = None

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


def contiguous(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Return the strides of an array in C order without gaps."""
    strides = []
    step = itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
