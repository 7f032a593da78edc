# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Useful work of the whole cluster over time, one line per cell.

How windows of steps are valued: mimus_results.windows.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results.figures import curves, style
from mimus_results.fairness import gpu_count
from mimus_results.read import Cell
from mimus_results.windows import binned, step_windows

BINS = 120


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    windows = {cell: step_windows(cell) for cell in cells}
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
