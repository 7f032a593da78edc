# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""GPUs held over time, one curve per cell label, in panels when there are many."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results import totals
from mimus_results.figures import curves, repetitions, style
from mimus_results.read import Cell
from mimus_results.windows import held_share

# Sizes in a panel among others, and alone.
FEW_BINS, BINS = 40, 100


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    drawn = [cell for cell in cells if not cell.table("utilisation").empty]
    rows = {label: cell.table("utilisation")
            for label, cell in repetitions.first_of_label(drawn).items()}
    if not rows:
        return style.skip("No spans of utilisation were recorded (record: full or jobs keeps "
                          "them); the comparison shows the mean.")
    notes = [] if len(rows) == len(totals.labels(cells)) else [
        "Cells without recorded spans are left out."]
    longest = max(table["end"].iloc[-1] for table in rows.values())
    divisor, unit = style.time_unit(longest)
    frame = curves.Frame(list(rows), sharex=True)
    edges = np.linspace(0, longest, (BINS if len(frame.panels) == 1 else FEW_BINS) + 1)
    for axes, label, line in frame.curves():
        end = rows[label]["end"].iloc[-1]
        own = np.append(edges[edges < end], end)
        axes.stairs(100 * held_share(rows[label], own), own / divisor, baseline=None, **line)
    for axes in frame.shown_axes():
        axes.set_xlim(0, longest / divisor)
        axes.set_ylim(0, 103)
    frame.finish(repetitions.titled("GPUs held by jobs", drawn), f"time [{unit}]",
                 "share of GPUs up [%]")
    return style.save(frame.fig, folder, "utilisation", notes)
