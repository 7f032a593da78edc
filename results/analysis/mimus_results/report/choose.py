# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Selects what is drawn if there is more than a reader can distinguish, and says so.

Tables and intervals cover every cell. Curves are drawn for MOST_LABELS labels, single cells for
MOST_CELLS; they are picked by rank of mean JCT: best, worst, and evenly between.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results.figures import grid, repetitions, style
from mimus_results.read import Cell

MOST_LABELS = 24
MOST_CELLS = 8
MOST_CURVES = grid.MOST_CURVES
# Maximum number of rows of `jobs` that are read for slowdowns and fairness.
MOST_JOBS = 400_000
# GPUs of one timeline.
MOST_BARS = 20_000
MOST_GPUS = 128


def evenly(items: list, most: int) -> list:
    """The first, the last, and evenly spaced ones between: at most `most`."""
    if len(items) <= most:
        return list(items)
    return [items[at] for at in np.unique(np.linspace(0, len(items) - 1, most).round().astype(int))]


def by_rank(labels: list[str], means: pd.Series, most: int) -> list[str]:
    """At most `most` labels, evenly spaced by rank of their mean, in the order of `labels`."""
    if len(labels) <= most:
        return list(labels)
    ranked = sorted(labels, key=lambda label: (not np.isfinite(means.get(label, np.nan)),
                                               means.get(label, 0.0)))
    chosen = set(evenly(ranked, most))
    return [label for label in labels if label in chosen]


def sentence(shown: int, of: int, what: str) -> str:
    """A sentence that says which ones were drawn; "" if all were."""
    return "" if shown >= of else (
        f"{shown} of {of} {what} are drawn: the one with the lowest mean JCT, the one with the "
        "highest, and those evenly between by rank. The table of cells and the comparisons cover "
        "all.")


def first_repetitions(cells: list[Cell], labels: list[str]) -> list[Cell]:
    """The first repetition of each of the labels, preferably a complete one."""
    found = repetitions.first_of_label(cells)
    return [found[label] for label in labels if label in found]


def panels(labels: list[str]) -> list[grid.Panel]:
    """Panels of at most MOST_CURVES curves, by swept value if labels form a grid."""
    found = []
    for panel in grid.panels(labels):
        names = list(panel.curves)
        groups = [names[at:at + MOST_CURVES] for at in range(0, len(names), MOST_CURVES)]
        found += [grid.Panel(panel.title, {name: panel.curves[name] for name in group})
                  for group in groups]
    return found


def marked(names: list[str], labels: list[str]) -> list[str]:
    """Names of curves in the panels of labels, with a mark on those of late labels."""
    drawn = panels(labels)
    return [style.marked_name(name, [panel.curves[name] for panel in drawn if name in panel.curves])
            for name in names]
