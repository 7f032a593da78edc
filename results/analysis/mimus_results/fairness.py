# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Fairness of each finished job: the table `fairness`, with properties of the job. The formulas are
those of docs/results.md; the program computes them (results/totals/fairness.hpp)."""

from __future__ import annotations

import pandas as pd

from mimus_results.read import Cell

COLUMNS = ["job", "model", "gang", "jct", "solo", "service", "mean_active", "slowdown",
           "bounded_slowdown", "rho"]


def job_fairness(cell: Cell) -> pd.DataFrame:
    """One row per finished job: COLUMNS; empty where it was not recorded.

    jct, solo (running time without co-tenants) [s]; service [GPU s]; mean_active [jobs]; slowdown,
    bounded_slowdown and rho [1], NaN where it is not known.
    """
    rows = cell.table("fairness")
    if rows.empty:
        return pd.DataFrame(columns=COLUMNS)
    return rows.merge(cell.table("jobs")[["job", "model", "gang", "jct"]], on="job")[COLUMNS]
