# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Mean slowdown of each model beside each set of co-tenants, over all cells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from mimus_results import slowdowns as mean_slowdowns
from mimus_results.figures import style
from mimus_results.read import Cell


def _annotate(axes, slowdowns: pd.DataFrame, periods: pd.DataFrame, image) -> None:
    for row, model in enumerate(slowdowns.index):
        for column, others in enumerate(slowdowns.columns):
            value = slowdowns.loc[model, others]
            if np.isnan(value):
                axes.text(column, row, "–", ha="center", va="center", color="#888888")
                continue
            axes.text(column, row, f"{value:.2f}×\nn = {int(periods.loc[model, others])}",
                      ha="center", va="center", fontsize=8,
                      color=style.text_colour(image.cmap(image.norm(value))[:3]))


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    means = mean_slowdowns.means(cells)
    if means.empty:
        return style.skip("No GPU was shared, or no baseline was measured.")
    slowdowns = means["slowdown"].unstack()
    periods = means["periods"].unstack()
    fig, axes = style.figure(3.0 + 0.95 * len(slowdowns.columns), 1.9 + 0.6 * len(slowdowns))
    image = axes.imshow(slowdowns.to_numpy(), cmap="cividis_r", aspect="auto",
                        vmin=1.0, vmax=max(1.1, float(np.nanmax(slowdowns.to_numpy()))))
    _annotate(axes, slowdowns, periods, image)
    axes.set_title("Slowdown by co-tenants (step time shared ÷ alone)")
    axes.grid(visible=False)
    axes.set_xticks(range(len(slowdowns.columns)), slowdowns.columns, rotation=30, ha="right")
    axes.set_yticks(range(len(slowdowns)), slowdowns.index)
    axes.set_xlabel("co-tenants")
    axes.set_ylabel("model")
    fig.colorbar(image, label="mean slowdown, weighted by time")
    return style.save(fig, folder, "interference")
