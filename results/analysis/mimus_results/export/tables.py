# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Writes every table of a cell to a separate file in a folder."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mimus_results.read import Cell, ReadError


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReadError(f"{path}: cannot be made a folder: {error.strerror}") from error
    return path


def write_csv(cell: Cell, path: Path) -> list[str]:
    """Writes one TABLE.csv per table, and columns.csv with the unit of every column."""
    folder = _folder(path)
    units = []
    for name, frame in cell.tables.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
        units += [(name, column, frame.attrs["units"][column]) for column in frame.columns]
    pd.DataFrame(units, columns=["table", "column", "unit"]).to_csv(folder / "columns.csv",
                                                                    index=False)
    return []


def write_parquet(cell: Cell, path: Path) -> list[str]:
    """Writes one TABLE.parquet per table. Units are metadata of the fields, the cell's
    attributes those of the file."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ReadError(f"Parquet needs pyarrow ({error}): in a virtual environment with Mimus's "
                        "Python, pip install 'pyarrow<21', and name it with MIMUS_PYTHON") from error
    folder = _folder(path)
    facts = {key: str(value) for key, value in cell.attributes.items()}
    for name, frame in cell.tables.items():
        table = pyarrow.Table.from_pandas(frame, preserve_index=False)
        fields = [field.with_metadata({"unit": frame.attrs["units"][field.name]})
                  for field in table.schema]
        schema = pyarrow.schema(fields, metadata={**(table.schema.metadata or {}), **facts})
        pyarrow.parquet.write_table(table.cast(schema), folder / f"{name}.parquet")
    return []
