# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Mean slowdown of each model beside each set of co-tenants, at every record level."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from mimus_results.read import Cell
from mimus_results.tidy import table

_SUMS = ["pair_periods", "pair_seconds", "slowdown_seconds"]


def of_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """The same from rows of `totals` of any number of cells; empty if nothing was shared."""
    pairs = rows[rows["metric"].isin(_SUMS) & (rows["group"] != "all")]
    if pairs.empty:
        return pd.DataFrame()
    sums = pairs.pivot_table(index="group", columns="metric", values="value", aggfunc="sum")
    sums.index = pd.MultiIndex.from_tuples(
        [tuple(name.split(" beside ", 1)) for name in sums.index], names=["model", "co_models"])
    sums = sums[sums["pair_seconds"] > 0]
    return pd.DataFrame({"slowdown": sums["slowdown_seconds"] / sums["pair_seconds"],
                         "seconds": sums["pair_seconds"], "periods": sums["pair_periods"]})


def means(cells: list[Cell]) -> pd.DataFrame:
    """Over all cells, indexed by (model, co_models); empty if nothing was shared."""
    rows = table(cells, "totals")
    return of_totals(rows) if not rows.empty else pd.DataFrame()


def longest_together(means_of: pd.DataFrame, level: str, most: int) -> list[str]:
    """The names of a level that ran together with others for the longest time, at most `most`."""
    seconds = means_of["seconds"].groupby(level=level).sum()
    return sorted(seconds.nlargest(most).index)


def shorter(co_models: str) -> str:
    """Co-tenants with each model named once: "2 × bert-base + neumf" for
    "bert-base+bert-base+neumf"."""
    return " + ".join(f"{count} × {name}" if count > 1 else name
                      for name, count in Counter(co_models.split("+")).items())
