# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""How many nodes are on, boot and sleep over time, and what an hour of those that do not sleep costs."""

from __future__ import annotations

import pandas as pd

from mimus_results.read import Cell

UNITS = {"begin": "s", "end": "s", "on": "nodes", "booting": "nodes", "asleep": "nodes", "price": "1/h"}


def gpu_types(cell: Cell) -> dict[int, str]:
    """The GPU type of each node. Empty where all nodes have the same."""
    gpus = cell.table("gpus")
    several = "type" in gpus and gpus["type"].nunique() > 1
    return dict(zip(gpus["node"], gpus["type"])) if several else {}


def hourly_prices(cell: Cell) -> pd.Series:
    """Price of an hour [1/h, in the currency of cluster.price_per_gpu_hour] of each node with all
    its GPUs, by node; NaN where it is not stated."""
    gpus = cell.table("gpus")
    if "price" not in gpus:  # in files of earlier versions
        return pd.Series(dtype=float)
    return gpus["price"].where(gpus["price"] >= 0).groupby(gpus["node"]).sum(min_count=1)


def counts(cell: Cell) -> pd.DataFrame:
    """Spans between changes, of the whole run: the columns of UNITS. Empty without the table `nodes`.

    on + booting + asleep are all nodes; price is that of an hour of the nodes that do not sleep.
    """
    cell = cell.whole
    nodes, states = cell.table("nodes"), cell.table("node_states")
    if len(states):  # nodes that are down or quarantined are on
        states = states[states["state"].isin(["asleep", "booting"])]
    if nodes.empty:
        return pd.DataFrame(columns=list(UNITS))
    end = (nodes["on"] + nodes["booting"] + nodes["asleep"]).max()
    prices = hourly_prices(cell).reindex(nodes["node"])
    changes = [pd.DataFrame({"time": [0.0, end], "booting": 0, "asleep": 0, "price": 0.0})]
    for time, sign in (("begin", 1), ("end", -1)) if len(states) else ():
        asleep = states["state"] == "asleep"
        changes.append(pd.DataFrame({
            "time": states[time], "booting": sign * (~asleep), "asleep": sign * asleep,
            "price": -sign * prices.reindex(states["node"]).to_numpy() * asleep}))
    spans = pd.concat(changes).astype(float).groupby("time").sum(min_count=1).cumsum().reset_index()
    spans = spans.assign(begin=spans["time"], end=spans["time"].shift(-1),
                         price=prices.sum(min_count=1) + spans["price"],
                         on=len(nodes) - spans["booting"] - spans["asleep"])
    return spans.loc[spans["end"] > spans["begin"], list(UNITS)].reset_index(drop=True)
