# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Causes of waits: mean wait per job by cause."""

from __future__ import annotations

import pandas as pd

from mimus_results import totals
from mimus_results.figures.style import marked, number, time_unit
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts

ROW = 36
_WORDS = {"capacity": "too few GPUs free", "fragmentation": "enough, but not in its shape",
          "order": "a job before it waited", "quota": "its virtual cluster was at its quota",
          "backoff": "held back after a failure", "restart": "its last attempt was being stopped",
          "round": "the round had to end first",
          "boot": "nodes for it slept or booted"}


def stacked(parts: pd.DataFrame, axis: svg.Axis, indices: list[int], title: str, said) -> html.Markup:
    """Stacked bars of the columns of parts, one per label. `said(total)` is the text at the end
    of each."""
    left, right, bottom = 8.0, svg.WIDTH - 70.0, len(parts) * ROW + 8.0
    drawn = []
    for value, tick in axis.ticks:
        x = left + (right - left) * float(axis.share(value))
        drawn.append(f'<path class="grid" d="M{x:.1f} 4V{bottom}"/><text class="tick" x="{x:.1f}" '
                     f'y="{bottom + 16}" text-anchor="middle">{tick}</text>')
    for at, (label, row) in enumerate(parts.iterrows()):
        drawn.append(svg.row_label(marked(label), at * ROW + 16))
        start = left
        for index, (name, value) in zip(indices, row.items()):
            width = (right - left) * float(axis.share(value))
            if width > 0:
                drawn.append(f'<rect class="{svg.fill_class(index)}" x="{start:.1f}" '
                             f'y="{at * ROW + 21}" width="{width:.2f}" height="13">'
                             f"<title>{html.text(f'{name}: {said(value)}')}</title></rect>")
            start += width
        drawn.append(f'<text class="tick" x="{start + 5:.1f}" y="{at * ROW + 32}">'
                     f"{html.text(said(row.sum()))}</text>")
    drawn.append(f'<text class="name" x="{svg.WIDTH / 2}" y="{bottom + 36}" '
                 f'text-anchor="middle">{html.text(axis.name)}</text>')
    return svg.framed(title, bottom + 44, "".join(drawn))


def split(parts: pd.DataFrame, rows: int = 8) -> list[pd.DataFrame]:
    """Distributes rows over two columns of charts if there are many."""
    half = -(-len(parts) // 2)
    return [parts] if len(parts) <= rows else [parts.iloc[:half], parts.iloc[half:]]


def section(facts: Facts) -> html.Section:
    title = "Queueing delay by cause"
    drawn = set(facts.drawn)
    waits = totals.mean_waits([cell for cell in facts.complete if cell.label in drawn])
    if not len(waits):
        return html.Section("queueing", title, html.empty(facts.nothing_yet()))
    if not len(waits.columns):
        return html.Section("queueing", title, html.empty("No job ever waited."))
    axis = svg.time_axis(float(waits.sum(axis=1).max()), "mean time in queue per job")
    known = [totals.CAUSES.index(cause) if cause in totals.CAUSES else 7 for cause in waits.columns]
    divisor, unit = time_unit(float(waits.sum(axis=1).max()))

    def said(seconds: float) -> str:
        return f"{number(seconds / divisor)} {unit}"
    charts = [stacked(part, axis, known, "", said) for part in split(waits)]
    body = html.panels(charts) + html.legend(
        (svg.fill_swatch(at), f"{cause}: {_WORDS[cause]}" if cause in _WORDS else cause)
        for at, cause in zip(known, waits.columns))
    return html.Section("queueing", title, body + html.note(
        "Mean over the jobs of each repetition, then over repetitions. " + facts.drawn_note()))
