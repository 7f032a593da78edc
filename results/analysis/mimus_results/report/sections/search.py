# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Hyper-parameter searches: what was found at which cost, and where trials ended."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results import searches, totals
from mimus_results.figures.style import duration, in_unit, marked, unit_of
from mimus_results.metrics import METRICS
from mimus_results.report import choose, html, svg
from mimus_results.report.facts import Facts

POINTS = 240
HOUR = 3600.0  # [s]
# Figures of the table.
FIGURES = ["best_loss", "best_loss_time", "jobs_finished", "jobs_killed", "killed_gpu_time", "jct_mean"]

Searches = dict[str, list[pd.DataFrame]]


def _of_labels(facts: Facts) -> Searches:
    """The validations of every search by label, all repetitions."""
    found: Searches = {}
    for label in facts.drawn:
        rows = [searches.validations(cell) for cell in facts.of_label(label)
                if totals.of_all(cell).get("searches", 0) > 0]
        found[label] = [search for of_cell in rows for _, search in of_cell.groupby("application")]
    return {label: of_label for label, of_label in found.items() if of_label}


def _curves(found: Searches, column: str, across: svg.Axis, up: svg.Axis, title: str,
            names: list[str]) -> list[html.Markup]:
    grid = np.linspace(0, across.high, POINTS)
    charts = []
    for panel in choose.panels(list(found)):
        chart = svg.Chart(across, up, f"{title}: {panel.title}" if panel.title else title)
        for curve, label in panel.curves.items():
            if curve not in names:
                names.append(curve)
            chart.curve(grid, searches.best_until(found[label], column, grid), names.index(curve),
                        marked(label))
        charts.append(chart.drawn())
    return charts


def _most(found: Searches, column: str) -> float:
    ends = [float(rows[column].max()) for of_label in found.values() for rows in of_label]
    return max((end for end in ends if np.isfinite(end)), default=0.0)


def _loss_axis(low: float, high: float) -> svg.Axis:
    """Logarithmic where losses are positive, so that late differences remain visible."""
    name = "best loss so far"
    return svg.log_ratios(0.98 * low, high, name) if low > 0 else svg.linear(low, high, name)


def _charts(found: Searches) -> html.Markup:
    """The best loss over time and over GPU time."""
    losses = np.concatenate([rows["best"].to_numpy(float) for of_label in found.values()
                             for rows in of_label])
    up = _loss_axis(float(losses.min()), float(np.quantile(losses, 0.95)))
    names: list[str] = []
    time = svg.time_axis(_most(found, "since_arrival"), "time since the search arrived")
    charts = _curves(found, "since_arrival", time, up, "Best loss over time", names)
    used = _most(found, "gpu_seconds")
    if used > 0:
        cost = svg.linear(0, used, "GPU time of the search [GPU h]", divisor=HOUR)
        charts += _curves(found, "gpu_seconds", cost, up, "Best loss over GPU time", names)
    return html.panels(charts) + html.legend(
        (svg.line_swatch(at), name) for at, name in enumerate(choose.marked(names, list(found))))


def _table(facts: Facts, found: Searches) -> html.Markup:
    """Figures of labels, means over repetitions."""
    means = {name: {label: float(of.mean()) for label, of in facts.values(name).items() if label in found}
             for name in FIGURES}
    shown = [name for name in FIGURES if means[name]]
    units = {name: unit_of(METRICS[name], max(means[name].values())) for name in shown}
    rows = []
    for label in found:
        row = [html.words(marked(label))]
        for name in shown:
            value = means[name].get(label)
            divisor, unit = units[name]
            row.append(html.figure(value, None if value is None else in_unit(value / divisor, unit)))
        rows.append(row)
    heads = [METRICS[name].heading + (f" [{units[name][1]}]" if units[name][1] else "")
             for name in shown]
    return html.table(["cell", *heads], rows, "Searches", len(rows) > 12)


def _rungs(facts: Facts, found: Searches) -> html.Markup:
    rows = []
    for label in found:
        for rung in searches.rungs(facts.of_label(label)).itertuples():
            share = rung.stopped / rung.validated
            rows.append([html.words(marked(label)), html.figure(100 * rung.progress, f"{100 * rung.progress:.3g}"),
                         html.figure(rung.validated), html.figure(rung.stopped),
                         html.figure(100 * share, f"{100 * share:.1f}")])
    table = html.table(["cell", "after [% of a full training]", "trials validated", "stopped there",
                        "stopped [%]"], rows, "Trials by rung", len(rows) > 12)
    return html.details("Where trials were stopped", table, is_open=True)


def _best(facts: Facts, found: Searches) -> html.Markup:
    """The best trial of every search in the first repetitions."""
    rows = []
    for label in found:
        first = searches.validations(facts.of_label(label)[0])
        for name, search in first.groupby("application"):
            best = search.loc[search["loss"].idxmin()]
            used = best["gpu_seconds"] / HOUR
            rows.append([html.words(marked(label)), html.words(name), html.figure(best["trial"]),
                         html.figure(best["loss"], f"{best['loss']:.4g}"), html.figure(best["learning_rate"]),
                         html.figure(best["batch"]), html.figure(100 * best["progress"]),
                         html.figure(best["since_arrival"], duration(best["since_arrival"])),
                         html.figure(used)])
    table = html.table(["cell", "search", "trial", "loss", "learning rate ÷ best one", "batch",
                        "of a full training [%]", "found after", "GPU time until then [GPU h]"],
                       rows, "Best trials", len(rows) > 12)
    return html.details("Best trial of each search (first repetitions)", table)


def section(facts: Facts) -> html.Section:
    title = "Hyper-parameter searches"
    found = _of_labels(facts)
    if not found:
        return html.Section("search", title, html.empty(
            "No search has validated a trial (workload.source: search; record: full or jobs)."))
    note = ("Curves: the best loss that a search has found, in the mean over searches and repetitions, "
            "from the time on at which all have found one. GPU time of a search: that of all its "
            "trials until then. Table: means over repetitions; stopped trials count as cancelled "
            "jobs. " + facts.drawn_note())
    return html.Section("search", title, _charts(found) + _table(facts, found) + html.note(note)
                        + _rungs(facts, found) + _best(facts, found))
