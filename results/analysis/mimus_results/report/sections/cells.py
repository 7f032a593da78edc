# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The table of all cells: state and main figures."""

from __future__ import annotations

from mimus_results.figures.style import in_unit, unit_of
from mimus_results.metrics import LATE_SHARE, METRICS, lost_text
from mimus_results.read import Cell
from mimus_results.report import html
from mimus_results.report.facts import Facts

FIGURES = ["jct_mean", "jct_p50", "jct_p99", "queueing_mean", "makespan", "gpu_allocated",
           "goodput_normalised", "preemptions"]
# More cells than this get a filter box and a separate scroll bar.
MANY = 12


def _units(facts: Facts) -> dict[str, tuple[float, str]]:
    """Divisor and unit of each column: one for all of its rows."""
    return {name: unit_of(METRICS[name], max((values[name] for values in facts.figures.values()
                                              if name in values), default=0.0))
            for name in FIGURES}


def _figure(values: dict[str, float], name: str, unit: tuple[float, str]) -> html.Cell:
    if name not in values:
        return html.figure(None)
    return html.figure(values[name], in_unit(values[name] / unit[0], unit[1]))


def _row(cell: Cell, values: dict[str, float], units: dict) -> list[html.Cell]:
    jobs = values.get("jobs")
    finished = html.figure(values.get("jobs_finished") if jobs else None,
                           f"{values.get('jobs_finished', 0):.0f}/{jobs:.0f}" if jobs else None)
    late = ", late" if values.get("late_share", 0) > LATE_SHARE else ""
    lost = f", {lost_text(cell)}" if lost_text(cell) else ""
    return [html.words(cell.label), html.figure(cell.repetition),
            html.words(cell.status + late + lost),
            finished, *[_figure(values, name, units[name]) for name in FIGURES]]


def section(facts: Facts) -> html.Section:
    units = _units(facts)
    heads = ["cell", "repetition", "state", "finished"] + [
        METRICS[name].heading + (f" [{units[name][1]}]" if units[name][1] else "")
        for name in FIGURES]
    rows = [_row(cell, facts.figures[cell], units) for cell in facts.cells]
    for absent in facts.campaign.absent:
        unknown = [html.figure(None)] * (len(FIGURES) + 1)
        rows.append([html.words(absent.label or absent.id), html.figure(absent.repetition),
                     html.words(absent.state or "no file"), *unknown])
    is_long = len(rows) > MANY
    box = html.filter_box() if is_long else html.NOTHING
    notes = html.NOTHING.join(html.note(note + ".") for note in facts.campaign.notes
                    if not note.startswith("measured: "))  # is shown below the title
    body = notes + box + html.table(heads, rows, "All cells", is_long) + html.note(
        "Click a heading to sort. Times are emulated time. GPUs held: GPU time with a tenant ÷ GPU "
        "time up. Normalised goodput: share of running time that became progress at the modelled "
        "speed of a job alone. Late: the host was behind for more than 1 % of the step time, so that "
        "the stated cluster was not kept. A dash: not known at this record level.")
    return html.Section("cells", "Campaign", body)
