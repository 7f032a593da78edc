# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Useful work of the whole cluster over time, one line per cell.

Each window of steps is worth steps × step_modelled × progress_samples ÷ samples seconds of useful
time on each of its GPUs: the time that the same progress takes at the modelled speed of a job
that shares nothing, at full statistical efficiency. Summed over jobs and divided by the number
of GPUs this is comparable between models; above 1 sharing has paid off.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from mimus_results.figures import curves, style
from mimus_results.read import Cell

BINS = 120


def useful_windows(cell: Cell) -> pd.DataFrame:
    """begin, end and useful GPU seconds of every window of steps."""
    steps = cell.table("steps")
    if steps.empty:
        return pd.DataFrame(columns=["begin", "end", "useful"])
    attempts, jobs = cell.table("attempts"), cell.table("jobs")
    replicas = pd.Series(1.0, index=steps.index)
    if not jobs.empty:  # attempts that have not ended yet have the gang that was asked for
        replicas = steps["job"].map(jobs.set_index("job")["gang"]).fillna(1)
    if not attempts.empty:
        replicas = steps["attempt"].map(attempts.set_index("attempt")["replicas"]).fillna(replicas)
    share = (steps["progress_samples"] / steps["samples"].where(steps["samples"] > 0)).fillna(0)
    useful = steps["steps"] * steps["step_modelled"] * share * replicas
    return pd.DataFrame({"begin": steps["begin"], "end": steps["end"], "useful": useful})


def gpu_count(cell: Cell) -> int:
    """GPUs of the cluster, from the tables that know."""
    if not cell.table("gpus").empty:
        return len(cell.table("gpus"))
    utilisation = cell.table("utilisation")
    return int(utilisation["gpus"].max()) if not utilisation.empty else 0


def binned(windows: pd.DataFrame, edges: np.ndarray) -> np.ndarray:
    """Useful GPU seconds in each bin; a window's are spread evenly over its span."""
    # The integral up to each edge is piecewise linear: sum each window's share of its span.
    begin, end = windows["begin"].to_numpy(), windows["end"].to_numpy()
    span = np.maximum(end - begin, 1e-12)
    total = np.array([(windows["useful"].to_numpy()
                       * np.clip((edge - begin) / span, 0.0, 1.0)).sum() for edge in edges])
    return np.diff(total)


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    windows = {cell: useful_windows(cell) for cell in cells}
    drawn = [cell for cell in cells if not windows[cell].empty and gpu_count(cell) > 0]
    if not drawn:
        return style.skip("No steps were recorded (record: full keeps them).")
    longest = max(windows[cell]["end"].max() for cell in drawn)
    divisor, unit = style.time_unit(longest)
    edges = np.linspace(0, longest, BINS + 1)
    by_name = {cell.label + (f" r{cell.repetition}" if cell.repetition else ""): cell
               for cell in drawn}
    frame = curves.Frame(list(by_name), sharex=True)
    for axes, name, line in frame.curves():
        cell = by_name[name]
        rate = binned(windows[cell], edges) / np.diff(edges) / gpu_count(cell)
        axes.stairs(rate, edges / divisor, baseline=None, **line)
    for axes in frame.shown_axes():
        axes.axhline(1.0, color="black", linewidth=0.8)
        axes.set_xlim(0, longest / divisor)
        axes.set_ylim(bottom=0)
    frame.finish("Goodput of the cluster, normalised", f"time [{unit}]", "useful GPU time ÷ GPUs")
    return style.save(frame.fig, folder, "goodput")
