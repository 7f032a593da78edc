# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Mean queueing time per job, stacked by cause, one bar per cell label."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mimus_results import totals
from mimus_results.figures import bars, style
from mimus_results.read import Cell


def mean_by_cause(cells: list[Cell]) -> pd.DataFrame:
    """Seconds per job: one row per label with jobs, one column per cause that occurred."""
    return totals.mean_waits(cells)


def fills(causes) -> dict[str, dict]:
    """Fills by cause. A cause looks the same in every report."""
    known = dict(zip(totals.CAUSES, style.fills(totals.CAUSES).values()))
    return {**style.fills(set(causes) - set(known)), **known}


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    means = mean_by_cause(cells)
    if means.empty:
        return style.skip("No job ever waited." if len(means) else "No job has ended yet.")
    lines = bars.lines_of(list(means.index))
    fig, axes = bars.figure(lines)
    axes.set_title(style.titled("Queueing per job by cause"))
    unit = bars.stack_times(axes, lines, means, fills(means.columns))
    bars.name_lines(axes, lines)
    axes.set_xlabel(f"mean time in queue per job [{unit}]")
    style.legend_below(axes, *axes.get_legend_handles_labels())
    return style.save(fig, folder, "queueing")
