# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Runs every real model for one step on a CPU with one or two samples, to check that the code
works."""

from __future__ import annotations

import math
import time

from .precision import PRECISIONS
from .reference import Reference
from .step import Setup, TrainingStep

SAMPLES = 2


def run_smoke(chosen: list[Reference]) -> int:
    """Prints a line per model. Returns 1 if a loss is not a number."""
    broken = 0
    for reference in chosen:
        begin = time.monotonic()
        step = TrainingStep(reference, SAMPLES, PRECISIONS["fp32"], Setup(device="cpu"))
        loss = float(step.run())
        good = math.isfinite(loss)
        broken += not good
        print(f"{reference.name}: loss {loss:.4g} of {SAMPLES} samples, "
              f"{time.monotonic() - begin:.1f} s{'' if good else ', NOT A NUMBER'}", flush=True)
    return int(broken > 0)
