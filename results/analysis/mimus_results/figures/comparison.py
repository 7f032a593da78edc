# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The main figures of all cells side by side: groups by the value that was swept first, colours by
the others."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.patches import Patch

from mimus_results import totals
from mimus_results.figures import grid, style
from mimus_results.read import Cell

# More bars than this have no number behind them.
MOST_NUMBERS = 40


def _quantile(cells: list[Cell], metric: str, fraction: float) -> pd.Series:
    """Mean over the repetitions of each label."""
    found: dict[str, list[float]] = {}
    for cell in cells:
        value = totals.quantile(cell, metric, fraction)
        if value is not None:
            found.setdefault(cell.label, []).append(value)
    return pd.Series({label: float(np.mean(values)) for label, values in found.items()},
                     dtype=float)


def _ratio(sums: pd.DataFrame, above: str, below: str) -> pd.Series:
    if above not in sums or below not in sums:
        return pd.Series(dtype=float)
    return sums[above] / sums[below].where(sums[below] > 0)


class Panel(NamedTuple):
    title: str
    is_time: bool  # else a percentage
    values: Callable[[pd.DataFrame, list[Cell]], pd.Series]


PANELS = [
    Panel("mean JCT", True, lambda sums, cells: _ratio(sums, "jct", "finished")),
    Panel("p50 JCT", True, lambda sums, cells: _quantile(cells, "jct", 0.5)),
    Panel("p99 JCT", True, lambda sums, cells: _quantile(cells, "jct", 0.99)),
    Panel("mean queueing", True, lambda sums, cells: _ratio(sums, "queueing", "jobs")),
    Panel("makespan", True, lambda sums, cells: _ratio(sums, "makespan", "cells")),
    Panel("GPU time held", False, lambda sums, cells: 100 * _ratio(
        sums, "gpu_held_seconds", "gpu_up_seconds")),
]


def figures_of(cells: list[Cell]) -> dict[str, pd.Series]:
    """The values of each panel by label; those not known are NaN or absent."""
    sums = totals.by_label(cells)
    return {panel.title: panel.values(sums, cells) for panel in PANELS}


def _fills(cells: grid.Grid) -> dict[str, dict]:
    return dict(zip(cells.second, style.fills(f"{i:03}" for i in range(len(cells.second)))
                    .values()))


def _draw_panel(axes, panel: Panel, values: pd.Series, cells: grid.Grid) -> None:
    divisor, unit = style.time_unit(values.max()) if panel.is_time else (1.0, "%")
    height = 0.82 / len(cells.second)
    fills = _fills(cells)
    for place, label in cells.label.items():
        value = values.get(label, np.nan) / divisor
        if np.isnan(value):
            continue
        at = cells.first.index(place.first) - 0.41 + height * (
            cells.second.index(place.second) + 0.5)
        axes.barh(at, value, height=height * 0.92, linewidth=0, **fills[place.second])
        if len(cells.label) <= MOST_NUMBERS:
            text = style.bar_text(value * divisor, unit) if panel.is_time else f"{value:.1f} %"
            axes.text(value, at, f" {text}", va="center", fontsize=7)
    axes.set_title(f"{panel.title} [{unit}]", fontsize=10)
    axes.set_xlim(0, max(values.max() / divisor * 1.25, 1e-9))
    if not panel.is_time:
        axes.set_xlim(0, 122)
        axes.set_xticks(range(0, 101, 25))
    axes.grid(axis="y", visible=False)
    axes.tick_params(labelsize=8)
    axes.tick_params(axis="y", length=0)


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    found = figures_of(cells)
    if not any(len(values) for values in found.values()):
        return style.skip("No job has ended yet.")
    place = grid.of(list(totals.by_label(cells).index))
    height = 0.75 + len(place.first) * max(0.26, 0.15 * len(place.second))
    fig, axes = style.figures(2, 3, 3.1, height, sharey=True)
    notes = []
    for panel, pair in zip(PANELS, axes.flat):
        values = found[panel.title].dropna()
        if values.empty:
            notes.append(f"{panel.title}: not known.")
            pair.set_visible(False)
            continue
        _draw_panel(pair, panel, values, place)
    for row in axes:
        row[0].set_yticks(range(len(place.first)), map(style.shorten, place.first))
        row[0].set_ylim(len(place.first) - 0.5, -0.5)
    if place.is_grouped:
        fills = _fills(place)
        style.legend_of_figure(fig, [Patch(**fills[name]) for name in place.second],
                               place.second)
    return style.save(fig, folder, "comparison", notes)
