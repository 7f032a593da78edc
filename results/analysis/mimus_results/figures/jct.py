# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Distribution of job completion times, one curve per cell label."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results.figures import style
from mimus_results.read import Cell, table

# Completion times that spread wider than this are drawn on a logarithmic axis.
LINEAR_SPREAD = 30.0


def ecdf(values) -> tuple[np.ndarray, np.ndarray]:
    """Steps of the empirical distribution: sorted values and the share not above each."""
    ordered = np.sort(np.asarray(values, dtype=float))
    return ordered, np.arange(1, len(ordered) + 1) / len(ordered)


def draw(cells: list[Cell], folder: Path) -> list[Path]:
    jobs = table(cells, "jobs")
    finished = jobs[jobs["outcome"] == "finished"] if not jobs.empty else jobs
    fig, axes = style.figure(7.2, 4.2)
    axes.set_title("Job completion time of finished jobs")
    if finished.empty:
        style.note(axes, "No job has finished.")
        return style.save(fig, folder, "jct")
    for (label, of_label), line in zip(jobs.groupby("label", sort=False), style.lines()):
        done = of_label[of_label["outcome"] == "finished"]
        if done.empty:
            continue
        times, share = ecdf(done["jct"])
        axes.step(np.r_[times[0], times], np.r_[0.0, share], where="post",
                  label=f"{label} ({len(done)} of {len(of_label)} jobs)", **line)
    if finished["jct"].min() > 0 and finished["jct"].max() > LINEAR_SPREAD * finished["jct"].min():
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("job completion time [s]")
    axes.set_ylabel("share of finished jobs")
    style.legend_below(axes, *axes.get_legend_handles_labels())
    return style.save(fig, folder, "jct")
