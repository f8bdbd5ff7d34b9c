"""Finds the law by which a cost grows with a size: a straight line, or a power law if it fits better."""

import math
from dataclasses import dataclass


NOISE = 0.02  # a power law must fit better than a line by this share


@dataclass(frozen=True)
class Law:
    """first + slope · size, or factor · size ^ exponent."""

    first: float
    slope: float
    exponent: float  # 1 for a line
    off: float  # largest relative deviation from the measurements

    def at(self, size):
        return self.first + self.slope * size**self.exponent

    def reaches(self, cost):
        """Returns the size with this cost; infinite if there is none."""
        if self.slope <= 0 or self.exponent <= 0:
            return math.inf
        return max(0.0, (cost - self.first) / self.slope) ** (1 / self.exponent)

    def text(self):
        if self.exponent == 1:
            return f"{self.first:.3g} {'−' if self.slope < 0 else '+'} {abs(self.slope):.3g} · n"
        return f"{self.slope:.3g} · n^{self.exponent:.2f}"


def least_squares(points):
    """Fits a line to (x, y, weight). Returns its value at 0, and its slope."""
    weights = sum(weight for _, _, weight in points)
    mean_x = sum(x * weight for x, _, weight in points) / weights
    mean_y = sum(y * weight for _, y, weight in points) / weights
    spread = sum(weight * (x - mean_x) ** 2 for x, _, weight in points)
    slope = sum(weight * (x - mean_x) * (y - mean_y) for x, y, weight in points) / spread if spread > 0 else 0.0
    return mean_y - slope * mean_x, slope


def law_of(points):
    """Fits both laws to (size, cost), all greater than 0, by relative deviation, and returns the better one."""
    line = (*least_squares([(x, y, 1 / y**2) for x, y in points]), 1.0)
    first, exponent = least_squares([(math.log(x), math.log(y), 1.0) for x, y in points])
    power = (0.0, math.exp(first), exponent)

    def off(law):
        return max(abs(law[0] + law[1] * x ** law[2] - y) / y for x, y in points)

    nearer = power if off(power) < off(line) - NOISE else line
    return Law(*nearer, off(nearer))
