# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Heat map: slowdown of each model beside each set of co-tenants, over all cells."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from mimus_results import slowdowns
from mimus_results.figures.interference import MOST_COLUMNS, MOST_ROWS
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts

CELL = 34
# Light to dark without red against green: five points of the colour map cividis (Nuñez et al.
# 2018).
COLOURS = [(253, 234, 69), (188, 175, 111), (124, 123, 120), (64, 77, 108), (0, 34, 78)]


def colour(share: float) -> tuple[str, str]:
    """Background and text colour for a share 0 … 1 of the scale."""
    place = min(max(share, 0.0), 1.0) * (len(COLOURS) - 1)
    at = min(int(place), len(COLOURS) - 2)
    mixed = [round(a + (b - a) * (place - at)) for a, b in zip(COLOURS[at], COLOURS[at + 1])]
    light = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2] > 128
    return "#%02x%02x%02x" % tuple(mixed), "#000000" if light else "#ffffff"


def heat_map(means: pd.DataFrame) -> html.Markup:
    """The heat map of rows as returned by `slowdowns.means`."""
    models = slowdowns.longest_together(means, "model", MOST_ROWS)
    others = slowdowns.longest_together(means, "co_models", MOST_COLUMNS)
    values = means["slowdown"].unstack().reindex(index=models, columns=others)
    periods = means["periods"].unstack().reindex(index=models, columns=others)
    most = max(1.1, float(np.nanmax(values.to_numpy())))
    left = 14 + 7.2 * max(map(len, models))
    said = [slowdowns.shorter(name) for name in others]
    top = 14 + 7.0 * min(26, max(map(len, said)))
    parts = []
    for column, name in enumerate(said):
        x = left + (column + 0.5) * CELL + 4
        short = name if len(name) <= 26 else name[:25] + "…"
        parts.append(f'<text class="tick" transform="translate({x:.1f} {top - 6}) rotate(-90)">'
                     f"{html.text(short)}<title>{html.text(name)}</title></text>")
    for row, model in enumerate(models):
        y = top + row * CELL
        parts.append(f'<text class="tick" x="{left - 8}" y="{y + CELL / 2 + 4}" '
                     f'text-anchor="end">{html.text(model)}</text>')
        for column, name in enumerate(said):
            parts.append(_square(left + column * CELL, y, values.iloc[row, column], most,
                                 f"{model} beside {name}", periods.iloc[row, column]))
    width = max(svg.WIDTH, left + len(others) * CELL + 4)
    return svg.framed("", top + len(models) * CELL + 8, "".join(parts), width)


def _square(x: float, y: float, value: float, most: float, name: str, periods: float) -> str:
    if math.isnan(value):
        return (f'<text class="tick" x="{x + CELL / 2:.1f}" y="{y + CELL / 2 + 4}" '
                f'text-anchor="middle">–</text>')
    back, front = colour((value - 1) / (most - 1))
    said = f"{name}: {value:.2f}× in {periods:.0f} periods"
    return (f'<g><rect x="{x + 1:.1f}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" '
            f'fill="{back}"/><text class="tick" x="{x + CELL / 2:.1f}" y="{y + CELL / 2 + 4}" '
            f'text-anchor="middle" style="fill:{front}">{value:.2f}</text>'
            f"<title>{html.text(said)}</title></g>")


def section(facts: Facts) -> html.Section:
    title = "Interference"
    means = slowdowns.means(facts.complete)
    if means.empty:
        return html.Section("interference", title, html.empty(
            "No GPU was shared, or no baseline was measured."))
    many = means.index.get_level_values("co_models").nunique()
    sentence = ("Step time beside the co-tenants (columns) ÷ alone, mean over time and all complete cells. "
                "Dash: never measured together. ")
    if many > MOST_COLUMNS:
        sentence += (f"{MOST_COLUMNS} of {many} sets of co-tenants are drawn: those together with "
                     "others for the longest.")
    body = heat_map(means) + html.note(sentence)
    if means["slowdown"].max() < 1.005:
        body += html.note("No pair slowed the other by more than 0.5 %.")
    return html.Section("interference", title, body)
