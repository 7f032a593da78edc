# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Distribution of job completion times."""

from __future__ import annotations

import numpy as np

from mimus_results import totals
from mimus_results.figures.style import marked
from mimus_results.report import choose, html, svg
from mimus_results.report.facts import Facts

POINTS = 300
LINEAR_SPREAD = 30.0


def thinned(values: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most POINTS points of a distribution, evenly spaced by rank, with the first and the
    last one."""
    if len(values) <= POINTS:
        return values, share
    kept = np.unique(np.linspace(0, len(values) - 1, POINTS).round().astype(int))
    return values[kept], share[kept]


def distributions(found: dict[str, tuple], name: str, log: bool | None = None,
                  bands: dict[str, np.ndarray] | None = None) -> html.Markup:
    """Charts of distributions (values [s], share) by label, with one legend. `bands`: half-widths
    of intervals of the shares, where there are any."""
    least = min(values[0] for values, _ in found.values())
    most = max(values[-1] for values, _ in found.values())
    is_log = least > 0 and most > LINEAR_SPREAD * least if log is None else log
    across = (svg.log_times(least, most, name) if is_log else svg.time_axis(most, name))
    up = svg.linear(0, 1, "share", 5)
    charts, names = [], []
    for panel in choose.panels(list(found)):
        chart = svg.Chart(across, up, panel.title)
        for curve, label in panel.curves.items():
            if curve not in names:
                names.append(curve)
            values, share = thinned(*found[label])
            if bands and label in bands:
                half = np.interp(values, found[label][0], bands[label])
                chart.band(values, np.clip(share - half, 0, 1), np.clip(share + half, 0, 1),
                           names.index(curve))
            xs, ys = np.repeat(values, 2), np.r_[0.0, np.repeat(share, 2)[:-1]]
            chart.curve(xs, ys, names.index(curve), marked(label))
        charts.append(chart.drawn())
    return html.panels(charts) + html.legend(
        (svg.line_swatch(at), curve) for at, curve in enumerate(choose.marked(names, list(found))))


def section(facts: Facts) -> html.Section:
    found = {label: totals.distribution(facts.of_label(label), "jct") for label in facts.drawn}
    found = {label: curve for label, curve in found.items() if len(curve[0])}
    title = "Job completion time"
    if not found:
        return html.Section("jct", title, html.empty(
            "No job has finished, or the cells have not stopped yet."))
    halves = {label: totals.half_widths(facts.of_label(label), "jct", found[label][0])
              for label in found}
    bands = {label: half for label, half in halves.items() if half is not None}
    body = distributions(found, "job completion time", bands=bands) + html.note(
        "Share of finished jobs that took no longer, all repetitions together; bands: 95 % intervals "
        "of the share over repetitions (Student's t). " + facts.drawn_note())
    return html.Section("jct", title, body)
