# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Batch size and statistical efficiency over time of the jobs whose batch changed most often."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mimus_results.figures import style
from mimus_results.read import Cell
from mimus_results.windows import elastic_jobs, step_windows

MOST_CELLS = 4
MOST_JOBS = 6


def _draw_cell(axes, cell: Cell, rows: pd.DataFrame, jobs: list[int]) -> None:
    divisor, unit = style.time_unit(rows["end"].max())
    lines = style.lines(str(job) for job in jobs)
    for job in jobs:
        of_job = rows[rows["job"] == job].sort_values("begin")
        for _, attempt in of_job.groupby("attempt"):
            times = [*attempt["begin"] / divisor, attempt["end"].iloc[-1] / divisor]
            for pair, values in ((axes[0], attempt["total_batch"]),
                                 (axes[1], 100 * attempt["efficiency"])):
                pair.step(times, [*values, values.iloc[-1]], where="post", **lines[str(job)])
    axes[0].set_yscale("log", base=2)
    axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes[1].set_ylim(0, 102)
    axes[0].set_ylabel("total batch [samples]")
    axes[1].set_ylabel("efficiency [%]")
    for pair in axes:
        pair.set_xlabel(f"time [{unit}]")
    axes[0].set_title(style.shorten(style.marked(cell.label), 48), fontsize=style.size(10))
    axes[1].legend([style.line_key(line) for line in lines.values()],
                   [f"job {job}" for job in jobs], fontsize=style.size(8), loc="lower right", ncol=2)


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    found, recorded, labels = [], False, set()
    for cell in cells:
        if cell.label in labels or len(found) == MOST_CELLS:
            continue
        rows = step_windows(cell)
        recorded |= not rows.empty
        jobs = elastic_jobs(rows)[:MOST_JOBS] if not rows.empty else []
        if jobs:
            found.append((cell, rows[rows["job"].isin(jobs)], jobs))
            labels.add(cell.label)
    if not found:
        return style.skip("No job changed its batch." if recorded else
                          "No steps were recorded (record: full keeps them).")
    fig, axes = style.figures(len(found), 2, 4.2, 2.5)
    for row, (cell, rows, jobs) in zip(axes, found):
        _draw_cell(row, cell, rows, jobs)
    return style.save(fig, folder, "batches")
