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

# Number of models and sets of co-tenants that are drawn: those that ran together for the longest
# time.
MOST_ROWS = 24
MOST_COLUMNS = 10


def _annotate(axes, slowdowns: pd.DataFrame, periods: pd.DataFrame, image) -> None:
    for row, model in enumerate(slowdowns.index):
        for column, others in enumerate(slowdowns.columns):
            value = slowdowns.loc[model, others]
            if np.isnan(value):
                axes.text(column, row, "–", ha="center", va="center", color="#888888")
                continue
            axes.text(column, row, f"{value:.2f}×\nn = {int(periods.loc[model, others])}",
                      ha="center", va="center", fontsize=style.size(8),
                      color=style.text_colour(image.cmap(image.norm(value))[:3]))


def _left_out(means: pd.DataFrame, models: list[str], others: list[str]) -> list[str]:
    counts = [(len(drawn), means.index.get_level_values(level).nunique(), what)
              for level, drawn, what in (("model", models, "models"),
                                         ("co_models", others, "sets of co-tenants"))]
    return [f"{drawn} of {many} {what} are drawn: those together with others for the longest."
            for drawn, many, what in counts if drawn < many]


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    means = mean_slowdowns.means(cells)
    if means.empty:
        return style.skip("No GPU was shared, or no baseline was measured.")
    models = mean_slowdowns.longest_together(means, "model", MOST_ROWS)
    others = mean_slowdowns.longest_together(means, "co_models", MOST_COLUMNS)
    slowdowns, periods = (means[name].unstack().reindex(index=models, columns=others)
                          for name in ("slowdown", "periods"))
    names = [style.shorten(mean_slowdowns.shorter(name)) for name in others]
    # Slanted names extend below their columns, and to the left of the first one.
    fig, axes = style.figure(2.6 + 0.07 * max(map(len, names)) + 0.95 * len(others),
                             1.2 + 0.045 * max(map(len, names)) + max(1.2, 0.6 * len(models)))
    image = axes.imshow(slowdowns.to_numpy(), cmap="cividis_r", aspect="auto",
                        vmin=1.0, vmax=max(1.1, float(np.nanmax(slowdowns.to_numpy()))))
    _annotate(axes, slowdowns, periods, image)
    axes.set_title(style.titled("Slowdown by co-tenants (step time shared ÷ alone)"))
    axes.grid(visible=False)
    axes.set_xticks(range(len(others)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(models)), models)
    axes.set_xlabel("co-tenants")
    axes.set_ylabel("model")
    fig.colorbar(image, label="mean over time")
    return style.save(fig, folder, "interference", _left_out(means, models, others))
