# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Which job held which lane of which GPU when: data for assets/timeline.js."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results import nodes
from mimus_results.figures import node_states, repetitions
from mimus_results.figures.timeline import RUN_TIME, caps, first_pause, pauses
from mimus_results.read import Cell
from mimus_results.report import choose, html
from mimus_results.report.facts import Facts

# Number of ticks of a timeline, in which begins and ends are expressed.
TICKS = 100_000


def _lanes(placements: pd.DataFrame, gpus: pd.DataFrame) -> pd.DataFrame:
    """One row per lane in use and per unused GPU, in order; at most MOST_GPUS GPUs."""
    lanes = placements[["node", "gpu", "lane"]].drop_duplicates()
    if not gpus.empty:
        idle = gpus.loc[~gpus["gpu"].isin(lanes["gpu"]), ["node", "gpu"]].assign(lane=-1)
        lanes = pd.concat([lanes, idle])
    lanes = lanes.sort_values(["node", "gpu", "lane"]).reset_index(drop=True)
    kept = lanes["gpu"].drop_duplicates().head(choose.MOST_GPUS)
    return lanes[lanes["gpu"].isin(kept)].reset_index(drop=True)


def _on_lanes(spans: pd.DataFrame, lanes: pd.DataFrame) -> pd.DataFrame:
    """The spans on these lanes, with their rows."""
    used = lanes[lanes["lane"] >= 0]
    rows = pd.Series(used.index, index=used["lane"])
    return spans.assign(row=spans["lane"].map(rows)).dropna(subset=["row"])


def _bars(placements: pd.DataFrame, lanes: pd.DataFrame) -> pd.DataFrame:
    """The placements on these lanes. If there are too many, the longest ones."""
    bars = _on_lanes(placements, lanes)
    if len(bars) > choose.MOST_BARS:
        longest = (bars["end"] - bars["begin"]).nlargest(choose.MOST_BARS).index
        bars = bars.loc[longest].sort_values("begin")
    return bars


def _note(cell: Cell, placements: pd.DataFrame, bars: pd.DataFrame, lanes: pd.DataFrame) -> str:
    parts = []
    gpus = max(len(cell.table("gpus")), placements["gpu"].nunique())
    if lanes["gpu"].nunique() < gpus:
        parts.append(f"the first {lanes['gpu'].nunique()} of {gpus} GPUs")
    on_lanes = int(placements["lane"].isin(lanes["lane"]).sum())
    if len(bars) < on_lanes:
        parts.append(f"the {len(bars)} longest of {on_lanes} placements")
    return f"Shown: {' and '.join(parts)}." if parts else ""


def _ticks(seconds: pd.Series, tick: float) -> list[int]:
    return (seconds / tick).round().astype(int).tolist()


def _nodes(cell: Cell, lanes: pd.DataFrame, tick: float) -> dict[str, list[int]]:
    """Spans for which nodes of these lanes took no jobs, as columns of integers."""
    spans = node_states.spans(cell)
    spans = spans[spans["node"].isin(lanes["node"])]
    begins = _ticks(spans["begin"], tick)
    place = {state: at for at, state in enumerate(node_states.NAMES)}
    return {"node": spans["node"].astype(int).tolist(),
            "state": [place[state] for state in spans["state"]], "begin": begins,
            "length": [end - begin for begin, end in zip(begins, _ticks(spans["end"], tick))]}


def _pale(cell: Cell, bars: pd.DataFrame, lanes: pd.DataFrame, tick: float) -> dict[str, list[int]]:
    """Parts of bars whose attempts were suspended or capped, as columns of integers; `share` of the
    bar's height, from its top [%]."""
    spans = pd.concat([caps(cell).assign(share=lambda capped: 1 - capped["cap"]),
                       pauses(cell).assign(share=1.0)])
    spans = _on_lanes(spans[spans["attempt"].isin(bars["attempt"])], lanes)
    begins = _ticks(spans["begin"], tick)
    return {"row": spans["row"].astype(int).tolist(), "begin": begins,
            "length": [end - begin for begin, end in zip(begins, _ticks(spans["end"], tick))],
            "share": (100 * spans["share"]).round().astype(int).tolist()}


def timeline_of(cell: Cell, models: list[str]) -> dict | None:
    """One cell as columns of integers; None without placements."""
    placements = cell.table("placements")
    if placements.empty:
        return None
    jobs = cell.table("jobs")
    model_of = dict(zip(jobs["job"], jobs["model"])) if not jobs.empty else {}
    lanes = _lanes(placements, cell.table("gpus"))
    bars = _bars(placements, lanes)
    last = float(placements["end"].max()) or 1.0
    tick = last / TICKS
    begins = _ticks(bars["begin"], tick)
    names = [model_of.get(job, "unknown") or RUN_TIME for job in bars["job"]]
    models += sorted(set(names) - set(models))
    place = {name: at for at, name in enumerate(models)}
    types = nodes.gpu_types(cell)
    return {
        "name": repetitions.named(cell),
        "end": last, "tick": tick,
        "type": [types[node] for node in lanes["node"]] if types else [],
        "node": lanes["node"].tolist(), "gpu": lanes["gpu"].tolist(),
        "row": bars["row"].astype(int).tolist(), "begin": begins,
        "length": np.maximum(np.array(_ticks(bars["end"], tick)) - begins, 0).tolist(),
        "pale": _pale(cell, bars, lanes, tick),
        "head": np.maximum(np.array(_ticks(first_pause(bars, pauses(cell)), tick)) - begins,
                           0).tolist(),
        "job": bars["job"].tolist(), "model": [place[name] for name in names],
        "nodes": _nodes(cell, lanes, tick),
        "note": _note(cell, placements, bars, lanes)}


def section(facts: Facts) -> html.Section:
    title = "GPUs over time"
    models: list[str] = []
    found = [timeline for timeline in (timeline_of(cell, models) for cell in facts.detailed_runs)
             if timeline]
    if not found:
        return html.Section("timeline", title, html.empty(
            "No placements were recorded (record: full or jobs keeps them), or no attempt has "
            "ended."))
    body = html.timeline({"models": models, "states": node_states.NAMES, "cells": found}) + html.note(
        "Each GPU is a band, each tenant a line in it; colours are models, numbers are jobs; what is "
        "suspended is pale, and a capped tenant is as high as its share of the GPU's time. Nodes "
        "that take no jobs are grey or hatched. Zoom: Ctrl and wheel, pinch, + and − (after a click "
        "the wheel alone will do). Move: drag, "
        "arrows. " + choose.sentence(len(found), len(facts.labels), "labels"))
    return html.Section("timeline", title, body)
