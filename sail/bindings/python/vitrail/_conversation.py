"""The control protocol of manager/COMMANDS.md without I/O: bytes in, bytes out."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

from ._keys import Key, proof
from .errors import Error, Refused, Unavailable

Answer = dict[str, Any]

PROTOCOL = 3
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 7440
MOST_LINE = 1 << 20  # bytes
MOST_NOTIFICATIONS = 4096  # in the queue; more evict the oldest
UNAUTHORIZED = 1001


class Notification(NamedTuple):
    """A notification. method: such as "changed", "figures", "pointers", "thumbnail", "notice"."""

    method: str
    params: Answer


def address_of(manager: str | None) -> tuple[str, int]:
    text = manager or os.environ.get("VITRAIL_MANAGER") or ""
    host, port = text, ""
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if port and not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise Unavailable(f"{text!r} is not an address (host:port)")
    return host or DEFAULT_HOST, int(port) if port else DEFAULT_PORT


class Conversation:
    """Makes requests, and sorts received messages: answers by number, notifications, and pings, which it answers."""

    def __init__(self) -> None:
        self.notifications: deque[Notification] = deque(maxlen=MOST_NOTIFICATIONS)
        self.lost = 0  # notifications evicted from the queue
        self.answers: dict[int, Answer] = {}
        self._number = 0
        self._rest = b""

    def request(self, method: str, parameters: Mapping[str, Any]) -> tuple[int, bytes]:
        """Return the request's number and its line. A trailing underscore of a parameter, which separates it from a
        Python keyword, is removed."""
        self._number += 1
        return self._number, _line({"id": self._number, **_called(method, parameters)})

    @staticmethod
    def notice(method: str, parameters: Mapping[str, Any]) -> bytes:
        return _line(_called(method, parameters))

    def receive(self, data: bytes) -> bytes:
        """Process bytes from the manager. Returns the bytes to send back."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MOST_LINE:
            raise Unavailable(f"the manager sent a line of more than {MOST_LINE} bytes")
        return b"".join(self._take(line) for line in lines)

    def _take(self, line: bytes) -> bytes:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Unavailable(f"the peer is not a Vitrail manager, it answered {line[:80]!r}") from error
        if not isinstance(message, dict):
            raise Unavailable(f"the peer is not a Vitrail manager, it answered {line[:80]!r}")
        method, number = message.get("method"), message.get("id")
        if method is None and isinstance(number, int):
            self.answers[number] = message
        elif number is not None:
            return _line({"id": number, "result": {}})  # answers a ping
        elif isinstance(method, str):
            self.lost += len(self.notifications) == MOST_NOTIFICATIONS
            params = message.get("params")
            self.notifications.append(Notification(method, params if isinstance(params, dict) else {}))
        return b""

    def greet(self, key: Key, name: str, colour: str | None) -> Generator[tuple[str, Answer], Answer, Answer]:
        """Perform the handshake: yields requests, receives their answers by send(), and returns the answer to hello."""
        named = {"key": key.name} if key.name else {}
        proofs = {}
        if key.secret:
            nonce = os.urandom(16).hex()
            challenge = yield "challenge", {"nonce": nonce, **named}
            words = key.name, nonce, str(challenge.get("nonce"))
            if challenge.get("proof") != proof(key.secret, "vitrail listener", *words):
                raise Refused("the manager at this address does not have this wall's key: check the address",
                              UNAUTHORIZED, "unauthorized")
            proofs = {"proof": proof(key.secret, "vitrail peer", *words, "ui")}
        welcome = yield "hello", {"role": "ui", "protocol": PROTOCOL, "name": name, "colour": colour, **named, **proofs}
        return welcome


def result_of(message: Answer) -> Answer:
    """Return the result of an answer, or raise the manager's error."""
    if "error" not in message:
        result = message.get("result")
        return result if isinstance(result, dict) else {}
    error = message["error"]
    if not isinstance(error, dict) or not isinstance(error.get("code"), int):
        raise Unavailable(f"the peer is not a Vitrail manager, it answered {error!r:.80}")
    data = error.get("data")
    name = data.get("name") if isinstance(data, dict) else None
    raise Refused(str(error.get("message")), error["code"], str(name or "refused"))


def closed(said_hello: bool, host: str) -> Error:
    if said_hello:
        return Unavailable("the manager has closed the connection")
    return Unavailable(f"{host} closed the connection before it answered. If the manager requires TLS, "
                       "which this package does not support, use a tunnel (`ssh -L 7440:127.0.0.1:7440 HOST`)")


def _called(method: str, parameters: Mapping[str, Any]) -> Answer:
    given = {name.removesuffix("_"): value for name, value in parameters.items() if value is not None}
    return {"method": method, "params": given}


def _line(message: Answer) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    """Convert numpy's numbers and arrays to JSON values."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"JSON does not support {type(value).__name__}")
