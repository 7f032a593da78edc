# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Sums and quantiles that the tables of rows give: of measured windows, and of files of the first
releases. Those of a whole run stand in its tables `totals` and `quantiles` (C++: results/cell_totals,
windowed_totals)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results.read import Cell
from mimus_results.windows import held_column, replicas_of_steps

# In the order in which they are drawn, in every report.
CAUSES = ["capacity", "fragmentation", "order", "quota", "backoff", "restart", "round"]
# Jobs by the GPUs that they ask for (Jeon et al., USENIX ATC 2019).
GANG_CLASSES = ["1", "2-4", "5-8", ">8"]

OUTCOMES = ("finished", "failed", "rejected", "unfinished")
# Columns of `jobs` that are summed as they are.
_SUMMED = ("queueing", *[f"wait_{cause}" for cause in CAUSES], "running", "gpu_seconds", "attempts",
           "preemptions", "failures", "samples_processed", "progress_samples")

# Of the table `quantiles`.
FRACTIONS = np.r_[np.arange(200) / 200, 0.999, 1.0]


def gang_class(gpus: pd.Series) -> pd.Series:
    """The gang class of each number of GPUs."""
    bounds = [-np.inf, 1, 4, 8, np.inf]
    return pd.cut(gpus, bounds, labels=GANG_CLASSES).astype(str)


def _sums_of_jobs(jobs: pd.DataFrame, waits: pd.DataFrame) -> dict[str, float]:
    sums = {"jobs": len(jobs), **{name: (jobs["outcome"] == name).sum() for name in OUTCOMES}}
    sums["jct"] = jobs.loc[jobs["outcome"] == "finished", "jct"].sum()
    for metric in _SUMMED:
        sums[metric] = jobs[metric].sum() if metric in jobs else 0.0
    if "wait_capacity" not in jobs and not waits.empty:  # the first releases
        spans = waits[waits["job"].isin(jobs["job"])]
        for cause, seconds in (spans["end"] - spans["begin"]).groupby(spans["cause"]).sum().items():
            sums[f"wait_{cause}"] = seconds
    if "gpu_seconds" in jobs and "samples_processed" in jobs:
        sampled = jobs[jobs["samples_processed"] > 0]
        share = sampled["progress_samples"] / sampled["samples_processed"]
        sums["efficient_gpu_seconds"] = (sampled["gpu_seconds"] * share).sum()
        sums["sampled_gpu_seconds"] = sampled["gpu_seconds"].sum()
    return sums


def _span(cell: Cell, jobs: pd.DataFrame, use: pd.DataFrame) -> tuple[float, float]:
    """First arrival to last end; a cell that was cut off lasts as long as it was observed [s]."""
    begin = jobs["arrival"].min() if "arrival" in jobs else 0.0
    end = jobs["end"].max() if "end" in jobs else 0.0
    cut_off = "end" in jobs and (jobs["end"] < 0).any() and not use.empty
    return float(begin), float(max(end, use["end"].max()) if cut_off else end)


def _gpu_seconds(use: pd.DataFrame, begin: float, end: float) -> dict[str, float]:
    """GPU time held and up within a span [GPU s]; nothing where it was not recorded."""
    if use.empty:
        return {}
    span = (use["end"].clip(upper=end) - use["begin"].clip(lower=begin)).clip(lower=0)
    return {"held": float((use[held_column(use)] * span).sum()),
            "up": float((use["gpus"] * span).sum())}


def _busy_seconds(cell: Cell) -> float:
    """Device time of all GPUs [GPU s]; of a window, where `gpus` does not know it, from steps."""
    if cell.whole is cell:
        gpus = cell.table("gpus")
        return float(gpus["busy"].sum()) if "busy" in gpus else np.nan
    steps = cell.whole.table("steps")
    if not cell.recorded("steps"):
        return np.nan
    begin, end = steps["begin"].to_numpy(float), steps["end"].to_numpy(float)
    within = np.minimum(end, cell.span[1]) - np.maximum(begin, cell.span[0])
    at_once = (cell.span[0] <= begin) & (begin < cell.span[1])
    share = np.where(end > begin, np.maximum(within, 0) / np.where(end > begin, end - begin, 1),
                     at_once)
    return float((share * steps["steps"] * steps["device_busy"]
                  * replicas_of_steps(cell.whole, steps)).sum())


