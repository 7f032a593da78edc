# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The main figures of all cells side by side: groups by the value of the first swept key,
colours by the others. Means over repetitions are the same numbers as in tables and intervals."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.patches import Patch

from mimus_results import compare, metrics
from mimus_results.figures import grid, style
from mimus_results.read import Cell

# With more bars than this, no numbers are written beside them.
MOST_NUMBERS = 40
FIGURES = ["jct_mean", "jct_p50", "jct_p99", "queueing_mean", "makespan", "gpu_allocated"]


def figures_of(cells: list[Cell]) -> dict[str, pd.DataFrame]:
    """Mean and half-width (NaN without an interval) of each figure by label."""
    found = metrics.frame(cells)
    found = compare.intervals(found[found["metric"].isin(FIGURES)])
    return {name: found[found["metric"] == name].set_index("label")[["mean", "half_width"]]
            for name in FIGURES}


def _fills(cells: grid.Grid) -> dict[str, dict]:
    return style.ordered_fills(cells.second)


def _draw_panel(axes, name: str, values: pd.DataFrame, cells: grid.Grid) -> None:
    metric = metrics.METRICS[name]
    divisor, unit = style.unit_of(metric, values["mean"].max())
    height = 0.82 / len(cells.second)
    fills = _fills(cells)
    tops = (values["mean"] + values["half_width"].fillna(0)) / divisor
    for place, label in cells.label.items():
        if label not in values.index:
            continue
        value, half = values.loc[label] / divisor
        at = cells.first.index(place.first) - 0.41 + height * (
            cells.second.index(place.second) + 0.5)
        axes.barh(at, value, height=height * 0.92, linewidth=0, **fills[place.second])
        if half == half:
            axes.plot([max(value - half, 0), value + half], [at, at], color="black", linewidth=0.8)
        late = style.marked(label)[len(label):]
        if len(cells.label) <= MOST_NUMBERS or late:
            axes.text(tops[label], at, f" {style.in_unit(value, unit)}{late}", va="center",
                      fontsize=style.size(7))
    axes.set_title(f"{metric.title} [{unit}]", fontsize=style.size(10))
    axes.set_xlim(0, max(tops.max() * 1.25, 1e-9))
    if unit == "%":
        axes.set_xlim(0, 122)
        axes.set_xticks(range(0, 101, 25))
    axes.grid(axis="y", visible=False)
    axes.tick_params(labelsize=style.size(8))
    axes.tick_params(axis="y", length=0)


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    found = {name: values for name, values in figures_of(cells).items() if len(values)}
    if not found:
        return style.skip("No job has ended yet.")
    place = grid.of(list(dict.fromkeys(label for values in found.values() for label in values.index)))
    height = 0.75 + len(place.first) * max(0.26, 0.15 * len(place.second))
    fig, axes = style.panels(len(found), 3.1, height, sharey=True)
    for (name, values), pair in zip(found.items(), axes.flat):
        _draw_panel(pair, name, values, place)
    for row in axes:
        row[0].set_yticks(range(len(place.first)), map(style.shorten, place.first))
        row[0].set_ylim(len(place.first) - 0.5, -0.5)
    if place.is_grouped:
        fills = _fills(place)
        style.legend_of_figure(fig, [Patch(**fills[name]) for name in place.second],
                               place.second)
    style.title_of_figure(fig)
    notes = [f"{metrics.METRICS[name].title}: not known." for name in FIGURES if name not in found]
    if any(values["half_width"].notna().any() for values in found.values()):
        notes.append("Bars: means over repetitions; lines: their 95 % intervals (Student's t).")
    return style.save(fig, folder, "comparison", notes)
