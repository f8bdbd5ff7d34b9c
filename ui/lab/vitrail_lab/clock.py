"""Offsets of the hosts' steady clocks to this host's: the exchange with the smallest round trip gives the offset, and
half of the round trip bounds the error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .mistake import Mistake

EXCHANGES = 20
DRIFT_PPM = 200  # exceeds the drift of any quartz; a clock that drifts more was set


@dataclass(frozen=True)
class Exchange:
    """Times of one exchange in ns: this host's clock at the request, the other host's at its answer, and this host's at
    the receipt."""

    asked_ns: int
    theirs_ns: int
    heard_ns: int


@dataclass(frozen=True)
class Offset:
    """The other host's clock minus this host's, at a time of this host's clock, and the error bound."""

    at_ns: int
    offset_ns: float
    bound_ns: float


def best_offset(exchanges: Iterable[Exchange]) -> Offset:
    best = min(exchanges, key=lambda one: one.heard_ns - one.asked_ns)
    middle = (best.asked_ns + best.heard_ns) / 2
    return Offset(round(middle), best.theirs_ns - middle, (best.heard_ns - best.asked_ns) / 2)


def measure(exchange: Callable[[], Exchange], host: str, most_bound_ms: float) -> Offset:
    """Measure a host's clock. Mistake: the error bound exceeds most_bound_ms."""
    offset = best_offset(exchange() for _ in range(EXCHANGES))
    if offset.bound_ns > most_bound_ms * 1e6:
        raise Mistake(f"host {host}", f"the error of its clock is up to {offset.bound_ns / 1e6:.3f} ms, more than "
                                      f"the {most_bound_ms:g} ms that clock_bound_ms allows")
    return offset


@dataclass(frozen=True)
class Clock:
    """A host's clock during a test: measured before and after the test, and interpolated linearly."""

    before: Offset
    after: Offset

    def check(self, host: str) -> None:
        moved = abs(self.after.offset_ns - self.before.offset_ns)
        drift = (self.after.at_ns - self.before.at_ns) * DRIFT_PPM / 1e6
        if moved > self.before.bound_ns + self.after.bound_ns + drift:
            raise Mistake(f"host {host}", f"its clock jumped by {moved / 1e6:.3f} ms during the test")

    @property
    def bound_ns(self) -> float:
        return max(self.before.bound_ns, self.after.bound_ns)

    def ours(self, theirs_ns: float) -> float:
        """Convert a time of the host's clock to this host's clock."""
        span = self.after.at_ns - self.before.at_ns
        at = theirs_ns - self.before.offset_ns
        share = min(1.0, max(0.0, (at - self.before.at_ns) / span)) if span > 0 else 0.0
        return theirs_ns - (self.before.offset_ns + share * (self.after.offset_ns - self.before.offset_ns))
