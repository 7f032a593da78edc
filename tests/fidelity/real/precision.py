# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The arithmetic in which a job trains, under Mimus's names."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Precision:
    """Weights are always fp32. The arithmetic of matrix products differs."""

    name: str
    tf32: bool = False
    autocast_type: torch.dtype | None = None
    scaled: bool = False
    """Gradients are scaled, and the step is skipped when they overflow."""

    def apply(self) -> None:
        """Sets the precision of this process from now on."""
        torch.backends.cuda.matmul.allow_tf32 = self.tf32
        torch.backends.cudnn.allow_tf32 = self.tf32

    def autocast(self, device: torch.device) -> AbstractContextManager:
        return torch.autocast(device.type, dtype=self.autocast_type or torch.bfloat16,
                              enabled=self.autocast_type is not None)


PRECISIONS = {precision.name: precision for precision in (
    Precision("fp32"),
    Precision("tf32", tf32=True),
    Precision("bf16", tf32=True, autocast_type=torch.bfloat16),
    Precision("fp16", tf32=True, autocast_type=torch.float16, scaled=True))}


def precision_named(name: str) -> Precision:
    """The precision of this name. An unknown name ends the program."""
    if name not in PRECISIONS:
        raise SystemExit(f"fidelity: no precision '{name}'; there are {', '.join(PRECISIONS)}")
    return PRECISIONS[name]
