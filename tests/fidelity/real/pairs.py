# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Slowdowns of every two models that share the GPU."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import combinations_with_replacement
from typing import Any

from . import mps
from .intervals import Interval
from .reference import Reference
from .tenants import CoRun, Tenant, TenantFailed, run_together

SHARING = ("time_slice", "mps")

Row = dict[str, Any]


def slowdown_row(one: Tenant, other: Tenant, shared: Interval, alone: Interval) -> Row:
    """What `one` suffers from `other`; columns as in a profile of Mimus.

    The ends of the quotient's interval follow from the relative half widths, added in quadrature.
    """
    slowdown = shared.estimate / alone.estimate
    half = slowdown * (shared.half_width**2 + alone.half_width**2) ** 0.5
    return {"model": one.model, "per_gpu_batch": one.samples, "co_model": other.model,
            "co_per_gpu_batch": other.samples, "slowdown": slowdown,
            "slowdown_low": slowdown - half, "slowdown_high": slowdown + half,
            "step_shared": shared.estimate, "step_solo": alone.estimate, "failure": ""}


def failure_row(one: Tenant, other: Tenant, reason: str) -> Row:
    return {"model": one.model, "per_gpu_batch": one.samples, "co_model": other.model,
            "co_per_gpu_batch": other.samples, "failure": reason}


class PairMatrix:
    """Measures the models alone and in pairs, all in the same way, and hands on each row."""

    def __init__(self, run: CoRun, sharing: str, add: Callable[[Row], None]) -> None:
        self._run = run
        self._labels = {"precision": run.precision, "sharing": sharing}
        self._sharing = sharing
        self._add = add
        self._alone: dict[Tenant, Interval] = {}

    def measure(self, references: list[Reference], done: Callable[[Row], bool]) -> None:
        """All pairs whose rows are not `done` yet. Throws mps.MpsUnavailable."""
        tenants = [Tenant(reference.name, reference.pair_batch) for reference in references]
        with mps.service() if self._sharing == "mps" else nullcontext():
            for one, other in combinations_with_replacement(tenants, 2):
                if not done({**failure_row(one, other, ""), **self._labels}):
                    self._pair(one, other)

    def _pair(self, one: Tenant, other: Tenant) -> None:
        try:
            alone = self._alone_time(one), self._alone_time(other)
            shared = run_together([one, other], self._run)
            rows = [slowdown_row(one, other, shared[0], alone[0]),
                    slowdown_row(other, one, shared[1], alone[1])]
        except TenantFailed as error:
            rows = [failure_row(one, other, str(error)), failure_row(other, one, str(error))]
        for row in rows[:1] if one == other else rows:
            self._add({**row, **self._labels})

    def _alone_time(self, tenant: Tenant) -> Interval:
        """By the same loop, and under the same service, as beside a co-tenant."""
        if tenant not in self._alone:
            self._alone[tenant] = run_together([tenant], self._run)[0]
            if self._sharing == "mps" and not mps.serving():
                raise mps.MpsUnavailable("the daemon runs, but no CUDA program has used it")
        return self._alone[tenant]
