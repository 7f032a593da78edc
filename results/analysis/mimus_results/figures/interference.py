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


def mean_slowdowns_of_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """The same from the table `totals` of all cells."""
    pairs = rows[rows["metric"].isin(["pair_periods", "pair_seconds", "slowdown_seconds"])
                 & (rows["group"] != "all")]
    if pairs.empty:
        return pd.DataFrame()
    sums = pairs.pivot_table(index="group", columns="metric", values="value", aggfunc="sum")
    sums.index = pd.MultiIndex.from_tuples([tuple(name.split(" beside ", 1))
                                            for name in sums.index],
                                           names=["model", "co_models"])
    return pd.DataFrame({"slowdown": sums["slowdown_seconds"] / sums["pair_seconds"],
                         "periods": sums["pair_periods"]})


def _means(cells: list[Cell]) -> pd.DataFrame:
    rows = table(cells, "totals")
    if not rows.empty:
        return mean_slowdowns_of_totals(rows)
    pairs = table(cells, "pairs")  # files of the first releases
    return mean_slowdowns(pairs) if not pairs.empty else pd.DataFrame()


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
    means = _means(cells)
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
