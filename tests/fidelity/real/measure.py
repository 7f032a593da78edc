# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Everything that is measured for one model with one batch, alone on the GPU."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from .activity import NOT_MEASURED, measure_activity
from .counting import count_kernels
from .gpu import Gpu
from .precision import Precision
from .reference import Reference
from .step import ReplayedStep, Setup, TrainingStep, replayed
from .timing import Limits, Step, Timed, time_steps, warm_up


@dataclass(frozen=True)
class Plan:
    """The duration of each part."""

    limits: Limits = field(default_factory=Limits)
    activity_seconds: float = 5.0


class Case:
    """Measures one batch of one model; to be made before CUDA is used, in a process of its own.

    What the GPU holds then belongs to others and is subtracted later. What was measured before in
    the same process would show: capturing a graph leaves two workspaces of cuBLAS behind (67 MB on
    an H100), and BERT's step after three other batches took 25.9 ms in place of 25.4.
    """

    def __init__(self, reference: Reference, precision: Precision, setup: Setup,
                 plan: Plan) -> None:
        self._reference = reference
        self._precision = precision
        self._setup = setup
        self._plan = plan
        self._gpu = Gpu()
        self._others = self._gpu.memory_used()

    def measure(self, samples: int) -> dict[str, Any]:
        """One row of the results. `failure` says why it has no figures."""
        row: dict[str, Any] = {"model": self._reference.name, "precision": self._precision.name,
                               "per_gpu_batch": samples, "failure": ""}
        try:
            row.update(self._figures(samples))
        except torch.OutOfMemoryError as error:
            row["failure"] = f"out of memory: {str(error).splitlines()[0]}"
        return row

    def _figures(self, samples: int) -> dict[str, Any]:
        torch.cuda.init()  # without it there are no statistics to reset
        torch.cuda.reset_peak_memory_stats()
        launched = TrainingStep(self._reference, samples, self._precision, self._setup)
        warm_up(launched, self._plan.limits.warm_up)
        launched.age_optimiser()
        memory = self._memory(launched)
        graph = replayed(self._setup, self._reference)
        step: Step = ReplayedStep(launched) if graph else launched
        timed = time_steps(step, self._plan.limits)
        activity = measure_activity(step, self._gpu, timed.median.estimate,
                                    self._plan.activity_seconds)
        # Tracing comes last, because it slows launches down as long as it is attached.
        counted = count_kernels(step)
        figures = times(timed)
        if self._setup.launches == "graph" and not graph:
            figures.update(kernel_times(counted["class_seconds"]), step_launched=timed.mean.estimate)
            activity = dict(NOT_MEASURED)  # of a GPU that waits for the host
        return {"launches": "graph" if graph else "eager", **figures, **memory, **activity,
                **counted}

    def _memory(self, step: TrainingStep) -> dict[str, int]:
        """Bytes in the steady state, and the most that was reserved since the beginning.

        The cache is emptied first: what the search for convolution algorithms has left there is no
        part of training. `memory_device` counts the context and the libraries, too.
        """
        first = torch.cuda.max_memory_reserved()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        for _ in range(3):
            step.run()
        torch.cuda.synchronize()
        used = self._gpu.memory_used()
        return {"memory_allocated": torch.cuda.max_memory_allocated(),
                "memory_reserved": torch.cuda.max_memory_reserved(),
                "memory_reserved_first": first,
                "memory_device": used - self._others if used >= 0 else -1}


def times(timed: Timed) -> dict[str, Any]:
    """Columns named as in a profile of Mimus, seconds."""
    return {"step_mean": timed.mean.estimate, "step_low": timed.mean.low,
            "step_high": timed.mean.high, "step_median": timed.median.estimate,
            "step_median_low": timed.median.low, "step_median_high": timed.median.high,
            "steps": timed.steps, "converged": timed.converged}


def kernel_times(class_seconds: dict[str, float]) -> dict[str, float]:
    """For a step that cannot be replayed: the time of its kernels without the gaps of the host."""
    total = sum(class_seconds.values())
    return dict.fromkeys(("step_mean", "step_low", "step_high", "step_median", "step_median_low",
                          "step_median_high"), total)


def environment(setup: Setup, plan: Plan) -> dict[str, Any]:
    """What the results depend on besides the code. Creates a CUDA context."""
    device = torch.cuda.get_device_properties(0)
    return {"gpu": device.name, "gpu_memory": device.total_memory, "driver": Gpu().driver(),
            "torch": torch.__version__, "cuda": torch.version.cuda,
            "cudnn": torch.backends.cudnn.version(), "setup": asdict(setup), "plan": asdict(plan)}
