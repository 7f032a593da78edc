# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Data over time: windows of training steps, and sums over bins of time.

A window of steps is worth steps × step_modelled × progress_samples ÷ samples seconds of useful time
on each of its GPUs: the time that the same progress takes at the modelled speed of a job that
shares nothing, at full statistical efficiency. Summed over jobs and divided by the number of GPUs,
this compares models of any kind; a value above 1 means that sharing was worthwhile.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results.read import Cell

UNITS = {"begin": "s", "end": "s", "total_batch": "samples", "throughput": "samples/s",
         "goodput": "samples/s", "efficiency": "", "useful": "GPU s", "loss": "", "learning_rate": ""}
COLUMNS = ["attempt", "job", *UNITS]


def step_windows(cell: Cell) -> pd.DataFrame:
    """One row per window of `steps`: COLUMNS; empty if steps were not recorded."""
    steps = cell.table("steps")
    if steps.empty:
        return pd.DataFrame(columns=COLUMNS)
    span = (steps["end"] - steps["begin"]).where(steps["end"] > steps["begin"])
    share = (steps["progress_samples"] / steps["samples"].where(steps["samples"] > 0)).fillna(0)
    found = steps.reindex(columns=["attempt", "job", "begin", "end", "total_batch", "loss", "learning_rate"])
    for column in ("loss", "learning_rate"):  # of jobs with a model; not in files of earlier versions
        found[column] = found[column].where(found[column] >= 0)
    found["throughput"] = steps["samples"] / span
    found["goodput"] = steps["progress_samples"] / span
    found["efficiency"] = share
    found["useful"] = steps["steps"] * steps["step_modelled"] * share * replicas_of_steps(cell, steps)
    return found[COLUMNS]


def replicas_of_steps(cell: Cell, steps: pd.DataFrame) -> pd.Series:
    """The number of GPUs on which each row of `steps` was trained."""
    attempts, jobs = cell.table("attempts"), cell.table("jobs")
    replicas = pd.Series(1.0, index=steps.index)
    if not jobs.empty:  # attempts that have not ended yet have the requested gang
        replicas = steps["job"].map(jobs.set_index("job")["gang"]).fillna(1)
    if not attempts.empty:
        replicas = steps["attempt"].map(attempts.set_index("attempt")["replicas"]).fillna(replicas)
    return replicas


def elastic_jobs(rows: pd.DataFrame) -> list[int]:
    """Jobs whose total batch changed, in descending order of the number of distinct batches."""
    distinct = rows.groupby("job")["total_batch"].nunique()
    return list(distinct[distinct > 1].sort_values(ascending=False, kind="stable").index)


def binned(windows: pd.DataFrame, edges: np.ndarray, column: str = "useful") -> np.ndarray:
    """Sum of a column in each bin; a window's is spread evenly over its span.

    Edges ascend [s]. The integral is piecewise linear in time: n log n in windows.
    """
    begin, end = windows["begin"].to_numpy(float), windows["end"].to_numpy(float)
    end = np.maximum(end, begin + 1e-6)  # a rate must stay finite
    rate = windows[column].to_numpy(float) / (end - begin)
    times = np.r_[begin, end]
    order = np.argsort(times, kind="stable")
    times, slopes = times[order], np.cumsum(np.r_[rate, -rate][order])
    integral = np.r_[0.0, np.cumsum(slopes[:-1] * np.diff(times))] if len(times) else times
    return np.diff(np.interp(edges, times, integral)) if len(times) else np.zeros(len(edges) - 1)


def span_integral(rows: pd.DataFrame, column: str, edges: np.ndarray) -> np.ndarray:
    """Integral over each bin of a column that is constant from `begin` to `end`, without gaps."""
    begin, end = rows["begin"].to_numpy(), rows["end"].to_numpy()
    areas = np.r_[0.0, np.cumsum(rows[column].to_numpy() * (end - begin))]
    return np.diff(np.interp(edges, np.r_[begin[0], end], areas))


def held_column(rows: pd.DataFrame) -> str:
    """The column of GPUs held by jobs. Files of the first releases have no shares of a GPU."""
    return "gpus_allocated" if "gpus_allocated" in rows else "gpus_held"


def held_share(rows: pd.DataFrame, edges: np.ndarray) -> np.ndarray:
    """GPU time held ÷ GPU time up in each bin; NaN where nothing was up or observed.

    `rows` are those of `utilisation`, in order of time; the edges ascend [s].
    """
    up = span_integral(rows, "gpus", edges)
    return span_integral(rows, held_column(rows), edges) / np.where(up > 0, up, np.nan)
