# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Frames over cells: concatenated frames of single cells, with the columns of the cell in front."""

from __future__ import annotations

from typing import Iterable, Mapping

import pandas as pd

from mimus_results.read import Cell

CELL_COLUMNS = ["cell", "label", "repetition"]


def identified(cell: Cell, frame: pd.DataFrame) -> pd.DataFrame:
    """A copy with cell, label, repetition, the measured window if any, and the swept values in
    front."""
    columns = dict(zip(CELL_COLUMNS, (cell.id, cell.label, cell.repetition)))
    if cell.measured:
        columns["measured"] = cell.measured
    columns |= {path: value for path, value in cell.swept.items() if path not in frame}
    front = pd.DataFrame({name: [value] * len(frame) for name, value in columns.items()})
    return pd.concat([front, frame.reset_index(drop=True)], axis=1)


def of_window(rows: pd.DataFrame, cell: Cell) -> pd.DataFrame:
    """The rows of the whole run that belong to jobs that the window of `cell` measures."""
    return rows[rows["job"].isin(cell.table("jobs")["job"])].reset_index(drop=True)


def below_each_other(parts: list[pd.DataFrame], units: Mapping[str, str]) -> pd.DataFrame:
    """Concatenates the frames of several cells, with the units of the columns in `attrs`."""
    found = (pd.concat(parts, ignore_index=True) if parts
             else pd.DataFrame(columns=[*CELL_COLUMNS, *units]))
    found.attrs["units"] = dict(units)
    return found


def table(cells: Iterable[Cell], name: str) -> pd.DataFrame:
    """One table over all cells, with cell, label, repetition and the swept values in front."""
    frames = [(cell, cell.table(name)) for cell in cells]
    frames = [(cell, frame) for cell, frame in frames if not frame.empty]
    units = frames[0][1].attrs.get("units", {}) if frames else {}
    return below_each_other([identified(cell, frame) for cell, frame in frames], units)
