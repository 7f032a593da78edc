# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Sums and distributions of cells, whichever tables their `record` level has kept."""

from __future__ import annotations

from typing import Iterable

import numpy as np
import pandas as pd

from mimus_results.read import Cell
from mimus_results.statistics import half_width
from mimus_results.sums import (CAUSES, FRACTIONS, GANG_CLASSES, OUTCOMES, gang_class, of_tables,
                                values_of_jobs)

__all__ = ["CAUSES", "GANG_CLASSES", "OUTCOMES", "distribution", "ecdf", "gang_class",
           "half_widths", "labels", "mean_waits", "of_all", "quantile", "totals", "values_of_jobs"]

# Up to so many values a distribution is drawn with a step for each.
EXACT = 2000


def totals(cell: Cell) -> pd.Series:
    """The metrics of the table `totals`, by (metric, group); empty when no job has ended."""
    if "totals" not in cell.memo:
        rows = cell.table("totals")
        values = (pd.Series(rows["value"].to_numpy(), index=[rows["metric"], rows["group"]])
                  if not rows.empty else of_tables(cell))
        if not values.index.is_unique:  # older files: pairs that their names do not tell apart
            values = values.groupby(level=[0, 1], sort=False).sum()
        ended = values.get(("jobs", "all"), 0) > 0
        cell.memo["totals"] = values if ended else pd.Series(dtype=float)
    return cell.memo["totals"]


def of_all(cell: Cell) -> dict[str, float]:
    """The metrics of all rows together, by name."""
    return {metric: value for (metric, group), value in totals(cell).items() if group == "all"}


def labels(cells: Iterable[Cell]) -> list[str]:
    """The labels of the cells, each once, in their order."""
    return list(dict.fromkeys(cell.label for cell in cells))


def mean_waits(cells: Iterable[Cell], group: str = "all") -> pd.DataFrame:
    """Mean wait per job by cause [s], a row per label with jobs in the group: the mean over its
    repetitions, as every figure of a label is. Causes that occurred."""
    prefix = "wait_"
    runs: dict[str, list[pd.Series]] = {}
    for cell in cells:
        values = totals(cell)
        jobs = values.get(("jobs", group), 0)
        if jobs > 0:
            waits = {metric[len(prefix):]: seconds / jobs for (metric, of), seconds
                     in values.items() if of == group and metric.startswith(prefix)}
            runs.setdefault(cell.label, []).append(pd.Series(waits, dtype=float))
    rows = {label: pd.DataFrame(of_label).fillna(0.0).mean() for label, of_label in runs.items()}
    waits = pd.DataFrame(rows).T.fillna(0.0) if rows else pd.DataFrame()
    occurred = [cause for cause in waits.columns if waits[cause].sum() > 0]
    others = sorted(set(occurred) - set(CAUSES))
    return waits[[cause for cause in CAUSES if cause in occurred] + others]


def quantile(cell: Cell, metric: str, fraction: float) -> float | None:
    """A quantile of jct, queueing or decision_latency [s]; None when it is not known."""
    if not cell.table("quantiles").empty:
        values, fractions = _recorded_points(cell, metric)
        found = np.flatnonzero(fractions == fraction)
        return float(values[found[0]]) if len(found) else None
    values = values_of_jobs(cell, metric)
    return float(np.quantile(values, fraction)) if len(values) else None


def _recorded_points(cell: Cell, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Values and fractions of the table `quantiles` over all rows."""
    if ("quantiles", metric) not in cell.memo:
        rows = cell.table("quantiles")
        of = (rows["metric"].to_numpy() == metric) & (rows["group"].to_numpy() == "all")
        cell.memo["quantiles", metric] = (rows["value"].to_numpy()[of],
                                          rows["fraction"].to_numpy()[of])
    return cell.memo["quantiles", metric]


def ecdf(values) -> tuple[np.ndarray, np.ndarray]:
    """Steps of the empirical distribution: sorted values and the share not above each."""
    ordered = np.sort(np.asarray(values, dtype=float))
    return ordered, np.arange(1, len(ordered) + 1) / len(ordered)


def half_widths(cells: list[Cell], metric: str, at: np.ndarray) -> np.ndarray | None:
    """Half the width of Student's interval of a distribution over repetitions, at these values.

    None where fewer than two repetitions know theirs.
    """
    shares = [np.interp(at, *points, left=0.0, right=1.0) for points in
              (_known_points(cell, metric) for cell in cells) if len(points[0])]
    return half_width(np.array(shares)) if len(shares) > 1 else None


def _known_points(cell: Cell, metric: str) -> tuple[np.ndarray, np.ndarray]:
    if not cell.table("quantiles").empty:
        return _recorded_points(cell, metric)
    values = values_of_jobs(cell, metric)
    return (np.quantile(values, FRACTIONS), FRACTIONS) if len(values) else (values, values)


def distribution(cells: list[Cell], metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Values and the share of jobs not above each, over the repetitions of a cell [s].

    Exact for few jobs whose table was recorded, else from 202 quantiles; empty without any.
    """
    counted = "finished" if metric == "jct" else "jobs"
    counts = [totals(cell).get((counted, "all"), 0) for cell in cells]
    if sum(counts) <= EXACT and all(cell.recorded("jobs") for cell in cells):
        values = np.concatenate([values_of_jobs(cell, metric) for cell in cells])
        return ecdf(values) if len(values) else (values, values)
    known = [(points, count) for points, count in
             ((_known_points(cell, metric), count) for cell, count in zip(cells, counts))
             if len(points[0])]
    if not known:
        return np.empty(0), np.empty(0)
    values = np.unique(np.concatenate([points[0] for points, _ in known]))
    share = sum(count * np.interp(values, *points, left=0.0, right=1.0) for points, count in known)
    return values, share / sum(count for _, count in known)
