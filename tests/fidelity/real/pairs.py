# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Slowdowns of every two models that share the GPU."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from . import mps
from .crew import Crew, JobFailed, Maker
from .intervals import Interval, mean_interval
from .seating import Seating
from .tenant import Task, Tenant

SHARING = ("time_slice", "mps")

LEAST_STEPS = 6

Row = dict[str, Any]


@dataclass(frozen=True)
class CoRun:
    """How pairs are measured."""

    make: Maker
    """Of a Task."""
    precision: str
    setup: Any
    """Part of every Task."""
    seconds: float
    memory: int
    """That waiting jobs may fill [B]."""


def slowdown_row(one: Tenant, other: Tenant, shared: Interval, alone: Interval) -> Row:
    """The slowdown of `one` by `other`; columns as in a profile of Mimus.

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
    """Measures the models alone and in pairs in the same way, and passes on each row."""

    def __init__(self, run: CoRun, sharing: str, add: Callable[[Row], None]) -> None:
        self._run = run
        self._labels = {"precision": run.precision, "sharing": sharing}
        self._sharing = sharing
        self._add = add
        self._alone: dict[int, Interval] = {}  # by seat

    def measure(self, tenants: list[Tenant], done: Callable[[Row], bool]) -> None:
        """Measures all pairs whose rows are not `done` yet. Raises mps.MpsUnavailable."""
        due = [(i, j) for i, one in enumerate(tenants) for j, other in enumerate(tenants) if i <= j
               and not done({**failure_row(one, other, ""), **self._labels})]
        tasks = [Task(tenant, self._run.precision, self._run.setup) for tenant in tenants]
        with (mps.service() if self._sharing == "mps" else nullcontext(),
              Crew(self._run.make, 2 * len(tenants)) as crew):
            seating = Seating(crew, tasks, self._run.memory)
            seating.prepare(due)
            for first, pair in enumerate(due):
                seating.make_room(pair, due[first:])
                self._measure(crew, [tenants[place] for place in pair], seating.seats(pair))

    def _measure(self, crew: Crew, pair: list[Tenant], seats: list[int]) -> None:
        one, other = pair
        try:
            alone = [self._alone_time(crew, seat) for seat in seats]
            shared = [step_time(times) for times in crew.work(seats, self._run.seconds)]
            rows = [slowdown_row(one, other, shared[0], alone[0]),
                    slowdown_row(other, one, shared[1], alone[1])]
        except JobFailed as error:
            rows = [failure_row(one, other, str(error)), failure_row(other, one, str(error))]
        for row in rows[:1] if one == other else rows:
            self._add({**row, **self._labels})

    def _alone_time(self, crew: Crew, seat: int) -> Interval:
        """Measured by the same loop, and under the same service, as beside a co-tenant."""
        if seat not in self._alone:
            self._alone[seat] = step_time(crew.work([seat], self._run.seconds)[0])
            if self._sharing == "mps" and not mps.serving():
                raise mps.MpsUnavailable("the daemon runs, but no CUDA program has used it")
        return self._alone[seat]


def step_time(times: list[float]) -> Interval:
    """Mean of the measured steps. Raises JobFailed if there are too few."""
    if len(times) < LEAST_STEPS:
        raise JobFailed(f"{len(times)} steps in the measured time; measure for longer")
    return mean_interval(times)
