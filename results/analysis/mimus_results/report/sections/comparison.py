# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Labels side by side: every repetition, intervals, and pairs on the same seeds."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from mimus_results import compare, statistics
from mimus_results.figures.style import in_unit, unit_of
from mimus_results.metrics import METRICS
from mimus_results.report import html, svg
from mimus_results.report.facts import Facts

# Figures that are drawn by label and compared.
FIGURES = ["jct_mean", "jct_p99", "queueing_mean", "makespan", "gpu_allocated",
           "goodput_normalised", "rho_mean", "energy"]
# A label above the marks of each row, apart from them and from those of the row before.
ROW, LABEL_AT, MARKS_AT = 44, 14, 32
MOST_PAIRS = 400


def _axis(name: str, most: float) -> svg.Axis:
    metric = METRICS[name]
    divisor, unit = unit_of(metric, most)
    return svg.linear(0, most, metric.title + (f" [{unit}]" if unit else ""), divisor=divisor)


def _marks(chart_x, y: float, values: np.ndarray, row: pd.Series) -> str:
    parts = [f'<circle class="dot" cx="{chart_x(value):.1f}" cy="{y:.1f}" r="3"/>'
             for value in values]
    if math.isfinite(row["low"]):
        parts.append(f'<path class="interval" d="M{chart_x(row["low"]):.1f} {y:.1f}'
                     f'H{chart_x(row["high"]):.1f}"/>')
    x = chart_x(row["mean"])
    parts.append(f'<path class="mean" d="M{x:.1f} {y - 7:.1f}V{y + 7:.1f}"/>')
    return "".join(parts)


def _dots(facts: Facts, name: str, intervals: pd.DataFrame) -> html.Markup:
    values = facts.values(name)
    rows = intervals[intervals["metric"] == name].set_index("label")
    labels = [label for label in facts.drawn if label in rows.index]
    if not labels:
        return html.NOTHING
    most = max(values[label].max() for label in labels)
    axis = _axis(name, float(most) * 1.04 or 1.0)
    left, right, bottom = 8.0, svg.WIDTH - 16.0, len(labels) * ROW + 8.0

    def x(value: float) -> float:
        return left + (right - left) * float(axis.share(value))
    parts = []
    for value, tick in axis.ticks:
        parts.append(f'<path class="grid" d="M{x(value):.1f} 4V{bottom}"/><text class="tick" '
                     f'x="{x(value):.1f}" y="{bottom + 16}" '
                     f'text-anchor="{"end" if x(value) > right - 14 else "middle"}">{tick}</text>')
    for at, label in enumerate(labels):
        row = rows.loc[label]
        divisor, unit = unit_of(METRICS[name], float(most))
        said = f"{in_unit(row['mean'] / divisor, unit)} {unit}"
        shown = label + (f" ({row['late']} late)" if row["late"] else "")
        parts.append(svg.row_label(shown, at * ROW + LABEL_AT) + "<g>"
                     + _marks(x, at * ROW + MARKS_AT, values[label], row)
                     + f"<title>{html.text(f'{label}: {said}')}</title></g>")
    parts.append(f'<text class="name" x="{svg.WIDTH / 2}" y="{bottom + 36}" '
                 f'text-anchor="middle">{html.text(axis.name)}</text>')
    return svg.framed(METRICS[name].title, bottom + 44, "".join(parts))


def _verdict(row) -> html.Markup:
    if row.verdict in (compare.LOWER, compare.HIGHER):
        mark = {True: "better", False: "worse", None: "different"}[row.better]
        return html.verdict(f"{row.verdict}: {mark}", mark)
    more = f"; about {row.needed:.0f} pairs would show it" if (
        row.verdict == compare.NOT_TOLD and row.needed == row.needed and row.needed) else ""
    return html.verdict(f"{row.verdict}: {row.reason}{more}")


def _range(low: float, high: float) -> str:
    return f" [{low:.3g}, {high:.3g}]" if math.isfinite(low) else ""


