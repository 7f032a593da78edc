# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of a campaign beside those that others print for the same, its key `published`."""

from __future__ import annotations

import json
import math
from typing import Iterable

import pandas as pd

from mimus_results.read import Cell

COLUMNS = ["label", "metric", "unit", "mean", "half_width", "repetitions", "published",
           "difference", "source"]


def figures_of(cell: Cell) -> list[dict]:
    """What is published of a cell: figure, value in its unit, source; empty without any."""
    try:
        found = json.loads(str(cell.attributes.get("published") or "[]"))
        return [{"figure": str(one["figure"]), "value": float(one["value"]),
                 "source": str(one["source"])} for one in found]
    except (KeyError, TypeError, ValueError):
        return []


def beside(cells: Iterable[Cell], intervals: pd.DataFrame) -> pd.DataFrame:
    """COLUMNS, one row per label and published figure that the label has.

    `intervals` as of compare.intervals(). `difference` is mean ÷ published − 1, NaN where the
    published figure is zero.
    """
    known = intervals.set_index(["label", "metric"])
    rows = []
    for label, cell in {cell.label: cell for cell in reversed(list(cells))}.items():
        for one in figures_of(cell):
            if (label, one["figure"]) not in known.index:
                continue
            own = known.loc[(label, one["figure"])]
            difference = own["mean"] / one["value"] - 1 if one["value"] else math.nan
            rows.append((label, one["figure"], own["unit"], own["mean"], own["half_width"],
                         own["repetitions"], one["value"], difference, one["source"]))
    order = {label: at for at, label in enumerate(dict.fromkeys(cell.label for cell in cells))}
    rows.sort(key=lambda row: order[row[0]])
    return pd.DataFrame(rows, columns=COLUMNS)
