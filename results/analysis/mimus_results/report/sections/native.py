# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What was real in these cells, what was emulated, and what was computed by a formula."""

from __future__ import annotations

import pandas as pd

from mimus_results.read import Cell
from mimus_results.report import html
from mimus_results.report.facts import Facts

FACTS = {
    "native": "native: happened for real",
    "emulated": "emulated: real work, paced",
    "modelled": "modelled: a formula",
    "device": "device",
    "collective": "collectives",
    "gpu": "GPU type",
    "pace": "pace",
    "time_scale": "emulated seconds per wall second",
    "work_scale": "work divided by",
    "step_time": "step-time model",
    "interference": "interference model",
}
UNKNOWN_ENGINE = "unknown"


def _values(cells: list[Cell], name: str) -> str:
    found = list(dict.fromkeys(str(cell.attributes[name]) for cell in cells
                               if cell.attributes.get(name, "") != ""))
    return ", ".join(found[:6]) + (f" and {len(found) - 6} more" if len(found) > 6 else "")


def _pace(cells: list[Cell]) -> str:
    """How well the host kept the pace, if the files state it without their steps."""
    lates = [late for late in map(_late_share, cells) if late is not None]
    if not lates:
        return ""
    return f"late for {100 * max(lates):.2g} % of the step time in the worst of {len(lates)} cells"


def _late_share(cell: Cell) -> float | None:
    if cell.attributes.get("late_share") is not None:
        return float(cell.attributes["late_share"])
    return None


def _late_of_steps(cells: list[Cell]) -> str:
    steps = pd.concat([cell.whole.table("steps") for cell in cells] or [pd.DataFrame()])
    if steps.empty or not (steps["step_mean"] * steps["steps"]).sum() > 0:
        return ""
    late = (steps["late"] * steps["steps"]).sum() / (steps["step_mean"] * steps["steps"]).sum()
    looked_at = html.count(len(cells), "cell")
    return f"late for {100 * late:.2g} % of the step time in {looked_at} looked at"


def _oracles(cells: list[Cell]) -> str:
    asked = {}
    for cell in cells:
        policy = str(cell.attributes.get("policy", ""))
        by_name = "estimate" if "oracle" in policy else "none"  # in results without the attribute
        seams = str(cell.attributes.get("oracle", by_name))
        if seams != "none":
            asked[policy] = seams
    if not asked:
        return "belief only: no policy asks an oracle"
    who = "; ".join(f"{policy} ({seams})" for policy, seams in sorted(asked.items()))
    return f"the truth, from an oracle: {who}"


def section(facts: Facts) -> html.Section:
    engines: dict[str, list[Cell]] = {}
    for cell in facts.cells:
        engines.setdefault(str(cell.attributes.get("engine", UNKNOWN_ENGINE)), []).append(cell)
    body = html.NOTHING
    for engine, cells in engines.items():
        lines = {words: _values(cells, name) for name, words in FACTS.items()}
        if engine == "live":
            detailed = [cell for cell in facts.detailed if cell in cells]
            lines["host kept the pace"] = _pace(cells) or _late_of_steps(detailed)
        lines["what policies knew"] = _oracles(cells)
        title = f"Engine {engine}: {html.count(len(cells), 'cell')}"
        body += html.heading(title) + html.facts(lines.items())
    if list(engines) == [UNKNOWN_ENGINE]:
        body = html.empty("The files do not say which engine wrote them.") + body
    return html.Section("native", "What was emulated and what was native", body)
