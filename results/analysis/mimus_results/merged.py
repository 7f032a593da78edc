# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the merged file that `mimus campaign merge` writes: its cells, and where their rows are.

Rows are read from the files of the cells, beside which the merged file stands; a merged file that
was made with --copy and travels alone has the rows itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import h5py
import pandas as pd

from mimus_results.decode import frame_of, plain
from mimus_results.errors import ReadError
from mimus_results.read import Cell, Tables, load_cell, reading

SCHEMA = "mimus-campaign"
SCHEMA_VERSION = 1


class ListedCell(NamedTuple):
    """A row of the table `cells` of a merged file. `file` is "" unless the cell is done."""

    id: str
    label: str
    repetition: int
    state: str
    config_hash: str
    file: str


class MergedFile(NamedTuple):
    """A merged campaign: its name, the cells that could be read, and the others."""

    name: str
    cells: list[Cell]
    absent: list[ListedCell]


class CopiedTables(Tables):
    """The tables of one cell inside a merged file: `rows` are (first, count) by table."""

    def __init__(self, path: Path, rows: dict[str, tuple[int, int]]):
        super().__init__(path, list(rows))
        self._rows = rows

    def _load(self, names: list[str], most_rows: int | None) -> dict[str, pd.DataFrame]:
        return reading(self._path, lambda file: {
            name: frame_of(file["tables"][name], *self._rows[name]) for name in names
            if most_rows is None or self._rows[name][1] <= most_rows})


def is_merged(path: Path) -> bool:
    """Whether the file is a merged campaign; False for files that cannot be opened."""
    try:
        return reading(path, lambda file: plain(file.attrs.get("schema", ""))) == SCHEMA
    except ReadError:
        return False


def _listed(file: h5py.File) -> list[ListedCell]:
    records = file["cells"][: int(file["cells"].attrs.get("rows", len(file["cells"])))]
    names = ("cell", "label", "repetition", "state", "config_hash", "file")
    return [ListedCell(*(plain(record[name]) for name in names)) for record in records]


def _copied_rows(file: h5py.File) -> dict[int, dict[str, tuple[int, int]]]:
    """For each index into `cells`: first row and number of rows by table."""
    found: dict[int, dict[str, tuple[int, int]]] = {}
    for table, ranges in file["rows"].items():
        for record in ranges[:]:
            found.setdefault(int(record["cell"]), {})[table] = (int(record["first"]),
                                                                int(record["count"]))
    return found


def _copied_cell(path: Path, listed: ListedCell, rows: dict[str, tuple[int, int]],
                 campaign: str, metrics: pd.DataFrame) -> Cell:
    attributes = {"cell": listed.id, "label": listed.label, "repetition": listed.repetition,
                  "config_hash": listed.config_hash, "campaign": campaign, "status": "complete"}
    cell = Cell(path, attributes, CopiedTables(path, rows))
    is_its = (metrics["cell"] == listed.id) & (metrics["repetition"] == listed.repetition)
    cell.merged_figures = metrics.loc[is_its, ["metric", "value", "unit"]].reset_index(drop=True)
    return cell


def load_merged(path: Path) -> MergedFile:
    """Opens a merged file and the files of its cells. Raises ReadError."""

    def content(file: h5py.File) -> tuple:
        version = plain(file.attrs.get("schema_version"))
        if version != SCHEMA_VERSION:
            raise ReadError(f"{path}: has campaign schema version {version}, this package "
                            f"reads version {SCHEMA_VERSION}; merge again with your Mimus")
        is_copied = plain(file.attrs.get("storage")) == "copied"
        return (str(plain(file.attrs.get("campaign", ""))), _listed(file),
                _copied_rows(file) if is_copied else {}, str(plain(file.attrs.get("measure", ""))),
                frame_of(file["metrics"]) if is_copied else pd.DataFrame())
    try:
        name, listed, copied, measure, metrics = reading(path, content)
    except ValueError as error:
        raise ReadError(f"{path}: cannot be read as a merged campaign: {error}; merge again") from error
    cells, absent = [], []
    for index, cell in enumerate(listed):
        if cell.file and (path.parent / cell.file).is_file():
            cells.append(load_cell(path.parent / cell.file))
        elif index in copied:
            cells.append(_copied_cell(path, cell, copied[index], name, metrics))
        else:
            absent.append(cell)
    for cell in cells if measure else ():
        cell.attributes["measure"] = measure
    if not cells:
        raise ReadError(f"{path}: none of its {len(listed)} cells has a result file beside it; "
                        "keep them together, or merge with --copy")
    return MergedFile(name, cells, absent)
