# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The cluster over time: GPUs held, jobs waiting, useful work."""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np

from mimus_results import windows
from mimus_results.totals import gpu_count
from mimus_results.figures.style import marked
from mimus_results.read import Cell
from mimus_results.report import choose, html, svg
from mimus_results.report.facts import Facts

BINS = 120


class Course(NamedTuple):
    """Values [unit of the chart] between edges [s]."""

    edges: np.ndarray
    values: np.ndarray


def _edges(end: float, longest: float) -> np.ndarray:
    edges = np.linspace(0, longest, BINS + 1)
    return np.append(edges[edges < end], end)


def _held(cell: Cell, longest: float) -> Course | None:
    rows = cell.table("utilisation")
    if rows.empty:
        return None
    edges = _edges(float(rows["end"].iloc[-1]), longest)
    return Course(edges, 100 * windows.held_share(rows, edges))


def _queued(cell: Cell, longest: float) -> Course | None:
    rows = cell.table("utilisation")
    if rows.empty:
        return None
    edges = _edges(float(rows["end"].iloc[-1]), longest)
    return Course(edges, windows.span_integral(rows, "queued_jobs", edges) / np.diff(edges))


def _useful(cell: Cell, longest: float) -> Course | None:
    rows, gpus = windows.step_windows(cell), gpu_count(cell)
    if rows.empty or not gpus:
        return None
    edges = _edges(float(rows["end"].max()), longest)
    return Course(edges, 100 * windows.binned(rows, edges) / np.diff(edges) / gpus)


class Kind(NamedTuple):
    """A quantity over time. `least` is the minimum upper end of its axis."""

    title: str
    up: str
    of: Callable[[Cell, float], Course | None]
    least: float
    rule: float | None
    without: str


KINDS = [
    Kind("GPUs held by jobs", "GPUs held [%]", _held, 103, None,
         "GPUs held: no spans of utilisation were recorded (record: full or jobs keeps them)."),
    Kind("Jobs waiting", "jobs in queue", _queued, 1, None,
         "Jobs waiting: no spans of utilisation were recorded."),
    Kind("Goodput of the cluster", "useful GPU time ÷ GPUs [%]", _useful, 103, 100.0,
         "Goodput: no steps were recorded (record: full keeps them)."),
]


def _charts(kind: Kind, found: dict[str, Course], names: list[str], longest: float) -> list[str]:
    most = max(float(np.nanmax(course.values)) for course in found.values())
    axis = svg.linear(0, max(1.05 * most, kind.least), kind.up)
    charts = []
    for panel in choose.panels(list(found)):
        title = f"{kind.title}: {panel.title}" if panel.title else kind.title
        chart = svg.Chart(svg.time_axis(longest), axis, title)
        if kind.rule is not None:
            chart.rule(kind.rule)
        for curve, label in panel.curves.items():
            if curve not in names:
                names.append(curve)
            chart.stairs(*found[label], names.index(curve), marked(label))
        charts.append(chart.drawn())
    return charts


def _longest(facts: Facts) -> float:
    ends = [float(cell.table(name)["end"].max()) for cell in facts.runs
            for name in ("utilisation", "steps") if not cell.table(name).empty]
    return max(ends, default=0.0)


def section(facts: Facts) -> html.Section:
    title = "Utilisation and goodput over time"
    longest = _longest(facts)
    if longest <= 0:
        return html.Section("over-time", title, html.empty(
            "No spans of utilisation were recorded (record: full or jobs keeps them). The means "
            "stand in the campaign table."))
    charts, without, names = [], "", []
    for kind in KINDS:
        found = {cell.label: course for cell in facts.runs if (course := kind.of(cell, longest))}
        if found:
            charts += _charts(kind, found, names, longest)
        else:
            without += html.empty(kind.without)
    named = choose.marked(names, [cell.label for cell in facts.first])
    body = html.panels(charts) + html.legend((svg.line_swatch(at), name)
                                             for at, name in enumerate(named)) + without
    note = (f"First repetition of each label, means over bins of 1/{BINS} of the longest cell. "
            "Useful GPU time: time in which the progress would have been made at the modelled "
            "speed of a job alone, at full statistical efficiency; above 100 % sharing has paid "
            "off. " + facts.drawn_note())
    return html.Section("over-time", title, body + html.note(note))
