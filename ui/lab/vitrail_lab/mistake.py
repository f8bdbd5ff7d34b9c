"""Errors that end a run or a part of it."""

from __future__ import annotations


class Mistake(Exception):
    """An error message that begins with the place: "host node1: …"."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class HostLost(Mistake):
    """The connection to a host is lost or cannot be made."""
