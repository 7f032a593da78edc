# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Energy from all tables that have a column of it. Columns are found by their unit, not by name."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results import metrics
from mimus_results.read import Cell
from mimus_results.tidy import of_window

JOULES = {"J": 1.0, "kJ": 1e3, "MJ": 1e6, "Wh": 3600.0, "kWh": 3.6e6}
# Tables of the cluster. The energy per job would count the same joules again.
TABLES = ("nodes", "energy")
JOB_COLUMNS = ["job", "model", "gpu_seconds", "share", "joules"]


def energy(cell: Cell) -> pd.DataFrame:
    """One row per record: table, column, node (-1: not of a single node), source (measured or
    modelled; "" in older files), joules [J]; NaN if not known."""
    rows = []
    for name in TABLES:
        table = cell.table(name)
        for column, unit in table.attrs.get("units", {}).items():
            if unit in JOULES:
                nodes = table["node"] if "node" in table else pd.Series(-1, index=table.index)
                sources = table["source"] if "source" in table else pd.Series("", index=table.index)
                rows += [(name, column, int(node), str(source),
                          float(value) * JOULES[unit] if value >= 0 else np.nan)
                         for node, source, value in zip(nodes, sources, table[column])]
    return pd.DataFrame(rows, columns=["table", "column", "node", "source", "joules"])


def modelled(cell: Cell) -> pd.Series:
    """Energy [J] that is modelled rather than measured, by table: `energy` is that of the GPUs,
    `nodes` that of the rest of their servers. Empty if none is."""
    rows = energy(cell)
    return rows[rows["source"].str.startswith("modelled")].groupby("table")["joules"].sum()


def of_jobs(cell: Cell) -> pd.DataFrame:
    """Finished jobs with their share of the cell's energy: JOB_COLUMNS; empty without energy.

    A job's share is its GPU time over the GPU time of all jobs. So idle power is divided among
    jobs, too, and jobs that did not finish keep their share. A window contains its own jobs.
    """
    if cell.whole is not cell:
        return of_window(of_jobs(cell.whole), cell)
    joules, jobs = metrics.of_cell(cell).get("energy"), cell.table("jobs")
    if joules is None or jobs.empty or not jobs["gpu_seconds"].sum() > 0:
        return pd.DataFrame(columns=JOB_COLUMNS)
    share = jobs["gpu_seconds"] / jobs["gpu_seconds"].sum()
    found = jobs.assign(share=share, joules=joules * share)
    return found.loc[found["outcome"] == "finished", JOB_COLUMNS]
