# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Which job held which GPU lane when: one figure per cell."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.patches import Patch

from mimus_results import nodes, totals
from mimus_results.figures import node_states, repetitions, style
from mimus_results.read import Cell

# Above this number of jobs or GPUs, a timeline would be unreadable.
MOST_JOBS = 2000
MOST_GPUS = 128
# Above this number, cells are counted and not named.
MOST_NAMES = 4
# Name of a job without a model, as in `pairs`.
RUN_TIME = "run time"
# Above this number, lanes have no ticks.
MOST_TICKS = 48


def _placements(cell: Cell) -> pd.DataFrame:
    placements = cell.table("placements")
    if placements.empty:
        return placements
    jobs = cell.table("jobs")
    models = dict(zip(jobs["job"], jobs["model"])) if not jobs.empty else {}
    placements = placements.copy()
    placements["model"] = [models.get(job, "unknown") or RUN_TIME for job in placements["job"]]
    return placements


def pauses(cell: Cell) -> pd.DataFrame:
    """Spans for which the attempt on a lane was suspended: attempt, lane, begin, end."""
    suspensions = cell.table("suspensions")
    if suspensions.empty:
        return pd.DataFrame({"attempt": [], "lane": [], "begin": [], "end": []})
    lanes = cell.table("placements")[["attempt", "lane"]]
    return suspensions.merge(lanes, on="attempt")[["attempt", "lane", "begin", "end"]]


def caps(cell: Cell) -> pd.DataFrame:
    """Spans for which the attempt on a lane was capped: attempt, lane, begin, end, cap."""
    columns = ["attempt", "lane", "begin", "end", "cap"]
    limits = cell.table("limits")
    if limits.empty:
        return pd.DataFrame({column: [] for column in columns})
    lanes = cell.table("placements")[["attempt", "lane"]]
    return limits[limits["cap"] < 1].merge(lanes, on="attempt")[columns]


def first_pause(placements: pd.DataFrame, suspended: pd.DataFrame) -> pd.Series:
    """When each placement was suspended first, or ended."""
    first = suspended.groupby("attempt")["begin"].min()
    return placements["attempt"].map(first).fillna(placements["end"])


def _rows(placements: pd.DataFrame, gpus: pd.DataFrame) -> pd.DataFrame:
    """One row of the figure per lane in use, and one per GPU that was never used."""
    lanes = placements[["node", "gpu", "lane"]].drop_duplicates()
    if not gpus.empty:
        idle = gpus.loc[~gpus["gpu"].isin(lanes["gpu"]), ["node", "gpu"]].assign(lane=-1)
        lanes = pd.concat([lanes, idle])
    return lanes.sort_values(["node", "gpu", "lane"]).reset_index(drop=True)


def _separate(axes, rows: pd.DataFrame) -> None:
    for below in range(1, len(rows)):
        if rows["node"][below] != rows["node"][below - 1]:
            axes.axhline(below - 0.5, color="black", linewidth=1.0)
        elif rows["gpu"][below] != rows["gpu"][below - 1]:
            axes.axhline(below - 0.5, color="#BBBBBB", linewidth=0.6)


def _label_rows(axes, rows: pd.DataFrame, types: dict[int, str]) -> None:
    """Names each GPU once, in the middle of its lanes. `types`: of nodes, as nodes.gpu_types()."""
    groups = rows.groupby(["node", "gpu"], sort=False)
    name_of = {node: f"{types[node]} · node {node}" if node in types else f"node {node}"
               for node in rows["node"]}
    ticks = [(group.index.values.mean(), f"{name_of[node]} · GPU {gpu}")
             for (node, gpu), group in groups]
    if len(ticks) > MOST_TICKS:
        groups = rows.groupby("node", sort=False)
        ticks = [(group.index.values.mean(), name_of[node]) for node, group in groups]
    axes.set_yticks([at for at, _ in ticks], [name for _, name in ticks])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def _bars(axes, placements: pd.DataFrame, rows: pd.DataFrame, fills: dict) -> None:
    place = {lane: at for at, lane in enumerate(rows["lane"]) if lane >= 0}
    for model, bars in placements.groupby("model"):
        for lane, of_lane in bars.groupby("lane"):
            spans = list(zip(of_lane["begin"], of_lane["end"] - of_lane["begin"]))
            axes.broken_barh(spans, (place[lane] - 0.42, 0.84), linewidth=0.7, **fills[model])


