# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Intervals over repetitions, and labels compared on the same seeds.

A verdict needs repetitions. Without enough of them the answer is how many are needed. Labels
without a common seed did not have the same jobs and are not compared. The confidence is that of
each single comparison, not of all together.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from mimus_results import statistics, sweep
from mimus_results.metrics import METRICS
from mimus_results.read import ReadError
from mimus_results.statistics import CONFIDENCE

INTERVAL_COLUMNS = ["label", "metric", "unit", "mean", "half_width", "low", "high", "repetitions",
                    "late", "reason"]
PAIR_COLUMNS = ["baseline", "label", "changed", "metric", "unit", "pairs", "late", "mean_baseline",
                "mean", "difference", "difference_low", "difference_high", "ratio", "ratio_low",
                "ratio_high", "dz", "cliffs_delta", "verdict", "better", "needed", "reason"]

LOWER, HIGHER, NOT_TOLD, NONE = "lower", "higher", "no clear difference", "no verdict"


def intervals(metrics: pd.DataFrame, confidence: float = CONFIDENCE) -> pd.DataFrame:
    """Intervals of a tidy frame of metrics: INTERVAL_COLUMNS, one row per label and metric.

    `late` counts repetitions whose host could not keep the pace.
    """
    rows = []
    for (label, metric), group in metrics.groupby(["label", "metric"], sort=False):
        found = statistics.mean_interval(group.sort_values("repetition")["value"], confidence)
        rows.append((label, metric, group["unit"].iloc[0], found.estimate,
                     (found.high - found.low) / 2, found.low, found.high, found.repetitions,
                     int(group["late"].sum()), found.reason))
    return pd.DataFrame(rows, columns=INTERVAL_COLUMNS)


def paired(metrics: pd.DataFrame, labels: list[str], baseline: str | None = None,
           confidence: float = CONFIDENCE) -> pd.DataFrame:
    """Compares labels pairwise over repetitions with the same seed, for each metric of the frame.

    Labels are compared where they differ in a single swept value and have a seed in common. With
    `baseline`, a label or a swept value, only with that one (see mimus_results.sweep). Columns
    (PAIR_COLUMNS): `pairs` of runs, `late` those in which a host was; `difference` = mean −
    mean_baseline in the metric's unit and `ratio` of the means, both with their interval from the
    same resamples of pairs; effect sizes `dz` (Cohen,
    paired) and `cliffs_delta`; `verdict` lower | higher | no clear difference | no verdict; `better`
    True, False or None; `needed` repetitions to tell such a difference (80 % power) where there is
    no verdict; `reason` why there is none.
    """
    pairs = sweep.comparisons(labels, baseline)
    rows = []
    for metric, of_metric in metrics.groupby("metric", sort=False):
        # Once per label: with n of them there are up to n² pairs.
        by_label = {label: _by_seed(rows_of) for label, rows_of
                    in of_metric.groupby("label", sort=False)}
        for pair in pairs:
            if pair.label not in by_label or pair.baseline not in by_label:
                continue
            matched = _matched(by_label[pair.baseline], by_label[pair.label])
            if len(matched.base):
                rows.append([pair.baseline, pair.label, pair.changed, metric,
                             of_metric["unit"].iloc[0],
                             *_compare(matched, METRICS[metric].better, confidence)])
    return pd.DataFrame(rows, columns=PAIR_COLUMNS)


class Matched(NamedTuple):
    """Values of two labels on the seeds that both have, and how many of these pairs are late."""

    base: np.ndarray
    other: np.ndarray
    late: int


def _by_seed(rows: pd.DataFrame) -> dict[tuple, tuple[float, bool]]:
    """Known values by repetition and seed, with a flag for late ones. Raises ReadError if a pair
    of repetition and seed has two values."""
    keys = rows[["repetition", "seed"]]
    twice = keys[keys.duplicated()]
    if not twice.empty:
        first = twice.iloc[0]
        raise ReadError(f'"{rows["label"].iloc[0]}": repetition {first["repetition"]} with seed '
                        f'{first["seed"]} is there twice; read the files of one configuration only')
    return {(repetition, seed): (value, late) for repetition, seed, value, late in
            zip(rows["repetition"], rows["seed"], rows["value"], rows["late"])
            if math.isfinite(value)}


def _matched(of_base: dict[tuple, tuple[float, bool]],
             of_other: dict[tuple, tuple[float, bool]]) -> Matched:
    both = sorted(of_base.keys() & of_other.keys())
    return Matched(np.array([of_base[key][0] for key in both]),
                   np.array([of_other[key][0] for key in both]),
                   sum(of_base[key][1] or of_other[key][1] for key in both))


def _compare(matched: Matched, direction: int, confidence: float) -> list:
    base, other = matched.base, matched.other
    difference = other - base
    dz = statistics.cohen_dz(difference)
    mean_base, mean = float(base.mean()), float(other.mean())
    found = [len(base), matched.late, mean_base, mean, mean - mean_base, math.nan, math.nan,
             mean / mean_base if mean_base > 0 else math.nan, math.nan, math.nan,
             dz, statistics.cliffs_delta(other, base)]
    reason = _reason(base, other, confidence)
    if reason:
        needed = statistics.repetitions_needed(confidence) if "identical" not in reason else None
        return [*found, NONE, None, needed, reason]
    levels = statistics.expanded_levels(len(base), confidence)
    means = statistics.resampled_means(np.column_stack([base, other]))
    found[5:7] = np.quantile(means[:, 1] - means[:, 0], levels)
    if mean_base > 0 and means[:, 0].min() > 0:
        found[8:10] = np.quantile(means[:, 1] / means[:, 0], levels)
    return found + _verdict(found[5], found[6], direction, dz, confidence)


def _reason(base: np.ndarray, other: np.ndarray, confidence: float) -> str:
    """Why this pair of labels allows no verdict, or "" if it does.

    Equal differences count as a finding if the values differ, because the seed then matters.
    """
    short = statistics.reason_without_verdict(len(base), confidence)
    if short:
        return short
    alike = statistics.are_identical(base) and statistics.are_identical(other)
    return statistics.IDENTICAL if alike else ""


def _verdict(low: float, high: float, direction: int, dz: float, confidence: float) -> list:
    if high < 0 or low > 0:
        verdict = LOWER if high < 0 else HIGHER
        better = None if direction == 0 else (verdict == HIGHER) == (direction > 0)
        return [verdict, better, None, ""]
    if low == high == 0:
        return [NOT_TOLD, None, None, "equal on every seed"]
    return [NOT_TOLD, None, statistics.repetitions_to_tell(dz, confidence),
            "the interval includes no difference"]
