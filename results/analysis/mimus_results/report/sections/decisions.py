# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The wall time of scheduler calls."""

from __future__ import annotations

import numpy as np

from mimus_results import totals
from mimus_results.figures.style import marked, number
from mimus_results.read import Cell
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts
from mimus_results.report.sections.jct import distributions


def _points(cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    rows = cell.table("quantiles")
    if rows.empty:
        return np.empty(0), np.empty(0)
    rows = rows[(rows["metric"] == "decision_latency") & (rows["group"] == "all")]
    return rows["value"].to_numpy(), rows["fraction"].to_numpy()


def _row(label: str, cells: list[Cell]) -> list[html.Cell]:
    sums = [totals.totals(cell) for cell in cells]
    count = sum(one.get(("decisions", "all"), 0) for one in sums)
    seconds = sum(one.get(("decision_seconds", "all"), 0) for one in sums)

    def largest(fraction: float) -> html.Cell:
        found = [totals.quantile(cell, "decision_latency", fraction) for cell in cells
                 if not cell.table("quantiles").empty]
        known = [value for value in found if value is not None]
        return html.figure(max(known), number(1e3 * max(known))) if known else html.figure(None)
    mean = seconds / count if count else None
    return [html.words(marked(label)), html.figure(count),
            html.figure(mean, number(1e3 * mean) if mean is not None else None),
            largest(0.5), largest(0.99), largest(1.0)]


def section(facts: Facts) -> html.Section:
    title = "Decision latency"
    found = {cell.label: points for cell in facts.first
             if cell.is_complete and len((points := _points(cell))[0])}
    if not found:
        return html.Section("decisions", title, html.empty(
            "No decisions were counted: the scheduler has not been called, or the cells have not "
            "stopped yet."))
    rows = [_row(label, facts.of_label(label)) for label in facts.drawn]
    body = distributions(found, "wall time of a call", True)
    body += html.table(["cell", "calls", "mean [ms]", "p50 [ms]", "p99 [ms]",
                        "longest [ms]"], rows,
                       "Decision latency", len(rows) > 12)
    return html.Section("decisions", title, body + html.note(
        "Wall time on the scheduler's host, not emulated time. Curves: first repetition. p50, p99 "
        "and longest: of the worst repetition. " + facts.drawn_note()))
