# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs of a cell as workload formats need them."""

from __future__ import annotations

import pandas as pd

from mimus_results.read import Cell, ReadError


def jobs_of(cell: Cell) -> pd.DataFrame:
    """The table `jobs` in order of arrival. Raises ReadError if it was not recorded."""
    if not cell.recorded("jobs"):
        raise ReadError(f"{cell.path}: has no table jobs, as it was recorded with record: "
                        f"{cell.attributes.get('record', 'summary')}; run it with record: jobs")
    return cell.table("jobs").sort_values(["arrival", "job"], kind="stable")


def gpu_count(cell: Cell) -> int:
    """The GPUs of the cluster; before the cell has ended, the maximum that were up."""
    gpus = cell.table("gpus")
    if len(gpus):
        return len(gpus)
    spans = cell.table("utilisation")
    return int(spans["gpus"].max()) if len(spans) else 0


def number(seconds: float) -> str:
    """A number rounded to three decimals, without trailing zeros."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def numbered(names: pd.Series) -> dict[str, int]:
    """Numbers names from 1 in the order of appearance."""
    return {name: i for i, name in enumerate(dict.fromkeys(names), start=1)}
