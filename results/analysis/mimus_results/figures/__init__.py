# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures for papers. One module per figure; each has `draw(cells, folder)`, which returns the
files it wrote and notes on what it left out."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable

from mimus_results.figures import (batches, comparison, decisions, fairness, goodput, interference,
                                   intervals, jct, queueing, queueing_by_gang, style, timeline,
                                   utilisation)
from mimus_results.read import Cell

#: What happened in single cells, complete or not; all others are drawn of complete cells.
OF_CELLS = {"utilisation", "goodput", "batches", "timeline"}

FIGURES = {
    "comparison": comparison.draw,
    "intervals": intervals.draw,
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


def draw(cells: list[Cell], folder: Path, names: Iterable[str] = tuple(FIGURES),
         formats: Iterable[str] = ("png", "pdf")) -> dict[str, style.Drawing]:
    """Draws the named figures as png, pdf or svg; the files of each, and notes on what is
    missing."""
    with style.written_as(formats):
        return {name: _drawn(name, cells, folder) for name in names}


def _drawn(name: str, cells: list[Cell], folder: Path) -> style.Drawing:
    used = [cell for cell in cells if name in OF_CELLS or cell.is_complete]
    return FIGURES[name](used, folder) if used else style.skip("No cell is complete yet.")


__all__ = ["FIGURES", "OF_CELLS", "draw"]
