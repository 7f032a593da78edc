# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The origin of the results: software, machine, configuration, command."""

from __future__ import annotations

import math

from mimus_results.read import Cell
from mimus_results.report import html
from mimus_results.report.facts import Facts

# Attributes that differ in every cell. The table of cells shows them, or they are not of interest.
OWN = {"cell", "label", "repetition", "status", "status_reason", "config_hash", "seed", "date",
       "wall_seconds", "schema", "late_share", "off_solo_median", "useful_seconds", "policy", "swept"}
MOST_VALUES = 4


def _values(cells: list[Cell], name: str) -> str:
    found = list(dict.fromkeys(str(cell.attributes.get(name, "")) for cell in cells))
    found = [value for value in found if value]
    more = f" and {len(found) - MOST_VALUES} more" if len(found) > MOST_VALUES else ""
    return ", ".join(found[:MOST_VALUES]) + more


def _dates(cells: list[Cell]) -> str:
    found = sorted(str(cell.attributes["date"]) for cell in cells if cell.attributes.get("date"))
    return f"{found[0]} to {found[-1]}" if found else ""


def _wall(cells: list[Cell]) -> str:
    said = [float(cell.attributes.get("wall_seconds", math.nan)) for cell in cells]
    known = [seconds for seconds in said if not math.isnan(seconds)]
    return f"{html.signed(sum(known))} in {len(known)} cells" if known else ""


def _failures(cells: list[Cell]) -> html.Markup:
    rows = [[html.words(cell.label), html.figure(cell.repetition), html.words(cell.status),
             html.words(cell.attributes.get("status_reason", ""))]
            for cell in cells if cell.status != "complete"]
    if not rows:
        return html.NOTHING
    return html.heading("Cells that are not complete") + html.table(
        ["cell", "repetition", "state", "why"], rows, "Cells that are not complete", len(rows) > 12)


def section(facts: Facts) -> html.Section:
    cells = facts.cells
    names = sorted({name for cell in cells for name in cell.attributes} - OWN)
    said = {name.replace("_", " "): _values(cells, name) for name in names}
    said |= {"written": _dates(cells), "wall time": _wall(cells),
             "seeds": f"{len({cell.seed for cell in cells})} different"}
    body = html.facts(said.items()) + _failures(cells)
    first = cells[0]
    body += html.details("Command", html.preformatted(first.command_line))
    body += html.details(f"Resolved configuration of {first.id}",
                         html.preformatted(first.config))
    return html.Section("provenance", "Provenance", body + html.note(
        "Configuration, seed and provenance of every cell stand in its file."))
