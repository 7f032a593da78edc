# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Distribution of the wall time of scheduler calls, one curve per cell label."""

from __future__ import annotations

from pathlib import Path

from mimus_results.figures import curves, repetitions, style
from mimus_results.read import Cell


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    found = {}
    for cell in cells:
        rows = cell.table("quantiles")
        if rows.empty or cell.label in found:
            continue
        rows = rows[(rows["metric"] == "decision_latency") & (rows["group"] == "all")]
        if len(rows):
            found[cell.label] = rows
    if not found:
        return style.skip("No decisions were counted, or the cells have not stopped yet.")
    frame = curves.Frame(list(found), sharex=True)
    for axes, label, line in frame.curves():
        axes.plot(found[label]["value"] * 1e3, found[label]["fraction"], **line)
    for axes in frame.shown_axes():
        axes.set_xscale("log")
        axes.set_ylim(0, 1.02)
    frame.finish(repetitions.titled("Decision latency", cells), "wall time of a call [ms]",
                 "share of calls")
    return style.save(frame.fig, folder, "decisions")
