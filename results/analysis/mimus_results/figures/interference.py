# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Mean slowdown of each model beside each set of co-tenants, over all cells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from mimus_results.figures import style
from mimus_results.read import Cell, table


def mean_slowdowns(pairs: pd.DataFrame) -> pd.DataFrame:
    """Time-weighted mean slowdown and number of periods of each (model, co_models)."""
    known = pairs[pairs["slowdown"] > 0].copy()
    known["time"] = known["end"] - known["begin"]
    known["weighted"] = known["slowdown"] * known["time"]
    sums = known.groupby(["model", "co_models"])[["time", "weighted"]].sum()
    return pd.DataFrame({
        "slowdown": sums["weighted"] / sums["time"],
        "periods": known.groupby(["model", "co_models"]).size(),
    })


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


def draw(cells: list[Cell], folder: Path) -> list[Path]:
    pairs = table(cells, "pairs")
    means = mean_slowdowns(pairs) if not pairs.empty else pd.DataFrame()
    title = "Slowdown by co-tenants (step time shared ÷ alone)"
    if means.empty:
        fig, axes = style.figure()
        axes.set_title(title)
        style.note(axes, "No GPU was shared, or no baseline was measured.")
        return style.save(fig, folder, "interference")
    slowdowns = means["slowdown"].unstack()
    periods = means["periods"].unstack()
    fig, axes = style.figure(3.0 + 0.95 * len(slowdowns.columns), 1.9 + 0.6 * len(slowdowns))
    image = axes.imshow(slowdowns.to_numpy(), cmap="cividis_r", aspect="auto",
                        vmin=1.0, vmax=max(1.1, float(np.nanmax(slowdowns.to_numpy()))))
    _annotate(axes, slowdowns, periods, image)
    axes.set_title(title)
    axes.grid(visible=False)
    axes.set_xticks(range(len(slowdowns.columns)), slowdowns.columns, rotation=30, ha="right")
    axes.set_yticks(range(len(slowdowns)), slowdowns.index)
    axes.set_xlabel("co-tenants")
    axes.set_ylabel("model")
    fig.colorbar(image, label="mean slowdown, weighted by time")
    return style.save(fig, folder, "interference")
