# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics over repetitions: intervals, effect sizes, and how many repetitions are needed.

The interval of a mean is Student's t, as in `mimus summary`. Those of differences and ratios of
pairs are the *expanded percentile bootstrap* of Hesterberg, "What Teachers Should Know About
the Bootstrap" (The American Statistician 69, 2015, section 4.1): the percentile interval with its
levels moved outwards so that it is as wide for few repetitions as Student's t is for normal data.
Random numbers are seeded: equal values give equal intervals.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95
RESAMPLES = 9999
SEED = 20240501
METHOD = "Student's t"
PAIR_METHOD = "expanded percentile bootstrap (Hesterberg 2015)"

IDENTICAL = "all repetitions are identical: the seed changes nothing here"

_NORMAL = NormalDist()


class Interval(NamedTuple):
    """An estimate with its interval, in the unit of the values.

    `low` and `high` are NaN, and `reason` says why, where the repetitions allow no interval.
    """

    estimate: float
    low: float
    high: float
    repetitions: int
    reason: str = ""

    @property
    def known(self) -> bool:
        return not self.reason


def repetitions_needed(confidence: float = CONFIDENCE) -> int:
    """The fewest repetitions with which any resampling can reach this confidence: 6 for 95 %.

    Of n signs, all equal has the probability 2·2⁻ⁿ if nothing differs; it must be ≤ 1 − confidence.
    """
    return math.ceil(1 - math.log2(1 - confidence) - 1e-9)


def repetitions_to_tell(effect: float, confidence: float = CONFIDENCE,
                        power: float = 0.8) -> int | None:
    """About how many pairs would tell a difference of Cohen's dz = `effect` from none.

    Normal approximation of the paired t test with Guenther's correction; None for no effect.
    """
    if not np.isfinite(effect) or effect == 0:
        return None
    tail = _NORMAL.inv_cdf(0.5 + confidence / 2)
    pairs = ((tail + _NORMAL.inv_cdf(power)) / effect) ** 2 + tail ** 2 / 2
    return max(math.ceil(pairs), repetitions_needed(confidence))


def expanded_levels(repetitions: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The percentiles of the resamples at which the interval ends, as fractions."""
    n = repetitions
    student = stdtrit(n - 1, 0.5 + confidence / 2)
    below = _NORMAL.cdf(-math.sqrt(n / (n - 1)) * student)
    return below, 1 - below


@lru_cache(maxsize=32)
def _weights(repetitions: int, resamples: int, seed: int) -> np.ndarray:
    """How often each repetition occurs in each resample, ÷ repetitions. Shape: resamples ×
    repetitions."""
    random = np.random.Generator(np.random.PCG64([seed, repetitions]))
    chosen = random.multinomial(repetitions, [1 / repetitions] * repetitions, size=resamples)
    return chosen / repetitions


def resampled_means(values: np.ndarray, resamples: int = RESAMPLES,
                    seed: int = SEED) -> np.ndarray:
    """Means of resamples of the rows of `values` (repetitions, or repetitions × columns).

    Arrays of equal length are resampled alike, so that pairs stay pairs.
    """
    values = np.asarray(values, dtype=float)
    return _weights(len(values), resamples, seed) @ values


def reason_without_verdict(pairs: int, confidence: float = CONFIDENCE) -> str:
    """Why this many pairs allow no verdict, or "" if they do."""
    needed = repetitions_needed(confidence)
    if pairs >= needed:
        return ""
    return (f"{pairs} repetition{'s' if pairs != 1 else ''}; {needed} are needed for "
            f"{100 * confidence:g} %")


def are_identical(values: np.ndarray) -> bool:
    """Whether all values are equal up to the order of summation."""
    return bool(np.ptp(values) <= 1e-12 * abs(float(np.mean(values))))


def half_width(values: np.ndarray, confidence: float = CONFIDENCE, axis: int = 0):
    """Half the width of Student's interval of the mean along `axis`, of two values or more."""
    count = values.shape[axis]
    return (stdtrit(count - 1, 0.5 + confidence / 2) * values.std(axis=axis, ddof=1)
            / math.sqrt(count))


def mean_interval(values, confidence: float = CONFIDENCE) -> Interval:
    """Mean over repetitions with Student's interval. `values`: one number per repetition, any
    unit."""
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values)]
    if not len(values):
        return Interval(math.nan, math.nan, math.nan, 0, "not known in any repetition")
    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, math.nan, math.nan, 1, "1 repetition; an interval needs 2")
    if are_identical(values):
        return Interval(mean, math.nan, math.nan, len(values), IDENTICAL)
    half = float(half_width(values, confidence))
    return Interval(mean, mean - half, mean + half, len(values))


def cohen_dz(differences) -> float:
    """Mean of paired differences ÷ their standard deviation (n − 1); NaN below two pairs.

    Infinite when all pairs differ alike, 0 when none differs.
    """
    differences = np.asarray(differences, dtype=float)
    if len(differences) < 2:
        return math.nan
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if spread <= 1e-12 * abs(mean):
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean / spread


def cliffs_delta(others, bases) -> float:
    """P(other > base) − P(other < base) over all pairs of values: −1 … 1; NaN without values."""
    others, bases = np.asarray(others, dtype=float), np.asarray(bases, dtype=float)
    if not len(others) or not len(bases):
        return math.nan
    return float(np.sign(others[:, None] - bases[None, :]).mean())
