# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Hyper-parameter searches: validations in order, what each had cost, and where trials ended."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results.read import Cell

COLUMNS = ["application", "trial", "learning_rate", "batch", "rung", "progress", "since_arrival",
           "gpu_seconds", "loss", "best"]


def _used_by(attempts: pd.DataFrame, times: np.ndarray) -> np.ndarray:
    """GPU time that these attempts had held by each of the times. [GPU s]"""
    rates = (attempts["replicas"] * attempts.get("gpu_share", 1.0)).to_numpy(float)
    used = np.zeros(len(times))
    for column, sign in (("begin", 1.0), ("end", -1.0)):
        moments = attempts[column].to_numpy(float)
        order = np.argsort(moments)
        past = np.searchsorted(moments[order], times, side="right")
        rate = np.r_[0.0, np.cumsum(rates[order])][past]
        offset = np.r_[0.0, np.cumsum((rates * moments)[order])][past]
        used += sign * (rate * times - offset)
    return used


def validations(cell: Cell) -> pd.DataFrame:
    """One row per validation, with COLUMNS, by search and in order of time: `gpu_seconds` that its
    search had used by then (NaN where attempts were not recorded), and its `best` loss so far."""
    trials, jobs, attempts = (cell.table(name) for name in ("trials", "jobs", "attempts"))
    if trials.empty:
        return pd.DataFrame(columns=COLUMNS)
    found = trials.sort_values(["application", "time"], kind="stable").reset_index(drop=True)
    found["best"] = found.groupby("application")["loss"].cummin()
    found["gpu_seconds"] = np.nan
    if jobs.empty or attempts.empty:
        return found[COLUMNS]
    search_of = attempts["job"].map(dict(zip(jobs["job"], jobs["application"])))
    for name, rows in found.groupby("application"):
        found.loc[rows.index, "gpu_seconds"] = _used_by(attempts[search_of == name],
                                                        rows["time"].to_numpy(float))
    return found[COLUMNS]


def best_until(searches: list[pd.DataFrame], column: str, grid: np.ndarray) -> np.ndarray:
    """The best loss of a search at each value of `column` in `grid`, in the mean over searches,
    each with the rows of one search; NaN until all have one."""
    courses = []
    for rows in searches:
        past = np.searchsorted(rows[column].to_numpy(float), grid, side="right")
        courses.append(np.r_[np.nan, rows["best"].to_numpy(float)][past])
    return np.mean(courses, axis=0)


def rungs(cells: list[Cell]) -> pd.DataFrame:
    """How many trials of these cells were validated at each rung and stopped there: rung, progress,
    validated, stopped."""
    tables = [table for table in (cell.table("trials") for cell in cells) if not table.empty]
    if not tables:
        return pd.DataFrame(columns=["rung", "progress", "validated", "stopped"])
    rows = pd.concat(tables)
    rows = rows.assign(stopped=rows["goes_on"] == 0)
    return rows.groupby(["rung", "progress"], as_index=False).agg(validated=("stopped", "size"),
                                                                  stopped=("stopped", "sum"))
