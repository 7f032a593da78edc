# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Distribution of job completion times: one curve per cell label, in panels when there are many."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results import totals
from mimus_results.figures import curves, style
from mimus_results.read import Cell

# A logarithmic axis is used if completion times span more than this factor.
LINEAR_SPREAD = 30.0


def _curves(cells: list[Cell]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    found = {label: totals.distribution([cell for cell in cells if cell.label == label], "jct")
             for label in totals.labels(cells)}
    return {label: curve for label, curve in found.items() if len(curve[0])}


def _draw_curve(axes, values: np.ndarray, share: np.ndarray, band: np.ndarray | None,
                line: dict) -> None:
    if band is not None:
        axes.fill_between(values, np.clip(share - band, 0, 1), np.clip(share + band, 0, 1),
                          color=line["color"], alpha=0.15, linewidth=0)
    if share[0] > 0:  # single jobs; quantiles begin with the fraction 0
        axes.step(np.r_[values[0], values], np.r_[0.0, share], where="post", **line)
    else:
        axes.plot(values, share, **line)


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    found = _curves(cells)
    if not found:
        return style.skip("No job has finished, or the cell has not stopped yet.")
    least = min(values[0] for values, _ in found.values())
    most = max(values[-1] for values, _ in found.values())
    logarithmic = least > 0 and most > LINEAR_SPREAD * least
    divisor, unit = style.time_unit(most)
    frame = curves.Frame(list(found), sharex=True)
    for axes, label, line in frame.curves():
        values, share = found[label]
        band = totals.half_widths([cell for cell in cells if cell.label == label], "jct", values)
        _draw_curve(axes, values / divisor, share, band, line)
    for axes in frame.shown_axes():
        if logarithmic:
            style.log_axis(axes)
        axes.set_xlim(least / divisor if logarithmic else 0, 1.05 * most / divisor)
        axes.set_ylim(0, 1.02)
    frame.finish("Job completion time of finished jobs", f"job completion time [{unit}]",
                 "share of finished jobs")
    return style.save(frame.fig, folder, "jct", [
        "Bands: 95 % intervals of the share over repetitions (Student's t)."])
