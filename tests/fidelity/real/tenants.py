# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs in processes of their own that train beside each other on one GPU."""

from __future__ import annotations

import multiprocessing
import queue
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier, Event
from typing import Any

import torch

from .catalogue import references
from .intervals import Interval, mean_interval
from .precision import precision_named
from .step import ReplayedStep, Setup, TrainingStep, replayed
from .timing import Step, warm_up

AHEAD = 4
"""Steps that the host may be ahead of the device: enough to hide launches, few enough to stop."""
RUN_IN = 1.0
"""Seconds beside each other before the first measured step."""


@dataclass(frozen=True)
class Tenant:
    """One job of a co-location."""

    model: str
    samples: int


@dataclass(frozen=True)
class CoRun:
    precision: str
    setup: Setup
    seconds: float
    """Measured, beside the others."""
    patience: float = 300.0
    """Seconds until all have started; loading and the choice of algorithms take their time."""


class TenantFailed(RuntimeError):
    """One of the jobs ended early; says which and why."""


def train(tenant: Tenant, run: CoRun, start: Barrier, mine: Event, others: list[Event],
          results: multiprocessing.Queue) -> None:
    """Body of a process: trains until it and all others have measured; puts its step times."""
    try:
        reference = references(run.setup.attention)[tenant.model]
        launched = TrainingStep(reference, tenant.samples, precision_named(run.precision),
                                run.setup)
        warm_up(launched, 10)
        step = ReplayedStep(launched) if replayed(run.setup, reference) else launched
        start.wait(run.patience)
        results.put((steps_beside(step, run.seconds, mine, others), ""))
    except Exception as error:  # of any kind: the parent has to know what ended the job
        start.abort()
        mine.set()
        results.put(([], f"{type(error).__name__} {str(error).partition(chr(10))[0]}".strip()))


def steps_beside(step: Step, seconds: float, mine: Event,
                 others: list[Event]) -> list[float]:
    """Times [s] of the steps that ended in the measured window; goes on until the others are done.

    The window is counted on the device, from an event at the common start: the host is ahead of it.
    """
    first = torch.cuda.Event(enable_timing=True)
    first.record()
    before, ends = first, deque[torch.cuda.Event]()
    times: list[float] = []
    while not (mine.is_set() and all(other.is_set() for other in others)):
        step.run()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        ends.append(event)
        if len(ends) <= AHEAD:
            continue
        event = ends.popleft()
        event.synchronize()
        since = first.elapsed_time(event) * 1e-3
        if RUN_IN <= since < RUN_IN + seconds:
            times.append(before.elapsed_time(event) * 1e-3)
        elif since >= RUN_IN + seconds:
            mine.set()
        before = event
    torch.cuda.synchronize()
    return times


def run_together(tenants: list[Tenant], run: CoRun) -> list[Interval]:
    """Mean step time of each job while all of them train. Throws TenantFailed."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(tenants))
    done = [context.Event() for _ in tenants]
    results = [context.Queue() for _ in tenants]
    jobs = [context.Process(target=train, args=(
        tenant, run, start, done[i], done[:i] + done[i + 1:], results[i]), daemon=True)
        for i, tenant in enumerate(tenants)]
    for job in jobs:
        job.start()
    try:
        outcomes = [_outcome(job, jobs, result, run) for job, result in zip(jobs, results)]
    finally:
        for job in jobs:
            job.join(timeout=30)
            if job.is_alive():
                job.terminate()
    failures = [f"{tenant.model} ({tenant.samples}): {failure}"
                for tenant, (_, failure) in zip(tenants, outcomes) if failure]
    if failures:
        raise TenantFailed("; ".join(failures))
    return [mean_interval(times) for times, _ in outcomes]


def _outcome(job: Any, jobs: list[Any], results: Any, run: CoRun) -> tuple[list[float], str]:
    """Step times, or why there are none; a job that was killed leaves nothing in its queue."""
    end = time.monotonic() + run.patience + 10 * run.seconds
    while True:
        try:
            times, failure = results.get(timeout=1.0)
        except queue.Empty:
            killed = any(one.exitcode not in (None, 0) for one in jobs)
            if job.is_alive() and not killed and time.monotonic() < end:
                continue
            if results.empty():
                return [], f"left no result, exit code {job.exitcode}"
            continue
        if not failure and len(times) < 6:
            failure = f"{len(times)} steps in {run.seconds:g} s; measure for longer"
        return times, failure
