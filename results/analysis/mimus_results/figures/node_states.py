# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""When nodes took no jobs: asleep, booting, in quarantine or down."""

from __future__ import annotations

import pandas as pd
from matplotlib.patches import Patch

from mimus_results.read import Cell

#: The states of `node_states` as a legend names them, those that hide others last.
NAMES = {"asleep": "node asleep", "booting": "node booting", "quarantined": "node in quarantine",
         "down": "node down"}
COLUMNS = ["node", "state", "begin", "end"]
_LOOKS = {"asleep": {"facecolor": "#E6E6E6", "hatch": ""},
          "booting": {"facecolor": "#E6E6E6", "hatch": "////"},
          "quarantined": {"facecolor": "white", "hatch": "xxxx"},
          "down": {"facecolor": "#A6A6A6", "hatch": ""}}


def spans(cell: Cell) -> pd.DataFrame:
    """Spans for which a node took no jobs, with COLUMNS, in the order in which they are drawn."""
    rows = cell.table("node_states")
    if rows.empty:
        return pd.DataFrame({column: [] for column in COLUMNS})
    rows = rows.loc[rows["state"].isin(list(NAMES)), COLUMNS]
    return rows.sort_values("state", key=lambda states: states.map(list(NAMES).index), kind="stable")


def draw(axes, found: pd.DataFrame, rows: pd.DataFrame) -> None:
    """Bars behind those of jobs, over all rows of a node; `rows` has the node of each row."""
    places = rows.groupby("node").groups
    for (state, node), of_node in found.groupby(["state", "node"], sort=False):
        if node not in places:
            continue
        top, bottom = min(places[node]) - 0.5, max(places[node]) + 0.5
        axes.broken_barh(list(zip(of_node["begin"], of_node["end"] - of_node["begin"])),
                         (top, bottom - top), edgecolor="#707070", linewidth=0, zorder=0.6, **_LOOKS[state])


def keys(found: pd.DataFrame) -> tuple[list[Patch], list[str]]:
    """Legend entries of the states that occur, and their names."""
    states = [state for state in NAMES if (found["state"] == state).any()]
    return ([Patch(edgecolor="#707070", linewidth=0.5, **_LOOKS[state]) for state in states],
            [NAMES[state] for state in states])
