# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The models alone: one process, and so a fresh context, per model and precision."""

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

_case: Case | None = None  # of this process


def _begin(model: str, precision: str, setup: Setup, plan: Plan) -> None:
    global _case
    _case = Case(references(setup.attention)[model], precision_named(precision), setup, plan)


def _measure(samples: int) -> dict[str, Any]:
    assert _case is not None
    return _case.measure(samples)


def measure_alone(reference: Reference, precision: str, batches: list[int], setup: Setup,
                  plan: Plan, store: Store) -> None:
    """Adds a row per batch that the store has not got. What ends the process ends one model."""
    due = [samples for samples in batches if not store.has("solo", _key(reference, precision,
                                                                       samples))]
    if not due:
        return
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin,
                             (reference.name, precision, setup, plan)) as child:
        try:
            for samples in due:
                row = child.submit(_measure, samples).result()
                store.set_environment(child.submit(environment, setup, plan).result())
                store.add("solo", row)
                print(line_of(row), flush=True)
        except Exception as error:  # of the child: one model less, the others go on
            store.note(f"{reference.name} {precision}: {type(error).__name__}: {error}")
            print(f"{reference.name} {precision}: {error}", flush=True)


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
