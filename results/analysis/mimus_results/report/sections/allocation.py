# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Allocation and fragmentation over requested GPUs."""

from __future__ import annotations

import pandas as pd

from mimus_results import allocation
from mimus_results.figures.style import marked
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts

MOST_CURVES = svg.COLOURS * svg.DASHES


def _chart(rows: pd.DataFrame, labels: list[str], title: str) -> html.Markup:
    across = svg.linear(0, 100 * float(rows["requested"].max()), "GPUs requested [% of the cluster]")
    up = svg.linear(0, min(100.0, 105 * float(rows["high"].max())), f"{title} [%]")
    chart = svg.Chart(across, up, title)
    for index, label in enumerate(labels):
        own = rows[rows["label"] == label].sort_values("requested")
        chart.band(100 * own["requested"], (100 * own["low"]).clip(0, up.high),
                   (100 * own["high"]).clip(0, up.high), index)
        chart.curve(100 * own["requested"], 100 * own["mean"], index, marked(label))
    return chart.drawn()


def section(facts: Facts) -> html.Section:
    title = "Allocation over requested GPUs"
    rows = allocation.means(facts.complete)
    if rows.empty:
        return html.Section("allocation", title, html.empty(
            "Recorded where jobs are drawn until they ask for a multiple of the cluster (workload.draw)."))
    labels = list(dict.fromkeys(rows["label"]))[:MOST_CURVES]
    charts = [_chart(rows[rows["share"] == share], labels, name)
              for share, name in allocation.SHARES.items()]
    return html.Section("allocation", title, html.panels(charts) + html.legend(
        (svg.line_swatch(index), marked(label)) for index, label in enumerate(labels)) + html.note(
        "Fragmented: idle GPUs that the likely jobs cannot use (Weng et al., FGD, ATC'23). Lines: means "
        "over repetitions; bands: their 95 % intervals (Student's t)."))
