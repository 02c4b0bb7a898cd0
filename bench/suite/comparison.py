"""What rounds come to: medians, spread, ratios with their intervals, and the verdict."""

import random
from dataclasses import dataclass

RESAMPLES = 2000
CONFIDENCE = 0.95
SLOWER_BELOW = 0.97
FASTER_ABOVE = 1.03


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def spread(values):
    """(largest - smallest) / median"""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0


@dataclass(frozen=True)
class Ratio:
    """A median of ratios and the interval that holds it with 95 % confidence."""
    value: float
    low: float
    high: float

    @property
    def verdict(self):
        if self.value < SLOWER_BELOW and self.high < 1:
            return "slower"
        if self.value > FASTER_ABOVE and self.low > 1:
            return "faster"
        return "even"


def ratio(ours, theirs, seed):
    """The median of the ratios within each round, or None where no round has both figures.

    The interval is found by the bootstrap: the rounds are drawn anew, with replacement, RESAMPLES times. The same
    seed gives the same interval.
    """
    ratios = [our / their for our, their in zip(ours, theirs) if our and their]
    if not ratios:
        return None
    draw = random.Random(seed)
    medians = sorted(median(draw.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    cut = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Ratio(median(ratios), medians[cut], medians[-1 - cut])