def _pale(axes, spans: pd.DataFrame, rows: pd.DataFrame, share: float = 1.0) -> None:
    """Pales the upper part of bars, such a share of their height."""
    place = {lane: at for at, lane in enumerate(rows["lane"]) if lane >= 0}
    for lane, of_lane in spans.groupby("lane"):
        axes.broken_barh(list(zip(of_lane["begin"], of_lane["end"] - of_lane["begin"])),
                         (place[lane] - 0.42, 0.84 * share), facecolor="white", alpha=0.75, linewidth=0)


def _number_jobs(axes, placements: pd.DataFrame, suspended: pd.DataFrame, rows: pd.DataFrame,
                 fills: dict) -> None:
    """Writes the job's number into every bar that is wide enough for it before its first pause."""
    place = {lane: at for at, lane in enumerate(rows["lane"])}
    span = placements["end"].max() - placements["begin"].min()
    until = first_pause(placements, suspended)
    for bar, end in zip(placements.itertuples(), until):
        text = str(bar.job)
        if end - bar.begin > span * 0.014 * len(text) and len(rows) <= MOST_TICKS:
            axes.text((bar.begin + end) / 2, place[bar.lane], text, ha="center", va="center",
                      fontsize=style.size(7), clip_on=True,
                      color=style.text_colour(fills[bar.model]["facecolor"]))


def reason_to_skip(cell: Cell) -> str:
    """Why the cell has no timeline, or "" if it has one."""
    jobs = int(totals.totals(cell).get(("jobs", "all"), 0))
    gpus = len(cell.table("gpus"))
    if not cell.recorded("placements"):
        return "no placements were recorded (record: full or jobs keeps them)"
    if jobs > MOST_JOBS:
        return f"{jobs} jobs, more than the {MOST_JOBS} that a reader could distinguish"
    if gpus > MOST_GPUS:
        return f"{gpus} GPUs, more than the {MOST_GPUS} that a reader could distinguish"
    return "" if len(cell.table("placements")) else "no attempt has ended yet"


def draw_cell(cell: Cell, models: list[str], folder: Path, name: str) -> style.Drawing:
    """Draws one cell; `models` are those of all cells, so that colours agree between figures."""
    placements = _placements(cell)
    rows = _rows(placements, cell.table("gpus"))
    fig, axes = style.figure(9.0, min(18.0, max(3.0, 1.6 + 0.21 * len(rows))))
    axes.set_title(f"Jobs on GPU lanes: {repetitions.named(cell)}")
    fills = style.fills(models)
    divisor, unit = style.time_unit(placements["end"].max())
    placements[["begin", "end"]] /= divisor
    suspended = pauses(cell)
    suspended[["begin", "end"]] /= divisor
    states = node_states.spans(cell)
    states[["begin", "end"]] /= divisor
    node_states.draw(axes, states, rows)
    _bars(axes, placements, rows, fills)
    _pale(axes, suspended, rows)
    capped = caps(cell)
    capped[["begin", "end"]] /= divisor
    for cap, spans in capped.groupby("cap"):
        _pale(axes, spans, rows, share=1.0 - cap)
    _number_jobs(axes, placements, suspended, rows, fills)
    _separate(axes, rows)
    _label_rows(axes, rows, nodes.gpu_types(cell))
    axes.set_xlim(left=0)
    pale = "" if suspended.empty else ", pale: suspended"
    low = "" if capped.empty else ", low: capped at that share of the GPU's time"
    axes.set_xlabel(f"time [{unit}]; numbers are jobs{pale}{low}")
    shown = sorted(placements["model"].unique())
    patches, names = node_states.keys(states)
    style.legend_below(axes, [Patch(**fills[model]) for model in shown] + patches, shown + names)
    return style.save(fig, folder, name)


def _some(labels: list[str]) -> str:
    return ", ".join(labels) if len(labels) <= MOST_NAMES else f"{len(labels)} cells"


def draw(cells: list[Cell], folder: Path) -> style.Drawing:
    reasons = {cell: reason_to_skip(cell) for cell in cells}
    drawn = [cell for cell in cells if not reasons[cell]]
    models = sorted({model for cell in drawn for model in _placements(cell)["model"]})
    files = []
    for cell in drawn:
        name = f"timeline-{cell.path.name.split('.h5')[0]}"
        files += draw_cell(cell, models, folder, name).files
    # Cells with the same reason share a line.
    by_reason: dict[str, list[str]] = {}
    for cell, reason in reasons.items():
        if reason:
            by_reason.setdefault(reason, []).append(cell.label)
    return style.Drawing(files, [f"{_some(labels)}: {reason}."
                                 for reason, labels in by_reason.items()])
