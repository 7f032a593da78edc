# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Reads result files, finished or `.part`, into pandas data frames."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable, Iterator, Mapping

import h5py
import numpy as np
import pandas as pd

SCHEMA = "mimus-results"
SCHEMA_VERSION = 1

# Columns that `table` puts in front of those of the file.
CELL_COLUMNS = ["cell", "label", "repetition"]


class ReadError(Exception):
    """A file that cannot be read; the message names it and what to do."""


def _text(value) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return str(value)


def _plain(value):
    """An attribute as str, int or float."""
    if isinstance(value, (bytes, str)):
        return _text(value)
    return value.item() if isinstance(value, np.generic) else value


def _texts(column: np.ndarray) -> np.ndarray:
    """Decodes each distinct text once: most columns have few."""
    codes, distinct = pd.factorize(column.astype(object))
    return np.array([_text(value) for value in distinct], dtype=object)[codes]


def _frame(dataset: h5py.Dataset) -> pd.DataFrame:
    # Records beyond `rows` belong to a flush that its writer did not survive.
    records = dataset[: int(dataset.attrs.get("rows", dataset.shape[0]))]
    frame = pd.DataFrame({name: records[name] for name in records.dtype.names})
    for name in records.dtype.names:
        if records.dtype[name].kind == "S" and len(records):
            frame[name] = _texts(records[name])
    units = [_text(unit) for unit in dataset.attrs["units"]]
    frame.attrs["units"] = dict(zip(records.dtype.names, units))
    return frame


class Tables(Mapping):
    """The tables of one file by name, each read when it is first asked for."""

    def __init__(self, path: Path, names: list[str]):
        self._path = path
        self._names = names
        self._read: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _load(self, name: str) -> pd.DataFrame:
        # A cell that was completed since has lost the end of its name.
        path = self._path if self._path.exists() else self._path.with_suffix("")
        try:
            with h5py.File(path, "r") as file:
                return _frame(file[name])
        except (OSError, KeyError) as error:
            raise ReadError(f"{path}: table {name} cannot be read: {error}") from error


class Cell:
    """One result file: a cell of a campaign in one repetition."""

    def __init__(self, path: Path, attributes: dict, tables: Mapping[str, pd.DataFrame],
                 config: str, command_line: str):
        self.path = path
        self.attributes = attributes
        self.tables = tables
        self.config = config
        self.command_line = command_line

    @property
    def id(self) -> str:
        """Id of the cell; the file's name where the file does not say."""
        return str(self.attributes.get("cell") or self.path.name.split(".h5")[0])

    @property
    def label(self) -> str:
        """Swept values, for people."""
        return str(self.attributes.get("label") or self.id)

    @property
    def repetition(self) -> int:
        return int(self.attributes.get("repetition") or 0)

    @property
    def status(self) -> str:
        return str(self.attributes.get("status", ""))

    def table(self, name: str) -> pd.DataFrame:
        """The table, or an empty frame when it was not recorded."""
        return self.tables[name] if name in self.tables else pd.DataFrame()

    def recorded(self, name: str) -> bool:
        """Whether the file has this table, with or without rows."""
        return name in self.tables


def _check_schema(path: Path, attributes: dict) -> None:
    if attributes.get("schema") != SCHEMA:
        raise ReadError(f"{path}: is an HDF5 file but no result file of Mimus")
    version = attributes.get("schema_version")
    if version != SCHEMA_VERSION:
        raise ReadError(f"{path}: has schema version {version}, this package reads version "
                        f"{SCHEMA_VERSION}; use the package of the Mimus that wrote it")


def load(path: str | Path) -> Cell:
    """Opens one file; its tables are read when they are asked for. Raises ReadError."""
    path = Path(path)
    try:
        with h5py.File(path, "r") as file:
            attributes = {name: _plain(value) for name, value in sorted(file.attrs.items())}
            _check_schema(path, attributes)
            tables = [name for name, item in file.items() if isinstance(item, h5py.Dataset)]
            config = _text(file["provenance/config_yaml"][()])
            command_line = _text(file["provenance/command_line"][()])
    except (OSError, KeyError) as error:
        raise ReadError(f"{path}: cannot be read as a result file: {error}") from error
    return Cell(path, attributes, Tables(path, tables), config, command_line)


def find(path: str | Path) -> list[Path]:
    """The result files of a folder, sorted by name; a `.part` only where no finished file is.

    A file stands for itself.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ReadError(f"{path}: is neither a result file nor a folder")
    finished = set(path.glob("*.h5"))
    parts = {part for part in path.glob("*.h5.part") if part.with_suffix("") not in finished}
    return sorted(finished | parts)


def load_all(paths: str | Path | Iterable[str | Path]) -> list[Cell]:
    """Reads files and folders of files. Raises ReadError when there is nothing to read."""
    if isinstance(paths, (str, Path)):
        paths = [paths]
    files = [file for path in paths for file in find(path)]
    if not files:
        raise ReadError(f"{', '.join(map(str, paths))}: holds no result files (*.h5)")
    return [load(file) for file in files]


def table(cells: Iterable[Cell], name: str) -> pd.DataFrame:
    """One table over all cells, with the columns cell, label and repetition in front."""
    frames = []
    for cell in cells:
        frame = cell.table(name).copy()
        if frame.empty:
            continue
        for place, value in enumerate((cell.id, cell.label, cell.repetition)):
            frame.insert(place, CELL_COLUMNS[place], value)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=CELL_COLUMNS)
