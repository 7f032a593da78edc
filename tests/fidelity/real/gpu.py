# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Values that NVML reports for the GPU; -1 if NVML or its Python module is missing."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

try:
    import pynvml as nvml_module
except ImportError:  # optional: without it, memory and activity are not measured
    nvml_module = None

ACTIVITIES = {"sm_activity": "NVML_GPM_METRIC_SM_UTIL",
              "dram_activity": "NVML_GPM_METRIC_DRAM_BW_UTIL",
              "tensor_activity": "NVML_GPM_METRIC_ANY_TENSOR_UTIL"}
"""Columns of the results and the GPM metrics behind them, in per cent of the time."""


class Gpu:
    """The first visible GPU. Does not create a CUDA context."""

    def __init__(self) -> None:
        self._nvml: ModuleType | None = None
        self._handle: Any = None
        if nvml_module is None:
            return
        try:
            nvml_module.nvmlInit()
            self._handle = _first_visible(nvml_module)
            self._nvml = nvml_module
        except nvml_module.NVMLError:
            self._nvml = None

    def memory_used(self) -> int:
        """Memory of all processes [B]."""
        if self._nvml is None:
            return -1
        return int(self._nvml.nvmlDeviceGetMemoryInfo(self._handle).used)

    def driver(self) -> str:
        return str(self._nvml.nvmlSystemGetDriverVersion()) if self._nvml else "unknown"

    def activity_sampler(self) -> ActivitySampler | None:
        """None where the GPU keeps no performance metrics (before Hopper) or may not show them."""
        if self._nvml is None:
            return None
        try:
            if not self._nvml.nvmlGpmQueryDeviceSupport(self._handle).isSupportedDevice:
                return None
            return ActivitySampler(self._nvml, self._handle)
        except self._nvml.NVMLError:
            return None


class ActivitySampler:
    """Mean activity from the beginning to the last call of `sample`."""

    def __init__(self, nvml: ModuleType, handle: Any) -> None:
        self._nvml = nvml
        self._handle = handle
        self._first = nvml.nvmlGpmSampleAlloc()
        self._last = nvml.nvmlGpmSampleAlloc()
        nvml.nvmlGpmSampleGet(handle, self._first)

    def restart(self) -> None:
        self._nvml.nvmlGpmSampleGet(self._handle, self._first)

    def sample(self) -> dict[str, float]:
        """Fractions of the time since the beginning; -1 if a metric is not supported."""
        nvml = self._nvml
        nvml.nvmlGpmSampleGet(self._handle, self._last)
        query = nvml.c_nvmlGpmMetricsGet_t()
        query.version = nvml.NVML_GPM_METRICS_GET_VERSION
        query.numMetrics = len(ACTIVITIES)
        query.sample1 = self._first
        query.sample2 = self._last
        for metric, identifier in zip(query.metrics, ACTIVITIES.values()):
            metric.metricId = getattr(nvml, identifier)
        nvml.nvmlGpmMetricsGet(query)
        return {column: metric.value / 100 if metric.nvmlReturn == nvml.NVML_SUCCESS else -1.0
                for metric, column in zip(query.metrics, ACTIVITIES)}

    def close(self) -> None:
        for sample in (self._first, self._last):
            self._nvml.nvmlGpmSampleFree(sample)


def _first_visible(nvml: ModuleType) -> Any:
    """NVML numbers all GPUs of the machine, CUDA only those in CUDA_VISIBLE_DEVICES."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0].strip()
    if first.startswith("GPU-"):
        return nvml.nvmlDeviceGetHandleByUUID(first)
    return nvml.nvmlDeviceGetHandleByIndex(int(first) if first.isdigit() else 0)
