"""Control of the wall for scripts: each verb of the manager as a blocking call."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from ._conversation import Answer, Conversation, Notification, address_of, closed, result_of
from ._keys import find_key, read_key
from ._verbs import Verbs
from .errors import Invalid, Unavailable

CHUNK = 1 << 16
SLICE_S = 1.0  # longest single wait


class Wall(Verbs[Answer]):
    """A connection to the manager. `with` closes it. Any thread may call, but calls are serialised, and waiting for
    notifications blocks other calls: use a second Wall for notifications, or asyncio.

    manager: "host:port"; None: $VITRAIL_MANAGER, else 127.0.0.1:7440. key: the key's text; None: from $VITRAIL_KEY,
    $VITRAIL_KEY_FILE or the user's folder. name: shown to people. colour: "#rrggbb". timeout: seconds for each answer.

    The key is proved and never sent. Everything else is sent without encryption: for a manager on another machine use a
    tunnel.

    Raises Unavailable if there is no manager, and Refused with the manager's code if it refuses.
    """

    def __init__(self, manager: str | None = None, *, key: str | None = None, name: str = "python",
                 colour: str | None = None, timeout: float = 90) -> None:
        self.timeout = timeout
        self.welcome: Answer = {}  # the answer to the hello: wall, version, client …
        self._conversation = Conversation()
        self._turn = threading.RLock()
        host, port = address_of(manager)
        self._host = host
        try:
            self._socket: socket.socket | None = socket.create_connection((host, port), timeout=timeout)
        except OSError as error:
            raise Unavailable(f"no manager at {host}:{port}: {error}. Start one (`vitrail up`), or set "
                              f"$VITRAIL_MANAGER to its address") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            peer = self._socket.getpeername()
            self._greet(find_key(peer[0], peer[1]) if key is None else read_key(key), name, colour)
        except BaseException:
            self.disconnect()
            raise

    def _greet(self, key: Any, name: str, colour: str | None) -> None:
        greeting = self._conversation.greet(key, name, colour)
        method, parameters = next(greeting)
        while True:
            answer = self.call(method, **parameters)
            try:
                method, parameters = greeting.send(answer)
            except StopIteration as done:
                self.welcome = done.value
                return

    # --- calls

    def call(self, verb: str, /, **parameters: Any) -> Answer:
        with self._turn:
            number, line = self._encoded(verb, parameters)
            self._send(line)
            deadline = time.monotonic() + self.timeout
            while number not in self._conversation.answers:
                if not self._receive(deadline - time.monotonic()):
                    self.disconnect()  # no later call may receive the late answer
                    raise Unavailable(f"the manager has not answered '{verb}' within {self.timeout} s", name="timeout")
            return result_of(self._conversation.answers.pop(number))

    def notify(self, verb: str, /, **parameters: Any) -> None:
        """Send the verb as a notification, without an answer: for pointers and drags, many times a second."""
        with self._turn:
            try:
                self._send(self._conversation.notice(verb, parameters))
            except TypeError as error:
                raise Invalid(str(error)) from error

    def notifications(self, timeout: float | None = None) -> Iterator[Notification]:
        """Yield the manager's notifications after subscribe() or watch_thumbnails(), until none has come for `timeout`
        seconds (None: no end). Raises Unavailable if notifications were lost because they were read too slowly, or if
        the manager is gone."""
        while (notification := self._next(timeout)) is not None:
            yield notification

    def _next(self, timeout: float | None) -> Notification | None:
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._turn:
            conversation = self._conversation
            while not conversation.notifications:
                left = SLICE_S if deadline is None else deadline - time.monotonic()
                if not self._receive(min(left, SLICE_S)) and left <= 0:
                    return None
            if conversation.lost:
                lost, conversation.lost = conversation.lost, 0
                raise Unavailable(f"{lost} notifications were lost: subscribe again", name="limit")
            return conversation.notifications.popleft()

    def _encoded(self, verb: str, parameters: dict[str, Any]) -> tuple[int, bytes]:
        try:
            return self._conversation.request(verb, parameters)
        except (TypeError, ValueError) as error:
            raise Invalid(str(error)) from error

    # --- the connection

    def _open(self) -> socket.socket:
        if self._socket is None:
            raise Unavailable("the connection to the manager has ended")
        return self._socket

    def _send(self, data: bytes) -> None:
        connection = self._open()
        try:
            connection.sendall(data)
        except OSError as error:
            self.disconnect()
            raise closed(bool(self.welcome), self._host) from error

    def _receive(self, seconds: float) -> bool:
        """Receive data for at most `seconds`. Returns False if there was none."""
        connection = self._open()
        try:
            if not select.select([connection], [], [], max(0.0, seconds))[0]:
                return False
            data = connection.recv(CHUNK)
        except OSError:
            data = b""
        if not data:
            self.disconnect()
            raise closed(bool(self.welcome), self._host)
        back = self._conversation.receive(data)
        if back:
            self._send(back)
        return True

    def disconnect(self) -> None:
        connection, self._socket = self._socket, None
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.close()

    def __enter__(self) -> Wall:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.disconnect()

    def __del__(self) -> None:
        if hasattr(self, "_socket"):
            self.disconnect()