def _sums_of_pairs(pairs: pd.DataFrame) -> dict[tuple[str, str], float]:
    known = pairs[pairs["slowdown"] > 0] if not pairs.empty else pairs
    if known.empty:
        return {}
    rows = pd.DataFrame({"pair_periods": 1.0, "pair_seconds": known["end"] - known["begin"]})
    rows["slowdown_seconds"] = known["slowdown"] * rows["pair_seconds"]
    found = {(metric, "all"): float(value) for metric, value in rows.sum().items()}
    if "model" in known:
        of_pairs = rows.groupby(known["model"] + " beside " + known["co_models"], sort=False).sum()
        found |= {(metric, pair): float(value) for pair, sums in of_pairs.iterrows()
                  for metric, value in sums.items()}
    return found


def of_tables(cell: Cell) -> pd.Series:
    """What the tables of rows say: of a window, and of the first releases, which had no `totals`."""
    jobs, waits, use = (cell.table(name) for name in ("jobs", "queue_delay", "utilisation"))
    if jobs.empty:
        return pd.Series(dtype=float)
    groups = {"all": jobs}
    if "gang" in jobs:
        groups |= {name: jobs[gang_class(jobs["gang"]) == name] for name in GANG_CLASSES}
    values = {(metric, name): float(value) for name, group in groups.items()
              for metric, value in _sums_of_jobs(group, waits).items()}
    begin, end = _span(cell, jobs, use)
    values["first_arrival", "all"], values["last_end", "all"] = begin, end
    if cell.whole is not cell:
        begin, end = cell.span
    last = float(jobs["arrival"].max()) if "arrival" in jobs else -1.0
    values["last_arrival", "all"] = last
    for prefix, until in (("gpu", end), ("arriving", last)):
        for name, seconds in _gpu_seconds(use, begin, until).items():
            values[f"{prefix}_{name}_seconds", "all"] = seconds
    values["gpus", "all"] = float(len(cell.table("gpus")))
    values["gpu_busy_seconds", "all"] = _busy_seconds(cell)
    decisions = cell.table("decisions")
    if not decisions.empty:
        values["decisions", "all"] = float(len(decisions))
        values["decision_seconds", "all"] = float(decisions["latency_us"].sum() * 1e-6)
    return pd.Series(values | _sums_of_pairs(cell.table("pairs")))


def rows_of_tables(cell: Cell) -> pd.DataFrame:
    """The table `totals` that the tables of rows of a window give."""
    values = of_tables(cell)
    return pd.DataFrame({"metric": [metric for metric, _ in values.index],
                         "group": [group for _, group in values.index], "value": values.to_numpy()})


def quantiles_of_tables(cell: Cell) -> pd.DataFrame:
    """The table `quantiles`, likewise."""
    jobs, parts = cell.table("jobs"), []
    for metric in ("jct", "queueing", "decision_latency"):
        values = values_of_jobs(cell, metric)
        groups = {"all": values}
        if metric != "decision_latency" and not jobs.empty:
            counted = jobs[jobs["outcome"] == "finished"] if metric == "jct" else jobs
            classes = gang_class(counted["gang"]).to_numpy()
            groups |= {name: values[classes == name] for name in GANG_CLASSES}
        parts += [pd.DataFrame({"metric": metric, "group": name, "fraction": FRACTIONS,
                                "value": np.quantile(of_group, FRACTIONS)})
                  for name, of_group in groups.items() if len(of_group)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def values_of_jobs(cell: Cell, metric: str) -> np.ndarray:
    """jct of finished jobs, queueing of all jobs, or decision_latency [s]; empty without its table."""
    if metric == "decision_latency":
        decisions = cell.table("decisions")
        return decisions["latency_us"].to_numpy() * 1e-6 if len(decisions) else np.empty(0)
    if ("values", metric) not in cell.memo:
        jobs = cell.table("jobs")
        if jobs.empty or metric not in jobs:
            return np.empty(0)
        of = (jobs["outcome"] == "finished").to_numpy() if metric == "jct" else slice(None)
        cell.memo["values", metric] = jobs[metric].to_numpy()[of]
    return cell.memo["values", metric]
