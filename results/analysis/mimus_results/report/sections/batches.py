# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Batch size and statistical efficiency over time, for jobs whose batch changed."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from mimus_results.figures.repetitions import named
from mimus_results.read import Cell
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts
from mimus_results.windows import elastic_jobs, step_windows

MOST_CELLS = 4
MOST_JOBS = 6
POINTS = 200


def _log2_axis(low: float, high: float) -> svg.Axis:
    first, last = math.floor(math.log2(max(low, 1))), math.ceil(math.log2(max(high, 2)))
    step = max(1, -(-(last - first) // 5))
    ticks = [(2.0 ** power, f"{2 ** power:,}".replace(",", "\u202f"))
             for power in range(first, last + 1, step)]
    return svg.Axis(2.0 ** first, 2.0 ** max(last, first + 1), ticks, "total batch [samples]", True)


def _course(rows: pd.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray]:
    """Begin and end of each window with its value. Gaps between attempts interrupt the line."""
    if len(rows) > POINTS:
        changed = rows["total_batch"].ne(rows["total_batch"].shift())
        evenly = np.zeros(len(rows), dtype=bool)
        evenly[np.linspace(0, len(rows) - 1, POINTS).round().astype(int)] = True
        rows = rows[changed | evenly]
    breaks = rows["attempt"].ne(rows["attempt"].shift(-1)).to_numpy()
    ends = np.where(breaks, rows["end"], rows["begin"].shift(-1))
    xs = np.column_stack([rows["begin"], ends, ends]).ravel()
    values = rows[column].to_numpy(float)
    ys = np.column_stack([values, values, np.where(breaks, np.nan, values)]).ravel()
    return xs, ys


def _charts(cell: Cell, rows: pd.DataFrame, jobs: list[int]) -> html.Markup:
    shown = rows[rows["job"].isin(jobs)]
    across = svg.time_axis(float(shown["end"].max()))
    batch = svg.Chart(across, _log2_axis(shown["total_batch"].min(), shown["total_batch"].max()),
                      "Total batch")
    share = svg.Chart(across, svg.linear(0, 100, "efficiency [%]"), "Statistical efficiency")
    models = cell.table("jobs")
    names = dict(zip(models["job"], models["model"])) if not models.empty else {}
    entries = []
    for at, job in enumerate(jobs):
        of_job = shown[shown["job"] == job].sort_values("begin")
        name = f"job {job}" + (f", {names[job]}" if job in names else "")
        batch.curve(*_course(of_job, "total_batch"), at, name)
        share.curve(*_course(of_job.assign(percent=100 * of_job["efficiency"]), "percent"), at,
                    name)
        entries.append((svg.line_swatch(at), name))
    return (html.heading(named(cell)) + html.panels([batch.drawn(), share.drawn()])
            + html.legend(entries))


def section(facts: Facts) -> html.Section:
    title = "Elastic jobs: batch size and efficiency"
    recorded, body, drawn = 0, html.NOTHING, 0
    for cell in facts.runs:
        rows = step_windows(cell)
        recorded += not rows.empty
        jobs = elastic_jobs(rows) if not rows.empty else []
        if not jobs or drawn == MOST_CELLS:
            continue
        body += _charts(cell, rows, jobs[:MOST_JOBS])
        drawn += 1
    if not recorded:
        return html.Section("batches", title, html.empty(
            "No steps were recorded (record: full keeps them)."))
    if not body:
        return html.Section("batches", title, html.empty(
            "No job changed its batch: in the cells with steps the batch choice was fixed."))
    return html.Section("batches", title, body + html.note(
        f"Up to {MOST_CELLS} cells with elastic jobs, first repetition; of each the up to "
        f"{MOST_JOBS} jobs with the most distinct batches. Efficiency: progress ÷ samples, "
        "(φ + M₀) ÷ (φ + M)."))
