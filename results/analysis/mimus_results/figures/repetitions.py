# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Quantities over time are drawn for one repetition only: a mean over several repetitions would
show a course that none of them had, and curves of all of them could not be distinguished."""

from __future__ import annotations

from typing import Iterable

from mimus_results import totals
from mimus_results.metrics import is_late, lost_text
from mimus_results.read import Cell


def first_of_label(cells: Iterable[Cell]) -> dict[str, Cell]:
    """The first repetition of each label, preferably a complete one."""
    cells = list(cells)
    found: dict[str, Cell] = {}
    for cell in sorted(cells, key=lambda cell: not cell.is_complete):
        found.setdefault(cell.label, cell)
    return {label: found[label] for label in totals.labels(cells)}


def titled(title: str, cells: list[Cell]) -> str:
    """The title of a figure of first repetitions, which says so if there are others."""
    return title + (", first repetition" if len(totals.labels(cells)) < len(cells) else "")


def named(cell: Cell) -> str:
    """The label of a cell, with its repetition unless it is the first, whether it is late, and
    lost GPUs."""
    said = [f"repetition {cell.repetition}"] if cell.repetition else []
    said += ["late"] if is_late(cell) else []
    said += [lost_text(cell)] if lost_text(cell) else []
    return cell.label + (f" ({', '.join(said)})" if said else "")
