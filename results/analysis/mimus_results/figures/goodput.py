# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Useful work of the whole cluster over time, one line per label.

How windows of steps are valued: mimus_results.windows.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results.figures import curves, repetitions, style
from mimus_results.totals import gpu_count
from mimus_results.read import Cell
from mimus_results.windows import binned, step_windows

BINS = 120


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    windows = {cell: step_windows(cell) for cell in cells}
    drawn = [cell for cell in cells if not windows[cell].empty and gpu_count(cell) > 0]
    if not drawn:
        return style.skip("No steps were recorded (record: full keeps them).")
    first = repetitions.first_of_label(drawn)
    longest = max(windows[cell]["end"].max() for cell in first.values())
    divisor, unit = style.time_unit(longest)
    edges = np.linspace(0, longest, BINS + 1)
    frame = curves.Frame(list(first), sharex=True)
    for axes, label, line in frame.curves():
        cell = first[label]
        rate = 100 * binned(windows[cell], edges) / np.diff(edges) / gpu_count(cell)
        axes.stairs(rate, edges / divisor, baseline=None, **line)
    for axes in frame.shown_axes():
        axes.axhline(100.0, color="black", linewidth=0.8)
        axes.set_xlim(0, longest / divisor)
        axes.set_ylim(bottom=0)
    frame.finish(repetitions.titled("Goodput of the cluster, normalised", drawn),
                 f"time [{unit}]", "useful GPU time ÷ GPUs [%]")
    return style.save(frame.fig, folder, "goodput")
