# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of the synthetic figures relative to the real ones, and their limits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from measurements import PAIR_KEY, SOLO_KEY, Measurements


@dataclass(frozen=True)
class Metric:
    """A figure that both sides have measured, and the error it may have.

    Relative errors are in per cent of the real figure; absolute ones are differences in points,
    hundredths of a fraction.
    """

    column: str
    title: str
    relative: bool
    mean_target: float | None
    largest_target: float | None

    @property
    def unit(self) -> str:
        return "%" if self.relative else "points"

    def errors(self, real: pd.Series, synthetic: pd.Series) -> pd.Series:
        """Signed errors: positive if the synthetic figure is larger; NaN if one is unknown."""
        difference = 100 * (synthetic - real)
        return difference / real.where(real != 0) if self.relative else difference


SOLO_METRICS = (
    Metric("step_mean", "step time", relative=True, mean_target=3, largest_target=8),
    Metric("memory_peak", "peak memory", relative=True, mean_target=None, largest_target=5),
    Metric("kernels", "kernels per step", relative=True, mean_target=None, largest_target=10),
    Metric("sm_activity", "SM activity", relative=False, mean_target=None, largest_target=5),
    Metric("dram_activity", "DRAM activity", relative=False, mean_target=None, largest_target=5))
SLOWDOWN = Metric("slowdown", "slowdown in pairs", relative=False, mean_target=7,
                  largest_target=None)
RANK_TARGET = 0.9


@dataclass(frozen=True)
class Verdict:
    """The limit of one target and the value that was reached; NaN if nothing was measured."""

    metric: str
    statistic: str
    target: float
    reached: float
    unit: str
    points: int
    at_least: bool = False

    @property
    def verdict(self) -> str:
        if math.isnan(self.reached):
            return "not measured"
        met = self.reached >= self.target if self.at_least else self.reached <= self.target
        return "met" if met else "missed"


def compare_solo(real: Measurements, synthetic: Measurements) -> pd.DataFrame:
    """One row per real measurement: figures of both sides and a column `<metric>_error` each.

    A measurement without a synthetic twin has NaN in their place.
    """
    both = real.solo.merge(synthetic.solo, on=SOLO_KEY, how="left",
                           suffixes=("_real", "_synthetic"))
    return _with_errors(both, SOLO_METRICS)


def compare_pairs(real: Measurements, synthetic: Measurements) -> pd.DataFrame:
    """As `compare_solo`, one row per real direction of a pair."""
    both = real.pairs.merge(synthetic.pairs, on=PAIR_KEY, how="left",
                            suffixes=("_real", "_synthetic"))
    return _with_errors(both, (SLOWDOWN,))


def _with_errors(both: pd.DataFrame, metrics: tuple[Metric, ...]) -> pd.DataFrame:
    for metric in metrics:
        both[f"{metric.column}_error"] = metric.errors(both[f"{metric.column}_real"],
                                                       both[f"{metric.column}_synthetic"])
    return both


def spearman(a: pd.Series, b: pd.Series) -> float:
    """Rank correlation: Pearson's correlation of the ranks, with ties at their mean. NaN for
    fewer than 3 pairs."""
    known = a.notna() & b.notna()
    if known.sum() < 3:
        return math.nan
    return float(a[known].rank().corr(b[known].rank()))


def judge(metric: Metric, rows: pd.DataFrame, title: str = "") -> list[Verdict]:
    """Mean and largest absolute error compared with their targets, one verdict per target."""
    errors = rows[f"{metric.column}_error"].abs().dropna()
    found = []
    for statistic, target, reached in (("mean", metric.mean_target, errors.mean()),
                                       ("largest", metric.largest_target, errors.max())):
        if target is not None:
            found.append(Verdict(title or metric.title, f"{statistic} absolute error", target,
                                 float(reached), metric.unit, len(errors)))
    return found


def judge_solo(solo: pd.DataFrame) -> list[Verdict]:
    """The targets of jobs alone, over all of them and, if there are several precisions, per
    precision."""
    found = [verdict for metric in SOLO_METRICS for verdict in judge(metric, solo)]
    precisions = list(solo["precision"].unique())
    for precision in precisions if len(precisions) > 1 else []:
        rows = solo[solo["precision"] == precision]
        found += [verdict for metric in SOLO_METRICS
                  for verdict in judge(metric, rows, f"{metric.title}, {precision}")]
    return found


def judge_all(solo: pd.DataFrame, pairs: pd.DataFrame) -> list[Verdict]:
    """All targets. Those of the pairs are judged once per way of sharing."""
    found = judge_solo(solo)
    for sharing in ("time_slice", "mps"):
        rows = pairs[pairs["sharing"] == sharing]
        title = f"{SLOWDOWN.title}, {sharing}"
        found += judge(SLOWDOWN, rows, title)
        correlation = spearman(rows["slowdown_real"], rows["slowdown_synthetic"])
        found.append(Verdict(title, "rank correlation", RANK_TARGET, correlation, "",
                             int(rows["slowdown_error"].notna().sum()), at_least=True))
    return found
