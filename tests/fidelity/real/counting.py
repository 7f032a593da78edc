# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of a step and the time of each class of them, from the profiler's trace."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from .timing import Step

STEPS = 3
CLASSES = (
    ("convolution", r"conv|fprop|dgrad|wgrad|implicit|winograd|cudnn.*(xmma|sm\d\d_)"),
    ("recurrent", r"rnn|gru|lstm"),
    ("product", r"gemm|gemv|cutlass|nvjet|cublas|splitk|matmul"),
    ("normalisation", r"batch_?norm|bn_|layer_?norm|norm_fw|norm_bw"),
    ("softmax and loss", r"softmax|nll_loss|ctc|cross_entropy"),
    ("optimiser", r"multi_tensor|foreach|adam|sgd"),
    ("embedding", r"embedding|index|gather|scatter|sort|radix"),
    ("layout", r"nchw|nhwc|transpose|permute"),
    ("reduction", r"reduce"),
    ("pooling", r"pool|upsample"),
    ("elementwise", r"elementwise|dropout|copy|cat|fill|triu"))
"""The first expression that a kernel's name contains decides."""


def class_of(kernel: str) -> str:
    """The class of a kernel by its name."""
    for name, expression in CLASSES:
        if re.search(expression, kernel, re.IGNORECASE):
            return name
    return "other"


def count_events(events: list[dict[str, Any]], steps: int) -> dict[str, Any]:
    """Launches, copies and fills per step, and seconds per step by class of kernel.

    Of a trace's events the category `kernel` alone is a launch: annotations of the optimiser also
    appear on the device's row.
    """
    categories = Counter(str(event.get("cat", "")).lower() for event in events)
    seconds: Counter[str] = Counter()
    for event in events:
        if str(event.get("cat", "")).lower() == "kernel":
            seconds[class_of(event["name"])] += event["dur"] * 1e-6 / steps
    return {"kernels": categories["kernel"] / steps,
            "copies": categories["gpu_memcpy"] / steps,
            "fills": categories["gpu_memset"] / steps,
            "class_seconds": dict(seconds.most_common())}


def count_kernels(step: Step) -> dict[str, Any]:
    """Profiles a few warm steps. `kernels` is -1 where tracing is not allowed or sees nothing."""
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as trace:
        for _ in range(STEPS):
            step.run()
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
        path = Path(folder) / "trace.json"
        trace.export_chrome_trace(str(path))
        events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    counts = count_events(events, STEPS)
    if counts["kernels"] == 0:
        counts["kernels"] = -1
    return counts
