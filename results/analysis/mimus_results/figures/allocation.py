# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Allocation and fragmentation over requested GPUs: one line per label, with bands for 95 %
intervals (as Figures 7 and 9 of Weng et al., FGD, ATC'23)."""

from __future__ import annotations

from pathlib import Path

from mimus_results import allocation
from mimus_results.figures import style
from mimus_results.read import Cell


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    rows = allocation.means(cells)
    if rows.empty:
        return style.skip("Allocation is recorded with workload.draw.")
    lines = style.lines(dict.fromkeys(rows["label"]))
    fig, axes = style.panels(len(allocation.SHARES), 2.6, 2.7)
    for pair, (share, title) in zip(axes.flat, allocation.SHARES.items()):
        of_share = rows[rows["share"] == share]
        for label, line in lines.items():
            own = of_share[of_share["label"] == label].sort_values("requested")
            pair.plot(100 * own["requested"], 100 * own["mean"], **line)
            pair.fill_between(100 * own["requested"], 100 * own["low"], 100 * own["high"],
                              color=line["color"], alpha=0.15, linewidth=0)
        pair.set_title(f"{title} [%]", fontsize=style.size(10))
        pair.set_ylim(bottom=0)
    style.label_bottom(axes, "GPUs requested [% of the cluster]")
    style.title_of_figure(fig)
    style.legend_of_figure(fig, [style.line_key(line) for line in lines.values()],
                           [style.shorten(style.marked(label), 40) for label in lines])
    return style.save(fig, folder, "allocation")
