# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Sums and distributions of cells, whichever tables their `record` level has kept."""

from __future__ import annotations

from typing import Iterable

import numpy as np
import pandas as pd

from mimus_results import program
from mimus_results.metrics import CAUSES, GANG_CLASSES
from mimus_results.read import Cell
from mimus_results.statistics import half_width

__all__ = ["CAUSES", "GANG_CLASSES", "distribution", "ecdf", "gpu_count", "half_widths", "labels", "mean_waits",
           "of_all", "quantile", "totals", "values_of_jobs"]

# Up to this number of values, a distribution is drawn with one step per value.
EXACT = 2000


def _of_file(cell: Cell, name: str) -> pd.DataFrame:
    """A table of the file. For older files, which lack it, the program computes it."""
    return cell.table(name) if cell.recorded(name) else program.table(cell, name)


def totals(cell: Cell) -> pd.Series:
    """The metrics of the table `totals`, by (metric, group); empty when no job has ended."""
    if "totals" not in cell.memo:
        rows = _of_file(cell, "totals")
        values = (pd.Series(rows["value"].to_numpy(), index=[rows["metric"], rows["group"]])
                  if not rows.empty else pd.Series(dtype=float))
        if not values.index.is_unique:  # older files have several pairs with the same names
            values = values.groupby(level=[0, 1], sort=False).sum()
        ended = values.get(("jobs", "all"), 0) > 0
        cell.memo["totals"] = values if ended else pd.Series(dtype=float)
    return cell.memo["totals"]


def of_all(cell: Cell) -> dict[str, float]:
    """The metrics of all rows together, by name."""
    return {metric: value for (metric, group), value in totals(cell).items() if group == "all"}


def gpu_count(cell: Cell) -> int:
    """The GPUs of the cluster; 0 as long as they are unknown."""
    return int(of_all(cell).get("gpus", 0)) or len(cell.table("gpus"))


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
    """A quantile of jct, queueing or decision_latency [s]; None if it is unknown."""
    values, fractions = _points(cell, metric)
    found = np.flatnonzero(fractions == fraction)
    return float(values[found[0]]) if len(found) else None


def _points(cell: Cell, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Values and fractions of the table `quantiles` over all rows."""
    if ("quantiles", metric) not in cell.memo:
        rows = _of_file(cell, "quantiles")
        if rows.empty:
            return np.empty(0), np.empty(0)
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
              (_points(cell, metric) for cell in cells) if len(points[0])]
    return half_width(np.array(shares)) if len(shares) > 1 else None


def values_of_jobs(cell: Cell, metric: str) -> np.ndarray:
    """jct of finished jobs, or queueing of all jobs [s]; empty if their table was not recorded."""
    if ("values", metric) not in cell.memo:
        jobs = cell.table("jobs")
        if jobs.empty or metric not in jobs:
            return np.empty(0)
        of = (jobs["outcome"] == "finished").to_numpy() if metric == "jct" else slice(None)
        cell.memo["values", metric] = jobs[metric].to_numpy()[of]
    return cell.memo["values", metric]


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
             ((_points(cell, metric), count) for cell, count in zip(cells, counts))
             if len(points[0])]
    if not known:
        return np.empty(0), np.empty(0)
    values = np.unique(np.concatenate([points[0] for points, _ in known]))
    share = sum(count * np.interp(values, *points, left=0.0, right=1.0) for points, count in known)
    return values, share / sum(count for _, count in known)
