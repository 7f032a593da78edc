# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Results of either side as two pandas tables with the same columns."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd

SOLO_KEY = ["model", "precision", "per_gpu_batch"]
PAIR_KEY = ["model", "per_gpu_batch", "co_model", "co_per_gpu_batch", "precision", "sharing"]
SOLO_FIGURES = ["step_mean", "step_low", "step_high", "kernels", "sm_activity", "dram_activity",
                "tensor_activity"]
PAIR_FIGURES = ["slowdown", "slowdown_low", "slowdown_high"]


@dataclass
class Measurements:
    """Columns are the figures above, for `solo` also `memory_peak` [B]; NaN is unknown."""

    solo: pd.DataFrame
    pairs: pd.DataFrame
    environment: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def load_real(path: Path, memory: str) -> Measurements:
    """Reads the output of `python3 -m real`; `memory` is device, reserved or allocated."""
    content = json.loads(path.read_text(encoding="utf-8"))
    solo, pairs = pd.DataFrame(content["solo"]), pd.DataFrame(content["pairs"])
    if len(solo):
        solo = solo[solo["failure"] == ""].copy()
        solo["memory_peak"] = solo.get(f"memory_{memory}")
    if len(pairs):
        pairs = pairs[pairs["failure"] == ""]
    notes = content["notes"] + [f"{row['model']} {row['precision']} batch {row['per_gpu_batch']}: "
                                f"{row['failure']}" for row in content["solo"] if row["failure"]]
    return Measurements(_table(solo, SOLO_KEY, [*SOLO_FIGURES, "memory_peak"]),
                        _table(pairs, PAIR_KEY, PAIR_FIGURES), content["environment"], notes)


class WrongSharing(ValueError):
    """The pairs of a profile shared their GPU in another way than stated."""


def check_sharing(path: Path, sharing: str) -> None:
    """Raises WrongSharing. A profile that does not say whether MPS was used is believed."""
    with h5py.File(path, "r") as file:
        said = file.attrs.get("mps_active", b"")
    active = said.decode() if isinstance(said, bytes) else str(said)
    if active == ("false" if sharing == "mps" else "true"):
        raise WrongSharing(f"{path}: its pairs are to have shared the GPU by {sharing}, but its "
                           f"attribute mps_active is {active}")


def load_profile(path: Path, sharing: str) -> Measurements:
    """Reads a profile of `mimus calibrate`, measured alone on one GPU.

    `sharing` says how its pairs shared the GPU. Throws WrongSharing.
    A profile is measured in one precision, which its pairs do not repeat.
    """
    check_sharing(path, sharing)
    with h5py.File(path, "r") as file:
        solo, pairs = read_table(file, "profile"), read_table(file, "profile_pairs")
    if len(solo):
        solo = solo[solo["shape"] == "1"]
    if len(pairs):
        precisions = dict(zip(solo["model"], solo["precision"]))
        pairs = pairs.assign(sharing=sharing, precision=pairs["model"].map(precisions))
    return Measurements(_table(solo, SOLO_KEY, [*SOLO_FIGURES, "memory_peak"]),
                        _table(pairs, PAIR_KEY, PAIR_FIGURES))


def read_table(file: h5py.File, name: str) -> pd.DataFrame:
    """A compound table with its texts as str; an empty table if the file has none."""
    if name not in file:
        return pd.DataFrame()
    table = pd.DataFrame(np.asarray(file[name]))
    for column in table.columns:
        if table[column].dtype == object or table[column].dtype.kind == "S":
            table[column] = [value.decode() if isinstance(value, bytes) else str(value)
                             for value in table[column]]
    return table


def joined(parts: list[Measurements]) -> Measurements:
    """One table of several files. If a point was measured several times, the last one counts."""
    solo = pd.concat([part.solo for part in parts], ignore_index=True)
    pairs = pd.concat([part.pairs for part in parts], ignore_index=True)
    return Measurements(solo.drop_duplicates(SOLO_KEY, keep="last"),
                        pairs.drop_duplicates(PAIR_KEY, keep="last"))


def _table(rows: pd.DataFrame, key: list[str], figures: list[str]) -> pd.DataFrame:
    """Only these columns. A negative or missing value is unknown."""
    out = rows.reindex(columns=[*key, *figures])
    out = out.astype({name: "int64" if name.endswith("batch") else "object" for name in key})
    numbers = out[figures].apply(pd.to_numeric).astype("float64")
    lower_ends = [name for name in figures if name.endswith("_low")]
    out[figures] = numbers.where((numbers >= 0) | numbers.columns.isin(lower_ends))
    return out
