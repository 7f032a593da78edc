# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What repetitions say: bootstrap intervals, effect sizes, and how many repetitions are needed.

The interval is the *expanded percentile bootstrap* of Hesterberg, "What Teachers Should Know About
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

CONFIDENCE = 0.95
RESAMPLES = 9999
SEED = 20240501
METHOD = "expanded percentile bootstrap (Hesterberg 2015)"

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


def student_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's t (Cornish-Fisher series; error < 0.2 % for `freedom` ≥ 4, p ≤ 0.995).

    Source: Abramowitz & Stegun, 26.7.5.
    """
    z = _NORMAL.inv_cdf(probability)
    terms = ((z ** 3 + z) / 4,
             (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
             (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
             (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160)
    return z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))


def expanded_levels(repetitions: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Which percentiles of the resamples are the ends of the interval, as fractions."""
    n = repetitions
    student = student_quantile(0.5 + confidence / 2, n - 1)
    below = _NORMAL.cdf(-math.sqrt(n / (n - 1)) * student)
    return below, 1 - below


@lru_cache(maxsize=32)
def _weights(repetitions: int, resamples: int, seed: int) -> np.ndarray:
    """How often each repetition occurs in each resample, ÷ repetitions: resamples × repetitions."""
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


def reason_without_interval(values: np.ndarray, confidence: float = CONFIDENCE) -> str:
    """Why these values allow no interval; empty when they do."""
    needed = repetitions_needed(confidence)
    if len(values) < needed:
        return (f"{len(values)} repetition{'s' if len(values) != 1 else ''}; {needed} are needed "
                f"for {100 * confidence:g} %")
    if len(np.unique(values)) == 1:
        return "all repetitions are identical: the seed changes nothing here"
    return ""


def mean_interval(values, confidence: float = CONFIDENCE, resamples: int = RESAMPLES,
                  seed: int = SEED) -> Interval:
    """Mean over repetitions with its interval. `values`: one number per repetition, any unit."""
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values)]
    if not len(values):
        return Interval(math.nan, math.nan, math.nan, 0, "not known in any repetition")
    reason = reason_without_interval(values, confidence)
    if reason:
        return Interval(float(values.mean()), math.nan, math.nan, len(values), reason)
    means = resampled_means(values, resamples, seed)
    low, high = np.quantile(means, expanded_levels(len(values), confidence))
    return Interval(float(values.mean()), float(low), float(high), len(values))


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
