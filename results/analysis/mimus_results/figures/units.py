# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Units in which values of a given size are readable."""

from __future__ import annotations

from mimus_results.metrics import Metric


def unit_of(metric: Metric, most: float) -> tuple[float, str]:
    """Divisor and unit for drawing a metric with values up to `most`."""
    if metric.unit == "s":
        return time_unit(most)
    if metric.unit == "J":
        return energy_unit(most)
    return (0.01, "%") if metric.is_share else (1.0, metric.unit)


def time_unit(longest: float) -> tuple[float, str]:
    """Seconds per unit, and the unit, in which spans of up to `longest` seconds are readable."""
    if 0 < longest < 1:
        return (1e-3, "ms") if longest >= 1e-3 else (1e-6, "µs")
    if longest < 7200:
        return 1.0, "s"
    return (3600.0, "h") if longest < 96 * 3600 else (86400.0, "d")


def energy_unit(most: float) -> tuple[float, str]:
    """Joules per unit, and the unit, in which energies of up to `most` joules are readable."""
    for below, divisor, unit in ((1e3, 1.0, "J"), (3.6e6, 1e3, "kJ"), (3.6e9, 3.6e6, "kWh")):
        if most < below:
            return divisor, unit
    return 3.6e9, "MWh"
