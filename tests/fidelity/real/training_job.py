# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A training job that waits in its own process until it is measured, alone or beside another
one."""

from __future__ import annotations

from collections import deque
from multiprocessing.synchronize import Event

import torch

from .catalogue import references
from .precision import precision_named
from .step import ReplayedStep, TrainingStep, replayed
from .tenant import Task
from .timing import Step, warm_up

AHEAD = 4
"""Steps that the host may be ahead of the device: enough to hide launches, few enough to stop."""
RUN_IN = 0.25
"""Time beside each other before the first measured step, as a share of the measured time."""


class TrainingJob:
    """A job of a Crew: warm, and captured if the model allows it."""

    def __init__(self, task: Task) -> None:
        reference = references(task.setup.attention)[task.tenant.model]
        launched = TrainingStep(reference, task.tenant.samples, precision_named(task.precision),
                                task.setup)
        warm_up(launched, 10)
        launched.age_optimiser()
        self._step: Step = (ReplayedStep(launched) if replayed(task.setup, reference)
                            else launched)
        self.memory = torch.cuda.max_memory_reserved()
        torch.cuda.empty_cache()  # of the search for algorithms

    def work(self, seconds: float, mine: Event, others: list[Event]) -> list[float]:
        """Step times [s] while the others train, too."""
        return steps_beside(self._step, seconds, mine, others)


def steps_beside(step: Step, seconds: float, mine: Event,
                 others: list[Event]) -> list[float]:
    """Times [s] of the steps that ended in the measured window; goes on until the others are done.

    The window is counted on the device, from an event at the start: the host is ahead of it. Jobs
    start within milliseconds of each other, and who is done first trains on.
    """
    first = torch.cuda.Event(enable_timing=True)
    first.record()
    before, ends = first, deque[torch.cuda.Event]()
    times: list[float] = []
    begin = RUN_IN * seconds
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
        if begin <= since < begin + seconds:
            times.append(before.elapsed_time(event) * 1e-3)
        elif since >= begin + seconds:
            mine.set()
        before = event
    torch.cuda.synchronize()
    return times
