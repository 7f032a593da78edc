# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals of the mean or median of step times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

NORMAL_95 = 1.96
STUDENT_95 = {5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
"""Two-sided 95 % quantiles of Student's t by degrees of freedom."""
GROUPS = 10


class Interval(NamedTuple):
    """An estimate with its 95 % interval, all in the unit of the values."""

    estimate: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Relative to the estimate."""
        return (self.high - self.low) / 2 / self.estimate if self.estimate else math.inf


def median_interval(values: list[float]) -> Interval:
    """By order statistics, whatever the distribution: ranks n/2 +- 1.96 sqrt(n)/2.

    Conover, Practical Nonparametric Statistics, section 3.2. Needs at least six values.
    """
    ordered = np.sort(np.asarray(values))
    count = len(ordered)
    spread = NORMAL_95 * math.sqrt(count) / 2
    low = max(math.floor(count / 2 - spread), 1)
    high = min(math.ceil(count / 2 + spread) + 1, count)
    return Interval(float(np.median(ordered)), float(ordered[low - 1]), float(ordered[high - 1]))


def mean_interval(values: list[float]) -> Interval:
    """By the means of ten consecutive groups, which neighbouring steps that agree do not narrow.

    Law and Kelton, Simulation Modeling and Analysis, section 9.5.3. With fewer than ten values each
    is a group of its own; fewer than six say nothing about the width.
    """
    data = np.asarray(values)
    mean = float(data.mean())
    groups = [float(group.mean()) for group in np.array_split(data, min(GROUPS, len(data)))]
    quantile = STUDENT_95.get(len(groups) - 1)
    if quantile is None:
        return Interval(mean, -math.inf, math.inf)
    half = quantile * float(np.std(groups, ddof=1)) / math.sqrt(len(groups))
    return Interval(mean, mean - half, mean + half)
