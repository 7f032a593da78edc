# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Main figures over a swept number such as the load."""

from __future__ import annotations

from mimus_results import compare, metrics
from mimus_results.figures import load
from mimus_results.figures.style import unit_of
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts

# More curves than this cannot be distinguished.
MOST_CURVES = svg.COLOURS * svg.DASHES


def _chart(rows, sweep: load.Sweep, curves: list[str]) -> html.Markup:
    metric = metrics.METRICS[rows["metric"].iloc[0]]
    most = float(rows[["mean", "high"]].max().max())
    divisor, unit = unit_of(metric, most)
    name = metric.title + (f" [{unit}]" if unit else "")
    across = svg.linear(min(sweep.at.values()), max(sweep.at.values()), sweep.path)
    chart = svg.Chart(across, svg.linear(0, 1.05 * most or 1.0, name, divisor=divisor), metric.title)
    for index, curve in enumerate(curves):
        own = load.points(rows, sweep, curve)
        banded = own[own["half_width"].notna()]
        if len(banded) > 1:
            top = chart.up.high
            chart.band(banded["at"], banded["low"].clip(0, top), banded["high"].clip(0, top), index)
        chart.curve(own["at"], own["mean"], index, sweep.marked(curve))
    return chart.drawn()


def section(facts: Facts) -> html.Section:
    title = "Figures against the swept number"
    sweep = load.sweep_of(facts.complete)
    if sweep is None:
        return html.Section("load", title, html.empty(
            f"No number was swept with {load.FEWEST} values or more, as the load."))
    intervals = compare.intervals(facts.metrics[facts.metrics["metric"].isin(load.FIGURES)])
    curves = sweep.curves[:MOST_CURVES]
    charts = [_chart(intervals[intervals["metric"] == name], sweep, curves)
              for name in load.FIGURES if (intervals["metric"] == name).any()]
    more = (f" The first {len(curves)} of {len(sweep.curves)} are drawn."
            if len(curves) < len(sweep.curves) else "")
    return html.Section("load", title, html.panels(charts) + html.legend(
        (svg.line_swatch(index), sweep.marked(curve) if curve else "all")
        for index, curve in enumerate(curves)) + html.note(
        "Lines: means over repetitions; bands: their 95 % intervals (Student's t)." + more))
