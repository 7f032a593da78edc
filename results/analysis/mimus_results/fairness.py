# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Slowdown and finish-time fairness of every finished job.

Finish-time fairness is ρ = T_shared ÷ T_isolated (Mahajan et al., Themis, NSDI 2020), where

    T_shared   = end − arrival
    T_isolated = service ÷ min(C ÷ N, demand)

with C the GPUs of the cluster, N the mean number of jobs in the system during the job's life, and
demand the GPUs that it asks for. ρ ≤ 1: it would not have been better off with its own share.

`service` is what the job would have taken alone on its GPUs [GPU s]: its GPU seconds less the time
that co-tenants cost it, Σ over `pairs` of (end − begin)·(1 − 1 ÷ slowdown)·replicas. Start-ups,
checkpoints and lost work count as service, so that under preemption ρ is a lower bound.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results import totals
from mimus_results.read import Cell
from mimus_results.tidy import of_window

# Jobs shorter than this count as so long in the bounded slowdown [s] (Feitelson 2001).
BOUND = 10.0
# A job is worse off than with its own share where ρ is larger than this. Times are sums of rounded
# numbers: a job that had its share all the time ends up some 1e-9 to either side of 1.
UNFAIR_ABOVE = 1.0 + 1e-6

COLUMNS = ["job", "model", "gang", "jct", "solo", "service", "mean_active", "slowdown",
           "bounded_slowdown", "rho"]


def mean_active(arrival: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Mean number of jobs in the system over each job's own life [arrival, end) [s].

    A job that has not left (end < 0) counts until the last that is known of.
    """
    arrival, end = np.asarray(arrival, dtype=float), np.asarray(end, dtype=float)
    last = max(float(arrival.max(initial=0.0)), float(end.max(initial=0.0)))
    leaves = np.where(end < 0, last, end)
    times = np.r_[arrival, leaves]
    order = np.argsort(times, kind="stable")
    active = np.cumsum(np.r_[np.ones(len(arrival)), -np.ones(len(leaves))][order])
    times = times[order]
    integral = np.r_[0.0, np.cumsum(active[:-1] * np.diff(times))]
    life = leaves - arrival
    spent = np.interp(leaves, times, integral) - np.interp(arrival, times, integral)
    return np.where(life > 0, spent / np.where(life > 0, life, 1.0), 1.0)


def _lost_to_co_tenants(cell: Cell, jobs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Seconds, and GPU seconds, that co-tenants cost each of the jobs."""
    pairs, attempts = cell.table("pairs"), cell.table("attempts")
    if pairs.empty:
        return np.zeros(len(jobs)), np.zeros(len(jobs))
    slowdown = np.maximum(pairs["slowdown"].to_numpy(), 1.0)  # 0: no baseline
    lost = (pairs["end"] - pairs["begin"]).to_numpy() * (1 - 1 / slowdown)
    replicas = dict(zip(attempts["attempt"], attempts["replicas"])) if not attempts.empty else {}
    on_gpus = lost * [replicas.get(attempt, 1) for attempt in pairs["attempt"]]
    place = {job: at for at, job in enumerate(jobs)}
    rows = np.array([place.get(job, len(jobs)) for job in pairs["job"]])
    return tuple(np.bincount(rows, weights=weights, minlength=len(jobs) + 1)[:len(jobs)]
                 for weights in (lost, on_gpus))


def _held_share(cell: Cell, jobs: pd.Series) -> np.ndarray:
    """Share of each of its GPUs that a job held: all unless the policy divides GPUs."""
    attempts = cell.table("attempts")
    if attempts.empty or "gpu_share" not in attempts:
        return np.ones(len(jobs))
    held = attempts.drop_duplicates("job").set_index("job")["gpu_share"]
    return jobs.map(held).fillna(1).to_numpy()


def gpu_count(cell: Cell) -> int:
    """GPUs of the cluster, from the tables that know; 0 when none does."""
    counted = totals.of_all(cell).get("gpus", 0)
    if counted > 0:
        return int(counted)
    if not cell.table("gpus").empty:
        return len(cell.table("gpus"))
    utilisation = cell.table("utilisation")
    return int(utilisation["gpus"].max()) if not utilisation.empty else 0


def unfair_share(rho: np.ndarray) -> float:
    """The share of jobs that were worse off than with their own share of the cluster."""
    return float((rho > UNFAIR_ABOVE).mean()) if len(rho) else float("nan")


def job_fairness(cell: Cell) -> pd.DataFrame:
    """One row per finished job: COLUMNS. Empty without the table `jobs`.

    jct, solo (running time without co-tenants) [s]; service [GPU s]; mean_active [jobs];
    slowdown = jct ÷ solo; bounded_slowdown = max(1, jct ÷ max(solo, 10 s)); rho [1], NaN where the
    number of GPUs is not known. In a window are its jobs; N counts all that were in the system.
    """
    if cell.whole is not cell:
        return of_window(job_fairness(cell.whole), cell)
    jobs = cell.table("jobs")
    if jobs.empty or "gpu_seconds" not in jobs:
        return pd.DataFrame(columns=COLUMNS)
    column = {name: jobs[name].to_numpy() for name in
              ("job", "gang", "arrival", "end", "jct", "running", "gpu_seconds")}
    seconds, gpu_seconds = _lost_to_co_tenants(cell, column["job"])
    share = jobs["gpu_share"].to_numpy() if "gpu_share" in jobs else 1.0
    solo = np.maximum(column["running"] - seconds, 0)
    replica_seconds = column["gpu_seconds"] / _held_share(cell, jobs["job"])
    service = np.maximum((replica_seconds - gpu_seconds) * share, 0)
    active = mean_active(column["arrival"], column["end"])
    own_share = np.minimum(gpu_count(cell) / active, column["gang"] * share)
    with np.errstate(divide="ignore", invalid="ignore"):
        isolated = np.where(own_share > 0, service / own_share, np.nan)
        rho = np.where(isolated > 0, column["jct"] / isolated, np.nan)
        slowdown = np.where(solo > 0, column["jct"] / solo, np.nan)
    found = pd.DataFrame({
        "job": column["job"], "model": jobs["model"].to_numpy(), "gang": column["gang"],
        "jct": column["jct"], "solo": solo, "service": service, "mean_active": active,
        "slowdown": slowdown,
        "bounded_slowdown": np.maximum(column["jct"] / np.maximum(solo, BOUND), 1), "rho": rho})
    return found[(jobs["outcome"] == "finished").to_numpy()].reset_index(drop=True)


def jain_index(values) -> float:
    """(Σx)² ÷ (n·Σx²): 1 when all are equal, 1 ÷ n when one has everything; NaN without values."""
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values)]
    squares = len(values) * float((values ** 2).sum())
    return float(values.sum()) ** 2 / squares if squares > 0 else np.nan
