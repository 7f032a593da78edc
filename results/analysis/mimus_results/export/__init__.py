# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""One cell in the formats of other programs: what `mimus export` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, NamedTuple

from mimus_results.export import batsim, perfetto, swf, tables
from mimus_results.read import Cell, ReadError


class Format(NamedTuple):
    """A format in which a cell can be written."""

    summary: str
    ending: str  # of the default output file or folder
    write: Callable[[Cell, Path], list[str]]  # returns notes on what the format cannot represent


FORMATS = {
    "perfetto": Format("a trace for ui.perfetto.dev", ".perfetto.json", perfetto.write),
    "csv": Format("every table as CSV, in a folder", "-csv", tables.write_csv),
    "parquet": Format("every table as Parquet, in a folder", "-parquet", tables.write_parquet),
    "swf": Format("the jobs in the Standard Workload Format 2.2", ".swf", swf.write),
    "batsim": Format("the jobs as a workload of Batsim", ".batsim.json", batsim.write),
}


def default_output(cell: Cell, name: str) -> Path:
    """In the current folder, named after the result file."""
    return Path(cell.path.name.split(".h5")[0] + FORMATS[name].ending)


def chosen(cells: list[Cell], wanted: str | None) -> Cell:
    """The cell whose id is, or uniquely begins with, `wanted`. Raises ReadError."""
    found = [cell for cell in cells if wanted is None or cell.id.startswith(wanted)]
    exact = [cell for cell in found if cell.id == wanted]
    found = exact or found
    if len(found) == 1:
        return found[0]
    known = ", ".join(dict.fromkeys(cell.id for cell in cells))
    if not found:
        raise ReadError(f'no cell "{wanted}"; cells are: {known}')
    raise ReadError(f"{len(found)} cells fit; name one with --cell, or its file: "
                    + ", ".join(str(cell.path) for cell in found))
