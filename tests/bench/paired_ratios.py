"""Decides if one of two builds is slower, from pairs of costs measured side by side.

Each pair gives the logarithm of a ratio, which cancels the machine's load at that time. Disturbances of single pairs
(another process beside one of the two, the placement of memory) have an unknown distribution, but affect both builds
equally often. So the interval is that of the signed ranks (Hodges and Lehmann), in which outliers count no more than
other values.
"""

import math
import statistics
from dataclasses import dataclass

CONFIDENCE = 0.99  # that equal builds are not reported as different
LEAST_PAIRS = 8  # fewer do not allow an interval of this confidence


@dataclass(frozen=True)
class Verdict:
    """Additional cost of the new build as a share of the old one's: 0.03 is 3 %."""

    estimate: float
    least: float
    most: float
    pairs: int

    @property
    def is_slower(self):
        return self.least > 0

    @property
    def is_faster(self):
        return self.most < 0

    @property
    def half_width(self):
        return (self.most - self.least) / 2


def verdict(log_ratios):
    """Returns the verdict for values of ln(new / old), at least LEAST_PAIRS."""
    count = len(log_ratios)
    walsh = sorted((log_ratios[i] + log_ratios[j]) / 2 for i in range(count) for j in range(i, count))
    return Verdict(math.expm1(statistics.median(walsh)), *(math.expm1(bound) for bound in interval(walsh, count)), count)


def interval(walsh, count):
    """Returns the interval of Walsh averages, without those excluded on both sides by the signed-rank test."""
    spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    normal = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    left_out = max(0, math.floor(len(walsh) / 2 - normal * spread - 0.5))
    return walsh[left_out], walsh[-1 - left_out]
