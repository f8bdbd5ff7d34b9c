"""Connections to agents: starting an agent on a host, and exchanging messages with it."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import select
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from typing import Any

from . import clock
from .mistake import HostLost, Mistake

BOOT = "import sys;f=sys.stdin.buffer;exec(compile(f.read(int(f.readline())),'vitrail-lab-agent','exec'))"
ANSWER_S = 20.0
MOST_ANSWER = 512 << 20
AGENT = pathlib.Path(__file__).with_name("agent.py").read_bytes()
# No questions at a terminal; a host that has gone is detected after 15 s.
SSH_OPTIONS = ("-T", "-oBatchMode=yes", "-oConnectTimeout=10", "-oServerAliveInterval=5", "-oServerAliveCountMax=3")


def ssh_words(target: str) -> list[str]:
    ssh = shlex.split(os.environ.get("VITRAIL_SSH", "ssh")) or ["ssh"]
    return [*ssh, *SSH_OPTIONS, "--", target, f"exec python3 -c {shlex.quote(BOOT)}"]


def local_words() -> list[str]:
    return ["/usr/bin/env", "python3", "-c", BOOT]


class Link:
    """A connection to one agent. words: the command that starts Python on the host and lets it read its program from
    standard input."""

    def __init__(self, host: str, words: Sequence[str]) -> None:
        self.host = host
        self.buffer = bytearray()
        self.looked = 0
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                            start_new_session=True)
        except OSError as error:
            raise HostLost(f"host {host}", f"cannot be reached: {words[0]}: {error.strerror}") from None
        assert self.process.stdin and self.process.stdout
        self.to, self.back = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.back, False)
        self.send_bytes(b"%d\n" % len(AGENT) + AGENT)

    def send_bytes(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self.to, data):]
        except OSError:
            raise self.lost() from None

    def send(self, **message: Any) -> None:
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def take(self) -> dict[str, Any] | None:
        """Return the next complete message; None if there is none yet."""
        end = self.buffer.find(b"\n", self.looked)
        if end < 0:
            self.looked = len(self.buffer)
            return None
        line = bytes(self.buffer[:end])
        del self.buffer[:end + 1]
        self.looked = 0
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise HostLost(f"host {self.host}", f"sent {line[:80].decode('utf-8', 'replace')!r} instead of the expected message: "
                                                "its shell may print a greeting")
        return message

    def read(self) -> None:
        while True:
            try:
                got = os.read(self.back, 1 << 20)
            except BlockingIOError:
                return
            if not got or len(self.buffer) > MOST_ANSWER:
                raise self.lost()
            self.buffer += got

    def lost(self) -> HostLost:
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        said = self.errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return HostLost(f"host {self.host}", f"cannot be reached, or was lost: {said[-1] if said else 'its agent has ended'}")

    def receive(self, seconds: float = ANSWER_S) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while True:
            message = self.take()
            if message is not None:
                return message
            left = deadline - time.monotonic()
            if left <= 0:
                raise HostLost(f"host {self.host}", f"has not answered for {seconds:g} s")
            if select.select([self.back], [], [], left)[0]:
                self.read()

    def exchange(self) -> clock.Exchange:
        asked = time.monotonic_ns()
        self.send(do="clock")
        answer = self.receive()
        return clock.Exchange(asked, int(answer["ns"]), time.monotonic_ns())

    def end(self) -> None:
        """Close the agent's input, which ends the agent and its programs."""
        if self.process.stdin:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.errors.close()


def until_each(links: Iterable[Link], wanted: str, seconds: float) -> dict[str, dict[str, Any]]:
    """Wait until all hosts have sent a message with the entry `wanted`, and return the messages by host. HostLost: a
    host is gone or too late."""
    waiting = {link.back: link for link in links}
    came: dict[str, dict[str, Any]] = {}
    deadline = time.monotonic() + seconds
    while waiting:
        for fd, link in list(waiting.items()):
            message = link.take()
            if message is not None and wanted not in message:
                raise Mistake(f"host {link.host}", f"sent an unexpected message instead of {wanted!r}: {str(message)[:200]}")
            if message is not None:
                came[link.host] = message
                del waiting[fd]
        if not waiting:
            break
        left = deadline - time.monotonic()
        if left <= 0:
            raise HostLost(f"host {next(iter(waiting.values())).host}", f"has not answered for {seconds:g} s")
        for fd in select.select(list(waiting), [], [], left)[0]:
            waiting[fd].read()
    return came
