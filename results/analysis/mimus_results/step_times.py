# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""How long steps took on each GPU type: the same model on several types side by side."""

from __future__ import annotations

import pandas as pd

from mimus_results import windows
from mimus_results.read import Cell

UNITS = {"steps": "", "step_time": "s", "samples_per_gpu": "samples/s"}
_BY = ["model", "gpu_type"]


def by_type(cell: Cell) -> pd.DataFrame:
    """One row per model and GPU type: `steps`, their mean time `step_time` [s], and
    `samples_per_gpu` [samples/s], the samples of their batches per time and GPU. Empty if steps were
    not recorded. Steps of attempts that have not ended, whose type is unknown, are left out."""
    steps, attempts, jobs = (cell.table(name) for name in ("steps", "attempts", "jobs"))
    if steps.empty or attempts.empty or jobs.empty or "gpu_type" not in attempts:
        return pd.DataFrame(columns=[*_BY, *UNITS])
    seconds = steps["steps"] * steps["step_mean"]
    rows = pd.DataFrame({
        "model": steps["job"].map(jobs.set_index("job")["model"]),
        "gpu_type": steps["attempt"].map(attempts.set_index("attempt")["gpu_type"]),
        "steps": steps["steps"], "seconds": seconds, "samples": steps["steps"] * steps["total_batch"],
        "gpu_seconds": seconds * windows.replicas_of_steps(cell, steps)})
    sums = rows[rows["seconds"] > 0].groupby(_BY).sum().reset_index()
    sums["step_time"] = sums["seconds"] / sums["steps"]
    sums["samples_per_gpu"] = sums["samples"] / sums["gpu_seconds"]
    return sums[[*_BY, *UNITS]]
