# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What the program says of a result file: the figures, sums and quantiles of a part of a run, and of
files of versions that did not write them. Files that have them are read without it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import numpy as np
import pandas as pd

from mimus_results.errors import ReadError
from mimus_results.read import Cell, present

# The columns of these tables. `mimus summary --json --totals` prints their rows.
COLUMNS = {"figures": ["metric", "value", "unit"], "totals": ["metric", "group", "value"],
           "quantiles": ["metric", "group", "fraction", "value"]}


def _path() -> str:
    """The program: MIMUS if it is set, as by `mimus report`, else the one in PATH."""
    found = os.environ.get("MIMUS") or shutil.which("mimus")
    if not found:
        raise ReadError("figures of a part of a run, and of files of earlier versions, are computed "
                        "by mimus, which is not in PATH; name it in the environment variable MIMUS, "
                        "or load with measure=\"all\"")
    return found


def _summary(cell: Cell) -> dict:
    path = present(cell.path)
    command = [_path(), "summary", "--quiet", "--json", "--totals", "--measure",
               cell.measured or "all", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise ReadError(f"{command[0]}: cannot be started: {error}") from error
    if done.returncode:
        raise ReadError(done.stderr.strip().removeprefix("mimus: error: ") or
                        f"{path}: {' '.join(command)} ended with {done.returncode}")
    return json.loads(done.stdout)["cells"][0]


def table(cell: Cell, name: str) -> pd.DataFrame:
    """`figures`, `totals` or `quantiles` of the measured part of the cell. Raises ReadError."""
    if "program" not in cell.memo:
        cell.memo["program"] = _summary(cell)
    rows = pd.DataFrame(cell.memo["program"][name], columns=COLUMNS[name])
    return rows.assign(value=rows["value"].astype(float).fillna(np.nan))
