# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Step times of one job alone, from CUDA events between steps."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from .intervals import Interval, mean_interval, median_interval


class Step(Protocol):
    """Launched step by step, or replayed."""

    def run(self) -> Any: ...


@dataclass(frozen=True)
class Limits:
    """When enough steps have been measured."""

    warm_up: int = 10
    least: int = 30
    interval: float = 0.01  # relative half width of the median's interval
    seconds: float = 30.0  # at most
    block_seconds: float = 1.0


@dataclass(frozen=True)
class Timed:
    mean: Interval
    median: Interval
    steps: int
    converged: bool


def block_of_steps(step: Step, count: int) -> list[float]:
    """Times of `count` consecutive steps [s], the host ahead of the device as in training.

    Two steps before the first refill the queue that the synchronisation has emptied.
    """
    events = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    torch.cuda.synchronize()
    for _ in range(2):
        step.run()
    events[0].record()
    for event in events[1:]:
        step.run()
        event.record()
    torch.cuda.synchronize()
    return [a.elapsed_time(b) * 1e-3 for a, b in zip(events, events[1:])]


def warm_up(step: Step, steps: int) -> float:
    """Runs the first steps, in which algorithms are chosen and memory is reserved.

    Returns the time of the last step [s], a first idea of how long one takes.
    """
    for _ in range(max(steps - 1, 1)):
        step.run()
    torch.cuda.synchronize()
    begin = time.monotonic()
    step.run()
    torch.cuda.synchronize()
    return time.monotonic() - begin


def time_steps(step: Step, limits: Limits) -> Timed:
    """Measures blocks of steps until the median is precise enough or time is up."""
    one = warm_up(step, limits.warm_up)
    times: list[float] = []
    end = time.monotonic() + limits.seconds
    while True:
        count = min(max(int(limits.block_seconds / max(one, 1e-6)), 10), 500)
        times += block_of_steps(step, count)
        median = median_interval(times)
        tight = len(times) >= limits.least and median.half_width <= limits.interval
        if tight or time.monotonic() >= end:
            return Timed(mean_interval(times), median, len(times), tight)
        one = median.estimate
