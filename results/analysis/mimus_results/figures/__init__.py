# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures for papers. One module per figure; each has `draw(cells, folder)`, which returns the
files it wrote and notes on what it left out."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable

from mimus_results import metrics
from mimus_results.figures import (allocation, batches, comparison, decisions, fairness, goodput, interference,
                                   intervals, jct, load, queueing, queueing_by_gang, style,
                                   timeline, utilisation)
from mimus_results.read import Cell

#: What happened in single cells, complete or not, over the whole run; all others are drawn of
#: complete cells, and of what is measured.
OF_CELLS = {"utilisation", "goodput", "batches", "timeline"}
#: Of more cells than this timelines are drawn only where they are asked for.
MOST_TIMELINES = 8

FIGURES = {
    "comparison": comparison.draw,
    "intervals": intervals.draw,
    "load": load.draw,
    "allocation": allocation.draw,
    "jct": jct.draw,
    "queueing": queueing.draw,
    "queueing_by_gang": queueing_by_gang.draw,
    "fairness": fairness.draw,
    "utilisation": utilisation.draw,
    "interference": interference.draw,
    "goodput": goodput.draw,
    "batches": batches.draw,
    "decisions": decisions.draw,
    "timeline": timeline.draw,
}


def draw(cells: list[Cell], folder: Path, names: Iterable[str] | None = None,
         formats: Iterable[str] = ("png", "pdf"), width: float | None = None,
         font_size: float = 10.0) -> dict[str, style.Drawing]:
    """Draws the named figures as png, pdf or svg; the files of each, and notes on what is missing.

    Without names all of them, but no timelines of many cells. `width` [inch] is that of every
    figure, `font_size` [points] that of its type.
    """
    late = list(dict.fromkeys(cell.label for cell in cells if metrics.is_late(cell)))
    with style.drawn_with(style.Settings(tuple(formats), width, font_size, late)):
        return {name: _drawn(name, cells, folder, names is not None, late)
                for name in (FIGURES if names is None else names)}


def _drawn(name: str, cells: list[Cell], folder: Path, is_named: bool,
           late: list[str]) -> style.Drawing:
    used = ([cell.whole for cell in cells] if name in OF_CELLS
            else [cell for cell in cells if cell.is_complete])
    if not used:
        return style.skip("No cell is complete yet.")
    if name == "timeline" and not is_named and len(used) > MOST_TIMELINES:
        return style.skip(f"{len(used)} cells: --only timeline draws one of each.")
    windows = dict.fromkeys(cell.measured for cell in used if cell.measured)
    with style.measured(", ".join(windows)):
        drawing = FIGURES[name](used, folder)
    if late and drawing.files:
        drawing.notes.append("Late, as the host could not keep the pace: " + ", ".join(late) + ".")
    return drawing


__all__ = ["FIGURES", "OF_CELLS", "draw"]
