# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What the harness needs to know about a real model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor, nn

Batch = tuple[Tensor, ...]


@dataclass(frozen=True)
class Reference:
    """One model as its users train it.

    The module's `forward(*batch)` returns the training loss. `name` is that of the footprint with
    the same shapes.
    """

    name: str
    build: Callable[[], nn.Module]
    batch: Callable[[int], Batch]
    """Random samples in host memory: never zeros, which GPUs multiply faster."""
    optimiser: str  # sgd_momentum | adam, as the model's footprint says
    batches: tuple[int, ...]
    """Per-GPU batches to measure: within the limits of the footprint, ascending."""
    pair_batch: int
    """The batch beside a co-tenant: the reference batch of the footprint, or as much of it as one
    GPU takes; one of `batches`. `mimus calibrate --pairs` takes the same."""
    images: bool = False
    """Convolutional on images: runs in the channels_last layout when that is asked for."""
    capturable: bool = True
    """Whether nothing in a step waits for the host, as a CUDA graph needs it."""
