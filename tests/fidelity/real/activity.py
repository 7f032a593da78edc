# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""How busy a job keeps the GPU while it trains steadily."""

from __future__ import annotations

import time

from .gpu import ACTIVITIES, Gpu
from .timing import Step, block_of_steps

NOT_MEASURED = {column: -1.0 for column in ACTIVITIES}


def run_for(step: Step, seconds: float, step_seconds: float) -> None:
    """Runs blocks of about half a second, so that the host stays near the device."""
    count = max(int(0.5 / max(step_seconds, 1e-6)), 1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        block_of_steps(step, count)


def measure_activity(step: Step, gpu: Gpu, step_seconds: float,
                     seconds: float) -> dict[str, float]:
    """Mean of `seconds`, after half a second of running in. `step_seconds`: of one step."""
    sampler = gpu.activity_sampler()
    if sampler is None:
        return dict(NOT_MEASURED)
    try:
        run_for(step, 0.5, step_seconds)
        sampler.restart()
        run_for(step, seconds, step_seconds)
        return sampler.sample()
    finally:
        sampler.close()