def _plain(value: float) -> html.Cell:
    if math.isnan(value):
        return html.Cell(html.UNKNOWN, 0.0, True)
    if math.isinf(value):  # sorted after all others
        return html.Cell("∞" if value > 0 else "−∞", math.copysign(1e300, value), True)
    return html.Cell(f"{value:.2f}".replace("-", "−"), value, True)


def _pair_row(row, divisor: float, unit: str) -> list[html.Cell]:
    late = f" ({row.late} late)" if row.late else ""
    return [html.words(row.changed), html.words(row.label),
            html.figure(row.pairs, f"{row.pairs}{late}"),
            html.figure(row.mean_baseline, in_unit(row.mean_baseline / divisor, unit)),
            html.figure(row.mean, in_unit(row.mean / divisor, unit)),
            html.figure(row.ratio, f"{row.ratio:.3g}{_range(row.ratio_low, row.ratio_high)}"),
            _plain(row.dz), _plain(row.cliffs_delta), html.Cell(_verdict(row), row.verdict)]


def _pairs(facts: Facts, name: str, is_open: bool) -> html.Markup:
    rows = compare.paired(facts.metrics[facts.metrics["metric"] == name], facts.labels,
                          facts.baseline)
    if rows.empty:
        return html.NOTHING
    shown = rows.head(MOST_PAIRS)
    divisor, unit = unit_of(METRICS[name], float(shown[["mean_baseline", "mean"]].max().max()))
    said = f" [{unit}]" if unit else ""
    heads = ["changed", "cell", "pairs", f"before{said}", f"after{said}", "ratio [95 %]", "dz", "Cliff's δ",
             "verdict"]
    body = html.table(heads, [_pair_row(row, divisor, unit) for row in shown.itertuples()],
                      f"{METRICS[name].title} on the same seeds", len(shown) > 12)
    if len(shown) < len(rows):
        body += html.note(f"The first {len(shown)} of {len(rows)} comparisons are listed.")
    told = int(rows["verdict"].isin([compare.LOWER, compare.HIGHER]).sum())
    return html.details(f"{METRICS[name].title}: {told} of {len(rows)} comparisons show a difference",
                        body, is_open)


def _how(facts: Facts) -> html.Markup:
    needed = statistics.repetitions_needed()
    most = int(facts.metrics.groupby(["label", "metric"]).size().max())
    short = "" if most >= needed else (
        f"These cells have {most} repetition{'s' if most != 1 else ''}: no verdicts. Repeat with "
        f"--set repetitions={needed} or more. ")
    return html.note(
        f"{short}Dots: repetitions; tick: mean; bar: 95 % interval of the mean, "
        f"{statistics.METHOD}. Comparisons pair repetitions with the same jobs, from {needed} on; "
        f"labels that had none in common are not compared. Their intervals: "
        f"{statistics.PAIR_METHOD}, {statistics.RESAMPLES} resamples, seed {statistics.SEED}. dz: "
        "mean difference ÷ its standard deviation; Cliff's δ: −1 … 1. The confidence holds for each "
        "comparison by itself: without any difference, one in twenty would still show one by chance.")


def section(facts: Facts) -> html.Section:
    title = "Policies compared"
    if facts.metrics.empty:
        return html.Section("comparison", title, html.empty(facts.nothing_yet()))
    shown = facts.metrics[facts.metrics["metric"].isin(FIGURES)]
    intervals = compare.intervals(shown[shown["label"].isin(facts.drawn)])
    charts = [chart for chart in (_dots(facts, name, intervals) for name in FIGURES) if chart]
    body = html.panels(charts) + _how(facts)
    if facts.drawn_note():
        body += html.note(facts.drawn_note())
    if len(facts.labels) < 2:
        return html.Section("comparison", title, body + html.empty(
            "There is one cell only: nothing to compare it with."))
    for at, name in enumerate(FIGURES):
        body += _pairs(facts, name, at == 0)
    return html.Section("comparison", title, body)
