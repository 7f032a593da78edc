# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Attributes and tables of an HDF5 file as Python's own values and pandas' frames."""

from __future__ import annotations

import h5py
import numpy as np
import pandas as pd


def text_of(value) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return str(value)


def plain(value):
    """An attribute as str, int or float."""
    if isinstance(value, (bytes, str)):
        return text_of(value)
    return value.item() if isinstance(value, np.generic) else value


def _texts(column: np.ndarray) -> np.ndarray:
    """Decodes each distinct text once, because most columns have few of them."""
    codes, distinct = pd.factorize(column.astype(object))
    return np.array([text_of(value) for value in distinct], dtype=object)[codes]


def frame_of(dataset: h5py.Dataset, first: int = 0, count: int | None = None) -> pd.DataFrame:
    """Rows of a table with decoded text and, in `attrs["units"]`, the units of its columns."""
    # Records beyond `rows` belong to a flush during which the writer died.
    attributes = dataset.attrs
    if count is None:
        count = int(attributes["rows"]) if "rows" in attributes else len(dataset)
    records = dataset[first:first + count]
    names = records.dtype.names
    frame = pd.DataFrame({
        name: _texts(records[name]) if records.dtype[name].kind == "S" and len(records)
        else records[name] for name in names})
    frame.attrs["units"] = _units(dataset.name, names, attributes)
    return frame


# By table and columns: equal columns have equal units within one version of the schema.
_known_units: dict[tuple, dict[str, str]] = {}


def _units(table_name: str, columns: tuple, attributes: h5py.AttributeManager) -> dict[str, str]:
    key = (table_name, columns)
    if key not in _known_units:
        _known_units[key] = dict(zip(columns, map(text_of, attributes["units"])))
    return dict(_known_units[key])
