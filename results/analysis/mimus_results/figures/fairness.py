# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Distribution of finish-time fairness ρ over finished jobs, one curve per cell label."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results import fairness, totals
from mimus_results.figures import curves, style
from mimus_results.read import Cell


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    values: dict[str, list[np.ndarray]] = {}
    for cell in cells:
        rho = fairness.job_fairness(cell)["rho"].dropna().to_numpy(float)
        if len(rho):
            values.setdefault(cell.label, []).append(rho)
    if not values:
        return style.skip("No finished jobs were recorded (record: full or jobs keeps them).")
    frame = curves.Frame(list(values), sharex=True)
    for axes, label, line in frame.curves():
        ordered, share = totals.ecdf(np.concatenate(values[label]))
        axes.step(np.r_[ordered[0], ordered], np.r_[0.0, share], where="post", **line)
    for axes in frame.shown_axes():
        axes.set_xscale("log")
        axes.axvline(1.0, color="black", linewidth=0.8)
        axes.set_ylim(0, 1.02)
    frame.finish("Finish-time fairness of finished jobs", "ρ = T_shared ÷ T_isolated",
                 "share of finished jobs")
    return style.save(frame.fig, folder, "fairness")
