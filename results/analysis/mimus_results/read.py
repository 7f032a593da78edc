# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Reads result files, finished or `.part`, into pandas data frames."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Callable, Iterable, Iterator, Mapping, TypeVar

import h5py
import pandas as pd

from mimus_results import checksums, isolated
from mimus_results.decode import frame_of, plain, text_of
from mimus_results.errors import REMEDY, ReadError
from mimus_results.sweep import SEPARATOR

SCHEMA = "mimus-results"
SCHEMA_VERSION = 1

# The file that `mimus campaign merge` writes into the folder of the cells.
MERGED_NAME = "campaign.h5"

T = TypeVar("T")


def _number_or_text(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:
        return value


def present(path: Path) -> Path:
    """The present name of a file, which loses its suffix when the cell is completed."""
    return path if path.exists() else path.with_suffix("")


def reading(path: Path, act: Callable[[h5py.File], T]) -> T:
    """The result of `act` on the open file. Raises ReadError.

    A file with checksums is compared with them first. One without, as it is still written, was left
    by a crash or is of an earlier version, is read by a child process: `act` must return what can be
    pickled.
    """
    path = present(path)
    if checksums.verify(path):
        return _acted(path, act)
    return isolated.call(path, lambda: _acted(path, act))


def _acted(path: Path, act: Callable[[h5py.File], T]) -> T:
    try:
        with h5py.File(path, "r") as file:
            return act(file)
    except (OSError, KeyError) as error:
        raise ReadError(f"{path}: cannot be read as a result file: {error}; {REMEDY}") from error


class Tables(Mapping):
    """The tables of one file by name. Each is read when it is first used."""

    def __init__(self, path: Path, names: list[str]):
        self._path = path
        self._names = names
        self._read: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self.fetch([name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names  # without reading the table

    def fetch(self, names: Iterable[str], most_rows: int | None = None) -> None:
        """Reads several tables at once, because opening a file costs more than a small table.

        Tables of more than `most_rows` rows are left for later.
        """
        wanted = [name for name in names if name in self._names and name not in self._read]
        if wanted:
            self._read.update(self._load(wanted, most_rows))

    def forget(self, but: Iterable[str] = ()) -> None:
        """Frees the other tables. They are read again when they are used."""
        self._read = {name: self._read[name] for name in but if name in self._read}

    def _load(self, names: list[str], most_rows: int | None) -> dict[str, pd.DataFrame]:
        def frames(file: h5py.File) -> dict[str, pd.DataFrame]:
            datasets = {name: file[name] for name in names}
            return {name: frame_of(dataset) for name, dataset in datasets.items()
                    if most_rows is None or len(dataset) <= most_rows}
        return reading(self._path, frames)


class Cell:
    """One result file: a cell of a campaign in one repetition."""

    def __init__(self, path: Path, attributes: dict, tables: Mapping[str, pd.DataFrame]):
        self.path = path
        self.attributes = attributes
        self.tables = tables
        #: Stands before its label where several campaigns are read together.
        self.prefix = ""
        #: The window that its tables are of, as text; empty for the whole run.
        self.measured = ""
        #: What was computed from tables that never change, by name: see mimus_results.totals.
        self.memo: dict = {}
        #: Of a merged campaign without the files of its cells: the figures of what it measures.
        self.merged_figures: pd.DataFrame | None = None

    @property
    def whole(self) -> Cell:
        """The same cell with its whole run, even if a window is measured."""
        return self

    @property
    def config(self) -> str:
        """The resolved configuration [YAML]."""
        return self._provenance("config_yaml")

    @property
    def command_line(self) -> str:
        return self._provenance("command_line")

    def _provenance(self, name: str) -> str:
        def text(file: h5py.File) -> str:
            known = f"provenance/{name}" in file  # a merged file has no attribute of this kind
            return text_of(file["provenance"][name][()]) if known else ""
        return reading(self.path, text)

    @property
    def is_verified(self) -> bool:
        """Whether the file has checksums and was compared with them."""
        return checksums.verify(present(self.path))

    @property
    def changed_at(self) -> float:
        """When its file was last written to [s since 1970]."""
        return present(self.path).stat().st_mtime

    @property
    def id(self) -> str:
        """Id of the cell, or the file's name if the file has no id."""
        return str(self.attributes.get("cell") or self.path.name.split(".h5")[0])

    @property
    def label(self) -> str:
        """The swept values as readable text."""
        own = str(self.attributes.get("label") or self.id)
        return self.prefix + SEPARATOR + own if self.prefix else own

    @property
    def swept(self) -> dict[str, str | float]:
        """Values of the swept keys by their paths; empty if the file does not state them."""
        try:
            values = json.loads(str(self.attributes.get("swept") or "{}"))
        except json.JSONDecodeError:
            return {}
        return {path: _number_or_text(value) for path, value in values.items()}

    @property
    def repetition(self) -> int:
        return int(self.attributes.get("repetition") or 0)

    @property
    def seed(self) -> str:
        """The seed; equal seeds mean equal jobs. The repetition's number if the file does not
        state it."""
        return str(self.attributes.get("seed", self.repetition))

    @property
    def status(self) -> str:
        return str(self.attributes.get("status", ""))

    @property
    def is_complete(self) -> bool:
        """Whether the cell ran to its end. Figures of an unfinished cell are not figures of the
        cell."""
        return self.status in ("complete", "")  # files without the attribute were written at once

    def table(self, name: str) -> pd.DataFrame:
        """The table, or an empty frame if it was not recorded."""
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


def load_cell(path: str | Path) -> Cell:
    """Opens one file. Tables are read when they are used. Raises ReadError."""
    path = Path(path)

    def content(file: h5py.File) -> tuple[dict, list[str]]:
        attributes = {name: plain(value) for name, value in sorted(file.attrs.items())}
        _check_schema(path, attributes)
        return attributes, [name for name, item in file.items() if isinstance(item, h5py.Dataset)]
    attributes, tables = reading(path, content)
    return Cell(path, attributes, Tables(path, tables))


def find(path: str | Path) -> list[Path]:
    """The result files of a folder, sorted by name; a `.part` only where no finished file is.

    A file stands for itself.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ReadError(f"{path}: is neither a result file nor a folder")
    # The merged campaign only refers to the files beside it.
    finished = {file for file in path.glob("*.h5") if file.name != MERGED_NAME}
    parts = {part for part in path.glob("*.h5.part") if part.with_suffix("") not in finished}
    return sorted(finished | parts)


def load_all(paths: str | Path | Iterable[str | Path]) -> list[Cell]:
    """Reads files and folders of files, each once and those of other configurations, too.

    Raises ReadError when there is nothing to read, or a file that was named cannot be read. One of a
    folder that cannot, as a writer leaves it that died before its first flush, is left out with a
    warning. Profiles (mimus calibrate) are no results of cells and read only where they are named.
    """
    cells, notes = load_each(paths, load_cell)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return cells


def load_each(paths: str | Path | Iterable[str | Path],
              load: Callable[[Path], Cell]) -> tuple[list[Cell], list[str]]:
    """As `load_all`, with `load` for each file, which raises ReadError; and what was left out."""
    if isinstance(paths, (str, Path)):
        paths = [paths]
    named = {Path(path) for path in paths}
    cells, notes = [], []
    for file in dict.fromkeys(file for path in paths for file in find(path)):
        try:
            cell = load(file)
        except ReadError as error:
            if file in named:
                raise
            notes.append(f"left out: {error}")
            continue
        if file in named or cell.attributes.get("kind") != "profile":
            cells.append(cell)
    if not cells:
        raise ReadError("\n".join([f"{', '.join(map(str, paths))}: holds no result files (*.h5)",
                                   *notes]))
    return cells, notes
