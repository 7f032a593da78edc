# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Main figures by label: every repetition, their mean, and its interval if there is one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mimus_results import compare, metrics, statistics
from mimus_results.figures import style
from mimus_results.read import Cell

FIGURES = ["jct_mean", "jct_p99", "queueing_mean", "makespan", "gpu_allocated", "rho_mean"]
MOST_LABELS = 40


def _panel(axes, rows: pd.DataFrame, values: pd.DataFrame, labels: list[str]) -> None:
    metric = metrics.METRICS[rows["metric"].iloc[0]]
    divisor, unit = style.unit_of(metric, values["value"].max())
    for row in rows.itertuples():
        at = labels.index(row.label)
        runs = values[values["label"] == row.label]["value"] / divisor
        axes.plot(runs, [at] * len(runs), "o", markersize=3.5, markerfacecolor="none",
                  markeredgecolor="#777777", markeredgewidth=0.8)
        if not row.reason:
            axes.plot([row.low / divisor, row.high / divisor], [at, at], linewidth=4, alpha=0.6,
                      color=style.PALETTE[0], solid_capstyle="butt")
        axes.plot([row.mean / divisor], [at], "|", markersize=11, markeredgewidth=1.6,
                  color="black")
    axes.set_title(metric.title + (f" [{unit}]" if unit else ""), fontsize=style.size(10))
    axes.set_xlim(left=0)
    axes.tick_params(labelsize=style.size(8))
    axes.tick_params(axis="y", length=0)


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    found = metrics.frame(cells)
    found = found[found["metric"].isin(FIGURES)]
    labels = list(dict.fromkeys(found["label"]))
    if not labels:
        return style.skip("No job has ended yet.")
    notes = [] if len(labels) <= MOST_LABELS else [
        f"The first {MOST_LABELS} of {len(labels)} labels are drawn."]
    labels = labels[:MOST_LABELS]
    found = found[found["label"].isin(labels)]
    intervals = compare.intervals(found)
    known = [name for name in FIGURES if (intervals["metric"] == name).any()]
    fig, axes = style.panels(len(known), 3.1, 1.0 + 0.26 * len(labels), sharey=True)
    for name, pair in zip(known, axes.flat):
        _panel(pair, intervals[intervals["metric"] == name], found[found["metric"] == name],
               labels)
    for row in axes:
        row[0].set_yticks(range(len(labels)), [style.shorten(style.marked(label)) for label in labels])
        row[0].set_ylim(len(labels) - 0.5, -0.5)
    style.title_of_figure(fig)
    reasons = sorted({reason for reason in intervals["reason"] if reason})
    return style.save(fig, folder, "intervals", notes + [
        f"Intervals: {100 * statistics.CONFIDENCE:g} %, {statistics.METHOD}.",
        *[f"No interval for some: {reason}." for reason in reasons[:3]]])
