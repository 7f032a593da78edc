# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of the campaign beside those that others print for the same."""

from __future__ import annotations

import math

from mimus_results import compare, published
from mimus_results.figures.style import in_unit, unit_of
from mimus_results.metrics import METRICS
from mimus_results.report import html
from mimus_results.report.facts import Facts


def _difference(share: float) -> html.Cell:
    if math.isnan(share):
        return html.Cell(html.UNKNOWN, 0.0, True)
    per_cent = round(100 * share, 1)
    said = f"{per_cent:+.1f} %".replace("-", "−") if per_cent else "0.0 %"
    return html.Cell(said, share, True)


def _rows(found) -> list[list[html.Cell]]:
    rows = []
    for row in found.itertuples():
        metric = METRICS[row.metric]
        divisor, unit = unit_of(metric, max(row.mean, row.published))
        band = (f" ± {in_unit(row.half_width / divisor, unit)}"
                if math.isfinite(row.half_width) else "")
        rows.append([html.words(row.label),
                     html.words(metric.title + (f" [{unit}]" if unit else "")),
                     html.figure(row.mean, in_unit(row.mean / divisor, unit) + band),
                     html.figure(row.published, in_unit(row.published / divisor, unit)),
                     _difference(row.difference), html.words(row.source)])
    return rows


def section(facts: Facts) -> html.Section:
    title = "Beside published figures"
    found = published.beside(facts.complete, compare.intervals(facts.metrics))
    if found.empty:
        return html.Section("published", title, html.empty(
            "The campaign names no published figures (key published) of complete cells."))
    heads = ["cell", "figure", "here", "published", "difference", "source"]
    return html.Section("published", title, html.table(
        heads, _rows(found), "Figures here and published ones", len(found) > 12) + html.note(
        "Here: mean over repetitions, with the half width of its 95 % interval (Student's t). "
        "Difference: here ÷ published − 1."))
