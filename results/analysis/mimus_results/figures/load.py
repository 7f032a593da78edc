# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Main figures over a swept number such as the load: one line per policy, with bands for 95 %
intervals."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from mimus_results import compare, metrics
from mimus_results.figures import style
from mimus_results.read import Cell
from mimus_results.sweep import SEPARATOR

FIGURES = ["jct_mean", "jct_p99", "queueing_mean", "makespan", "gpu_allocated", "rho_mean"]
# A line through two points does not show a shape.
FEWEST = 3


class Sweep(NamedTuple):
    """Coordinates of labels: the swept number, and the other values joined."""

    path: str
    at: dict[str, float]
    curve: dict[str, str]

    @property
    def curves(self) -> list[str]:
        return list(dict.fromkeys(self.curve.values()))

    def marked(self, curve: str) -> str:
        """The name of a curve, with a mark if it belongs to a late label."""
        return style.marked_name(curve, [label for label, own in self.curve.items() if own == curve])


def sweep_of(cells: list[Cell]) -> Sweep | None:
    """The sweep over the load if that was swept, else over the number with the most values, else
    None."""
    swept = {cell.label: cell.swept for cell in cells}
    values: dict[str, set] = {}
    for of_label in swept.values():
        for path, value in of_label.items():
            values.setdefault(path, set()).add(value)
    numbers = [path for path, found in values.items() if len(found) >= FEWEST
               and all(isinstance(value, float) for value in found)
               and all(path in of_label for of_label in swept.values())]
    if not numbers:
        return None
    path = max(numbers, key=lambda name: (name.endswith(".load"), len(values[name])))
    at = {label: of_label[path] for label, of_label in swept.items()}
    curve = {label: SEPARATOR.join(str(value) for name, value in of_label.items() if name != path)
             for label, of_label in swept.items()}
    return Sweep(path, at, curve)


def points(rows: pd.DataFrame, sweep: Sweep, curve: str) -> pd.DataFrame:
    """Rows of intervals of one curve, in the order of the swept number in column `at`."""
    of_curve = rows[rows["label"].map(sweep.curve) == curve]
    return of_curve.assign(at=of_curve["label"].map(sweep.at)).sort_values("at")


def _draw_panel(axes, rows: pd.DataFrame, sweep: Sweep, lines: dict) -> None:
    metric = metrics.METRICS[rows["metric"].iloc[0]]
    divisor, unit = style.unit_of(metric, rows["mean"].max())
    for curve, line in lines.items():
        own = points(rows, sweep, curve)
        axes.plot(own["at"], own["mean"] / divisor, marker="o", markersize=3.5, **line)
        banded = own[own["half_width"].notna()]
        axes.fill_between(banded["at"], banded["low"].clip(lower=0) / divisor,
                          banded["high"] / divisor, color=line["color"], alpha=0.15, linewidth=0)
    axes.set_title(metric.title + (f" [{unit}]" if unit else ""), fontsize=style.size(10))
    axes.set_ylim(bottom=0)
    axes.tick_params(labelsize=style.size(8))


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    sweep = sweep_of(cells)
    if sweep is None:
        return style.skip(f"No number was swept with {FEWEST} values or more, as the load.")
    found = metrics.frame(cells)
    intervals = compare.intervals(found[found["metric"].isin(FIGURES)])
    known = [name for name in FIGURES if (intervals["metric"] == name).any()]
    if not known:
        return style.skip("No job has ended yet.")
    fig, axes = style.panels(len(known), 2.9, 2.3, sharex=True)
    lines = style.lines(sweep.curves)
    for name, pair in zip(known, axes.flat):
        _draw_panel(pair, intervals[intervals["metric"] == name], sweep, lines)
    style.label_bottom(axes, sweep.path)
    style.title_of_figure(fig)
    if sweep.curves != [""]:
        style.legend_of_figure(fig, [style.line_key(line) for line in lines.values()],
                               [style.shorten(sweep.marked(name), 40) for name in sweep.curves])
    return style.save(fig, folder, "load", [
        "Lines: means over repetitions; bands: their 95 % intervals (Student's t)."])
