"""Loads and checks libsail at first use, by cffi's ABI mode, which needs no compiler."""

from __future__ import annotations

import functools
import os
import pathlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._declarations import DECLARATIONS
from .errors import Error, Invalid, Refused, Unavailable

SONAME = "libsail.so.0"
STATUS_ERRORS = {-1: Invalid, -2: Refused, -3: Unavailable}


class Library:
    """`ffi` makes C values; `c` has the functions and constants of sail.h."""

    def __init__(self, ffi: Any, c: Any) -> None:
        self.ffi = ffi
        self.c = c

    def text(self, value: str | None, keep: list[Any]) -> Any:
        """Return a zero-terminated text that lives as long as `keep`, or NULL."""
        if value is None:
            return self.ffi.NULL
        if "\0" in value:
            raise Invalid(f"{value!r} contains a zero byte")
        keep.append(self.ffi.new("char[]", value.encode()))
        return keep[-1]

    def sentence(self, characters: Any) -> str:
        return str(self.ffi.string(characters).decode(errors="replace"))


def check(status: int, sentence: str) -> int:
    """Return the status, or raise the exception of a negative status."""
    if status < 0:
        raise STATUS_ERRORS.get(status, Error)(sentence)
    return status


@contextmanager
def plain_values() -> Iterator[None]:
    """Raise Invalid for values that C types cannot represent."""
    try:
        yield
    except (OverflowError, TypeError, UnicodeError) as error:
        raise Invalid(f"{error}") from error


@functools.cache
def library() -> Library:
    """Load libsail. Raises Unavailable if there is none, or if it is too old."""
    try:
        import cffi
    except ImportError as error:
        raise Unavailable("Python module cffi is missing: `apt install python3-cffi`, or `pip install cffi`") from error
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    c = _load(ffi)
    for name in dir(c):
        try:
            getattr(c, name)
        except AttributeError as error:
            raise Unavailable(f"this libsail is older than the package: {name} is missing. "
                              f"Set $VITRAIL_LIBSAIL to a newer one") from error
    return Library(ffi, c)


def _load(ffi: Any) -> Any:
    reasons = []
    for place in _places():
        try:
            return ffi.dlopen(place)
        except OSError as error:
            reasons.append(str(error))
    raise Unavailable("cannot load libsail: " + "; ".join(reasons) +
                      ". Install Vitrail (package libsail0), or set $VITRAIL_LIBSAIL to its path")


def _places() -> list[str]:
    path = os.environ.get("VITRAIL_LIBSAIL")
    if path:
        return [path]
    return [*_beside_the_package(), SONAME, *_by_pkg_config()]


def _beside_the_package() -> list[str]:
    """Find the library where `cmake --install` puts it: in PREFIX/lib, with this package in
    PREFIX/lib/python3/dist-packages/vitrail."""
    library = pathlib.Path(__file__).resolve().parents[3] / SONAME
    return [str(library)] if library.exists() else []


def _by_pkg_config() -> list[str]:
    try:
        found = subprocess.run(["pkg-config", "--variable=libdir", "sail"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [str(pathlib.Path(found.stdout.strip()) / SONAME)]
