# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What could be allocated of a cluster, and how fragmented it was, over what jobs had asked for by then."""

from __future__ import annotations

import pandas as pd

from mimus_results.read import Cell
from mimus_results.statistics import half_width

#: Columns of shares, with their titles: of all GPUs, and of those that are idle.
SHARES = {"allocated_share": "GPUs allocated", "fragmented_share": "GPUs fragmented",
          "fragmented_of_idle": "Idle GPUs fragmented"}


def shares(cell: Cell) -> pd.DataFrame:
    """The rows of `allocation` with `requested_share` and the SHARES of a cell [1]."""
    rows = cell.table("allocation")
    if rows.empty:
        return rows
    idle = rows["gpus"] - rows["allocated"]
    return rows.assign(requested_share=rows["requested"] / rows["gpus"],
                       allocated_share=rows["allocated"] / rows["gpus"],
                       fragmented_share=rows["fragmented"] / rows["gpus"],
                       fragmented_of_idle=rows["fragmented"] / idle.where(idle > 0))


def means(cells: list[Cell]) -> pd.DataFrame:
    """Means of the SHARES over repetitions, by label and hundredth of the cluster requested.

    Columns: label, requested [1], share (its name), mean, low and high (the ends of the 95 %
    interval; equal to the mean where there is one repetition).
    """
    parts = [shares(cell).assign(label=cell.label) for cell in cells]
    parts = [part for part in parts if not part.empty and len(part.columns) > 1]
    if not parts:
        return pd.DataFrame(columns=["label", "requested", "share", "mean", "low", "high"])
    rows = pd.concat(parts, ignore_index=True)
    rows["requested"] = rows["requested_share"].round(2)
    found = []
    for (label, requested), group in rows.groupby(["label", "requested"], sort=False):
        for share in SHARES:
            values = group[share].dropna().to_numpy()
            if not len(values):
                continue
            half = float(half_width(values)) if len(values) > 1 else 0.0
            found.append((label, requested, share, values.mean(), values.mean() - half,
                          values.mean() + half))
    return pd.DataFrame(found, columns=["label", "requested", "share", "mean", "low", "high"])
