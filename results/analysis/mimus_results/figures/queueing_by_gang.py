# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Mean queueing time by cause and by the GPUs that jobs ask for, one panel per cell label.

The classes are those of Jeon et al., "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN
Training Workloads" (USENIX ATC 2019), who found that waiting for locality grows with the gang.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from mimus_results import totals
from mimus_results.figures import grid, queueing, style
from mimus_results.read import Cell

# If a grid has more columns than this, its panels are placed in sequence.
MOST_COLUMNS = 6


def means_by_gang(cells: list[Cell]) -> dict[str, pd.DataFrame]:
    """For each label: seconds per job, one row per gang class with jobs, one column per cause."""
    waits = {name: totals.mean_waits(cells, name) for name in totals.GANG_CLASSES}
    rows = {label: {name: table.loc[label] for name, table in waits.items()
                    if label in table.index} for label in totals.mean_waits(cells).index}
    return {label: pd.DataFrame(of_label).T.fillna(0.0) for label, of_label in rows.items()}


class Arrangement(NamedTuple):
    """Rows, columns and the place of each label. Two swept values span both directions."""

    rows: int
    columns: int
    places: dict[str, tuple[int, int]]


def arrange(labels: list[str]) -> Arrangement:
    cells = grid.of(labels)
    if cells.is_grouped and len(cells.second) <= MOST_COLUMNS:
        places = {label: (cells.first.index(place.first), cells.second.index(place.second))
                  for place, label in cells.label.items()}
        return Arrangement(len(cells.first), len(cells.second), places)
    columns = style.columns_for(len(labels), 4)
    places = {label: divmod(i, columns) for i, label in enumerate(labels)}
    return Arrangement(-(-len(labels) // columns), columns, places)


def _draw_panel(axes, means: pd.DataFrame, fills: dict, most: float) -> None:
    """Draws one panel. `most` is the maximum over all panels, which therefore share one scale
    and unit. Missing rows belong to classes without jobs."""
    divisor, unit = style.time_unit(most)
    bottom = pd.Series(0.0, index=means.index)
    for cause in means.columns:
        heights = means[cause].fillna(0.0) / divisor
        axes.bar(means.index, heights, bottom=bottom, width=0.74, linewidth=0.5, **fills[cause])
        bottom += heights
    for at, (total, is_known) in enumerate(zip(bottom, means.notna().any(axis=1))):
        text = style.number(total) if is_known else "no jobs"
        axes.text(at, total, text, ha="center", va="bottom", fontsize=style.size(7))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.set_ylim(0, most / divisor * 1.18 or 1)
    if most == 0:
        axes.set_yticks([0])
    axes.grid(axis="x", visible=False)
    axes.tick_params(labelsize=style.size(8))


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    means = means_by_gang(cells)
    causes = [cause for cause in totals.CAUSES
              if any(cause in table and table[cause].sum() > 0 for table in means.values())]
    if not causes:
        return style.skip("No job ever waited." if means else "No job has ended yet.")
    panels = arrange(list(means))
    size = (4.6, 3.0) if len(means) == 1 else (2.5, 2.4 if panels.rows == 1 else 1.6)
    fig, axes = style.figures(panels.rows, panels.columns, *size, sharex=True)
    for pair in axes.flat:
        pair.set_visible(False)
    fills = queueing.fills(causes)
    classes = [name for name in totals.GANG_CLASSES
               if any(name in table.index for table in means.values())]
    most = max(table.sum(axis=1).max() for table in means.values())
    for label, place in panels.places.items():
        axes[place].set_visible(True)
        axes[place].set_title(style.shorten(style.marked(label), 28 if len(means) > 1 else 60),
                              fontsize=style.size(8))
        parts = means[label].reindex(columns=causes, fill_value=0.0).reindex(index=classes)
        _draw_panel(axes[place], parts, fills, most)
    style.title_of_figure(fig, "Queueing per job by cause and gang size")
    fig.supylabel(f"mean time in queue per job [{style.time_unit(most)[1]}]",
                  fontsize=style.size(10))
    style.label_bottom(axes, "GPUs asked for")
    style.legend_of_figure(fig, [Patch(**fills[cause]) for cause in causes], causes)
    return style.save(fig, folder, "queueing_by_gang")
