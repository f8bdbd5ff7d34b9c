"""A handle of libsail that any thread may use and close. Closing waits for running calls.

A child of `os.fork()` lacks the library's threads. In the child, the handle cannot be used, and closing it has no
effect.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

from .errors import Invalid


class Handle:
    def __init__(self, pointer: Any, close: Callable[[Any], None], what: str) -> None:
        self._pointer = pointer
        self._close = close
        self._what = what
        self._process = os.getpid()
        self._users = 0
        self._idle = threading.Condition()

    @property
    def is_open(self) -> bool:
        return self._pointer is not None and self._process == os.getpid()

    def __enter__(self) -> Any:
        """Return libsail's pointer for one call."""
        if self._process != os.getpid():  # check before locking: in the parent, another thread may have held the lock
            raise Invalid(f"the {self._what} belongs to another process: after a fork, open a session of your own")
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
        """Close the handle. Later calls have no effect."""
        if self._process != os.getpid():
            return
        with self._idle:
            pointer, self._pointer = self._pointer, None
            while self._users:
                self._idle.wait()
        if pointer is not None:
            self._close(pointer)
