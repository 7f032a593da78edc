# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""GPUs held over time, one curve per cell label, in panels when there are many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from mimus_results import totals
from mimus_results.figures import curves, style
from mimus_results.read import Cell
from mimus_results.windows import held_share

# In a panel among others, and alone.
FEW_BINS, BINS = 40, 100


def _first_of_label(cells: list[Cell]) -> dict[str, pd.DataFrame]:
    """The first repetition shows how it goes; a mean over several would not."""
    found: dict[str, pd.DataFrame] = {}
    for cell in cells:
        if cell.label not in found and not cell.table("utilisation").empty:
            found[cell.label] = cell.table("utilisation")
    return found


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    rows = _first_of_label(cells)
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
    frame.finish("GPUs held by jobs", f"time [{unit}]", "share of GPUs up [%]")
    return style.save(frame.fig, folder, "utilisation", notes)
