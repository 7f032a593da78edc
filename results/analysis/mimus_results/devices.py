# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements of physical devices: samples over time, and their means."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results.read import Cell

MEANS = ["sm_utilisation", "sm_activity", "sm_occupancy", "tensor_activity", "dram_activity",
         "power"]
UNITS = {**{name: "%" for name in MEANS}, "power": "W", "samples": "", "span": "s", "joules": "J",
         "mean_power": "W"}
_DEVICE = ["gpu", "host", "device"]


def samples(cell: Cell) -> pd.DataFrame:
    """The table `device_samples` with NaN instead of -1 for values that the device does not
    give."""
    rows = cell.table("device_samples")
    if rows.empty:
        return rows
    numbers = rows.select_dtypes(np.floating).columns.drop("time")
    return rows.assign(**{name: rows[name].where(rows[name] >= 0) for name in numbers})


def means(cell: Cell) -> pd.DataFrame:
    """One row per device: gpu, host, device, its number of samples, MEANS over them, and span,
    joules and mean_power of the table `energy`; NaN where not measured."""
    rows = samples(cell)
    if rows.empty:
        return pd.DataFrame(columns=_DEVICE + list(UNITS))
    groups = rows.groupby(_DEVICE, sort=True)
    found = groups[MEANS].mean().assign(samples=groups.size()).reset_index()
    energy = cell.table("energy")
    if energy.empty:
        return found.assign(span=np.nan, joules=np.nan, mean_power=np.nan)
    energy = energy[["gpu", "span", "joules", "mean_power"]]
    found = found.merge(energy.where(energy >= 0), on="gpu", how="left")
    return found[_DEVICE + ["samples", *MEANS, "span", "joules", "mean_power"]]


def course(times: np.ndarray, values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Mean of the samples in each bin between ascending edges [s]; NaN in bins without samples."""
    known = np.isfinite(values)
    sums, _ = np.histogram(times[known], edges, weights=values[known])
    counts, _ = np.histogram(times[known], edges)
    return np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
