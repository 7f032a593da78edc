# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the models alone, each in one process and thus in a fresh context."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from .catalogue import references
from .measure import Case, Plan, environment
from .precision import precision_named
from .reference import Reference
from .step import Setup
from .store import Store

Measured = tuple[dict[str, Any], dict[str, Any]]


def _measure(model: str, precision: str, samples: int, setup: Setup, plan: Plan) -> Measured:
    """The row, and the environment in which it was measured."""
    case = Case(references(setup.attention)[model], precision_named(precision), setup, plan)
    return case.measure(samples), environment(setup, plan)


def measure_alone(reference: Reference, precision: str, batches: list[int], setup: Setup,
                  plan: Plan, store: Store) -> None:
    """Adds a row per batch that the store does not have. An error that ends the process costs
    one row."""
    for samples in batches:
        if store.has("solo", _key(reference, precision, samples)):
            continue
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as child:
            try:
                row, around = child.submit(_measure, reference.name, precision, samples, setup,
                                           plan).result()
                store.set_environment(around)
                store.add("solo", row)
                print(line_of(row), flush=True)
            except Exception as error:  # of the child: one row is missing, the others continue
                reason = f"{reference.name} {precision} {samples}: {type(error).__name__}: {error}"
                store.note(reason)
                print(reason, flush=True)


def line_of(row: dict[str, Any]) -> str:
    """A measured row in one line."""
    head = f"{row['model']} {row['precision']} batch {row['per_gpu_batch']}: "
    if row["failure"]:
        return head + row["failure"]
    return head + (f"{row['step_median'] * 1e3:.3f} ms of {row['steps']} steps"
                   f"{'' if row['converged'] else ' (not converged)'}, "
                   f"{row['memory_device'] / 1e9:.2f} GB, {row['kernels']:.0f} kernels, "
                   f"SM {row['sm_activity']:.2f}, DRAM {row['dram_activity']:.2f}")


def _key(reference: Reference, precision: str, samples: int) -> dict[str, Any]:
    return {"model": reference.name, "precision": precision, "per_gpu_batch": samples}
