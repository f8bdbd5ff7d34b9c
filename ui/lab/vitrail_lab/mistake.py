"""What ends a run, or a part of it, in words."""

from __future__ import annotations


class Mistake(Exception):
    """A sentence for a person, with the place first: "host node1: …"."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class HostLost(Mistake):
    """A host that was there does not answer any more."""
