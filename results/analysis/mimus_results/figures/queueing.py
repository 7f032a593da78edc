# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Mean queueing time per job, stacked by cause, one bar per cell label."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mimus_results.figures import style
from mimus_results.read import Cell, table

# Fixed colours: a cause looks the same in every report.
CAUSES = ["capacity", "fragmentation", "order", "quota", "backoff", "restart"]


def mean_by_cause(cells: list[Cell]) -> pd.DataFrame:
    """Seconds per job: one row per label, one column per cause that occurred."""
    jobs, waits = table(cells, "jobs"), table(cells, "queue_delay")
    if jobs.empty:
        return pd.DataFrame()
    labels = list(dict.fromkeys(jobs["label"]))
    counts = jobs.groupby("label").size()
    if waits.empty:
        return pd.DataFrame(index=labels)
    seconds = (waits["end"] - waits["begin"]).groupby([waits["label"], waits["cause"]]).sum()
    means = seconds.unstack(fill_value=0.0).reindex(labels, fill_value=0.0)
    means = means.div(counts.reindex(labels), axis=0)
    others = sorted(set(means.columns) - set(CAUSES))
    return means[[cause for cause in CAUSES if cause in means.columns] + others]


def draw(cells: list[Cell], folder: Path) -> list[Path]:
    means = mean_by_cause(cells)
    fig, axes = style.figure(7.6, 1.8 + 0.45 * max(len(means), 2))
    axes.set_title("Queueing per job by cause")
    if means.empty or means.to_numpy().sum() == 0:
        style.note(axes, "No job ever waited." if len(means) else "No job has ended yet.")
        return style.save(fig, folder, "queueing")
    fills = dict(zip(CAUSES, style.fills(CAUSES).values()))
    fills.update(style.fills(set(means.columns) - set(CAUSES)))
    left = pd.Series(0.0, index=means.index)
    for cause in means.columns:
        axes.barh(means.index, means[cause], left=left, height=0.62, label=cause, linewidth=0.7,
                  **fills[cause])
        left += means[cause]
    for row, total in enumerate(left):
        axes.text(total, row, f" {total:.3g} s", va="center", fontsize=9)
    axes.set_xlim(0, left.max() * 1.14)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("mean time in queue per job [s]")
    style.legend_below(axes, *axes.get_legend_handles_labels())
    return style.save(fig, folder, "queueing")
