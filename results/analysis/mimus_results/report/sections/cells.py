# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The table of all cells: state and main figures."""

from __future__ import annotations

from mimus_results.metrics import METRICS
from mimus_results.read import Cell
from mimus_results.report import html
from mimus_results.report.facts import Facts

FIGURES = ["jct_mean", "jct_p50", "jct_p99", "queueing_mean", "makespan", "gpu_allocated",
           "goodput_normalised", "preemptions"]
HEADS = ["cell", "repetition", "state", "finished", "JCT mean", "JCT p50", "JCT p99", "queueing",
         "makespan", "GPUs held", "norm. goodput", "preemptions"]
# More cells than this get a box to filter them by, and their own scroll bar.
MANY = 12


def _shown(name: str, value: float) -> str:
    if METRICS[name].unit == "" and name != "preemptions":
        return f"{100 * value:.1f} %"
    return html.quantity(value, METRICS[name].unit)


def _row(cell: Cell, values: dict[str, float]) -> list[html.Cell]:
    jobs = values.get("jobs")
    finished = html.figure(values.get("jobs_finished") if jobs else None,
                           f"{values.get('jobs_finished', 0):.0f}/{jobs:.0f}" if jobs else None)
    figures = [html.figure(values.get(name), _shown(name, values[name]) if name in values else None)
               for name in FIGURES]
    return [html.words(cell.label), html.figure(cell.repetition), html.words(cell.status),
            finished, *figures]


def section(facts: Facts) -> html.Section:
    rows = [_row(cell, facts.figures[cell]) for cell in facts.cells]
    for absent in facts.campaign.absent:
        unknown = [html.figure(None)] * (len(FIGURES) + 1)
        rows.append([html.words(absent.label or absent.id), html.figure(absent.repetition),
                     html.words(absent.state or "no file"), *unknown])
    is_long = len(rows) > MANY
    box = ('<p class="tools"><label>Filter <input type="search" id="filter-cells" '
           'aria-controls="cells"></label> <output id="filtered"></output></p>'
           if is_long else "")
    notes = "".join(html.note(note + ".") for note in facts.campaign.notes)
    body = notes + box + html.table(HEADS, rows, "All cells", is_long) + html.note(
        "Click a heading to sort. Times are emulated time. GPUs held: GPU time with a tenant ÷ GPU "
        "time up. Normalised goodput: share of running time that became progress at the modelled "
        "speed of a job alone. A dash: not known at this record level.")
    return html.Section("cells", "Campaign", body)
