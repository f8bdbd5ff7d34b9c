"""A handle of libsail that any thread may use and close: closing waits for the calls that are under way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .errors import Invalid


class Handle:
    def __init__(self, pointer: Any, close: Callable[[Any], None], what: str) -> None:
        self._pointer = pointer
        self._close = close
        self._what = what
        self._users = 0
        self._idle = threading.Condition()

    @property
    def is_open(self) -> bool:
        return self._pointer is not None

    def __enter__(self) -> Any:
        """libsail's pointer, for a call."""
        with self._idle:
            if self._pointer is None:
                raise Invalid(f"the {self._what} is closed")
            self._users += 1
            return self._pointer

    def __exit__(self, *_: object) -> None:
        with self._idle:
            self._users -= 1
            if self._pointer is None:
                self._idle.notify_all()

    def close(self) -> None:
        """Once; later calls do nothing."""
        with self._idle:
            pointer, self._pointer = self._pointer, None
            while self._users:
                self._idle.wait()
        if pointer is not None:
            self._close(pointer)
