# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of a cell. None is computed here: the program does it and writes them into every result
file; what they are called, their units and formulas stand in metrics.json, which it writes, too
(`mimus schema metrics`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
import pandas as pd

from mimus_results import program
from mimus_results.read import Cell
from mimus_results.tidy import CELL_COLUMNS, below_each_other, identified


class Metric(NamedTuple):
    """Describes a figure: its unit ("" for a plain number or a fraction), and which values are
    better.

    `better` is -1 where less is better, 1 where more is, 0 where neither is. Shares are parts of a
    whole, shown in per cent. The heading is short, for tables.
    """

    name: str
    unit: str
    better: int
    title: str
    heading: str
    is_share: bool
    formula: str


_DECLARED = json.loads((Path(__file__).parent / "metrics.json").read_text(encoding="utf-8"))
_BETTER = {"lower": -1, "neither": 0, "higher": 1}

METRICS = {one["name"]: Metric(**{**one, "better": _BETTER[one["better"]]})
           for one in _DECLARED["metrics"]}
# Causes of waits in the order in which every report draws them.
CAUSES = _DECLARED["causes"]
# Classes of jobs by requested GPUs (Jeon et al., USENIX ATC 2019).
GANG_CLASSES = _DECLARED["gang_classes"]
# A host that was late for a larger share of the step time did not emulate the stated cluster.
LATE_SHARE = _DECLARED["late_share"]


def of_cell(cell: Cell) -> dict[str, float]:
    """All figures of a cell that are known, by name, in the order of METRICS.

    Files of versions that did not write them are summed up by the program. Raises ReadError.
    """
    if "figures" not in cell.memo:
        rows = cell.table("figures") if cell.recorded("figures") else program.table(cell, "figures")
        known = rows[np.isfinite(rows["value"])] if len(rows) else rows
        cell.memo["figures"] = dict(zip(known["metric"], known["value"])) if len(known) else {}
    found = cell.memo["figures"]
    if not found.get("jobs", 0) > 0:  # no job has ended
        return {}
    return {name: float(found[name]) for name in METRICS if name in found}


def frame(cells: list[Cell], of: Callable[[Cell], dict[str, float]] = of_cell) -> pd.DataFrame:
    """Tidy: one row per complete cell and metric: cell, label, repetition, swept values, seed,
    metric, value, unit, late (whether the host could not keep the pace)."""
    parts = []
    for cell in cells:
        known = of(cell) if cell.is_complete else {}
        if known:
            late = known.get("late_share", 0.0) > LATE_SHARE
            parts.append(identified(cell, pd.DataFrame({
                "seed": cell.seed, "metric": list(known), "value": list(known.values()),
                "unit": [METRICS[name].unit for name in known], "late": late})))
    found = below_each_other(parts, {"value": "see the column unit"})
    return found if parts else found.reindex(
        columns=[*CELL_COLUMNS, "seed", "metric", "value", "unit", "late"])


def lost_text(cell: Cell) -> str:
    """How many GPUs had lost their workers when the cell ended: "" or e.g. "lost 1 GPU"."""
    lost = float(cell.attributes.get("gpus_lost", 0))
    if not lost > 0:  # NaN while the cell is running
        return ""
    return f"lost {lost:.0f} GPU" + ("s" if lost > 1 else "")


def is_late(cell: Cell) -> bool:
    """Whether the cell's host could not keep the pace. Always False for a virtual cell."""
    return of_cell(cell).get("late_share", 0.0) > LATE_SHARE
