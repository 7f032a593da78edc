# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The comparison as Markdown."""

from __future__ import annotations

import math

import pandas as pd

from errors import SOLO_METRICS, Verdict
from measurements import Measurements


def markdown(header: list[str], rows: list[list[str]]) -> str:
    """A table whose columns are right-aligned, except the first one."""
    rule = ["---"] + ["--:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))


def number(value: float, digits: int = 3, sign: bool = False) -> str:
    """Significant digits, "–" for unknown."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:{'+' if sign else ''}.{digits}g}"


def verdict_table(verdicts: list[Verdict]) -> str:
    rows = []
    for verdict in verdicts:
        relation = ">=" if verdict.at_least else "<="
        unit = f" {verdict.unit}" if verdict.unit else ""
        rows.append([verdict.metric, verdict.statistic, f"{relation} {verdict.target:g}{unit}",
                     f"{number(verdict.reached)}{'' if math.isnan(verdict.reached) else unit}",
                     str(verdict.points), verdict.verdict])
    return markdown(["metric", "statistic", "target", "reached", "points", "verdict"], rows)


def solo_table(solo: pd.DataFrame) -> str:
    """A row per model, precision and batch; errors of the synthetic job in per cent or points."""
    header = ["model", "precision", "batch", "step real [ms]", "step synthetic [ms]",
              *(f"{metric.title} [{metric.unit}]" for metric in SOLO_METRICS)]
    rows = [[row.model, row.precision, str(row.per_gpu_batch), number(1e3 * row.step_mean_real, 4),
             number(1e3 * row.step_mean_synthetic, 4),
             *(number(getattr(row, f"{metric.column}_error"), sign=True)
               for metric in SOLO_METRICS)] for row in solo.itertuples()]
    return markdown(header, rows)


def pair_table(pairs: pd.DataFrame) -> str:
    """A row per direction of a pair."""
    header = ["model", "beside", "sharing", "precision", "slowdown real", "slowdown synthetic",
              "error [points]"]
    rows = [[f"{row.model} ({row.per_gpu_batch})", f"{row.co_model} ({row.co_per_gpu_batch})",
             row.sharing, row.precision, number(row.slowdown_real), number(row.slowdown_synthetic),
             number(row.slowdown_error, sign=True)] for row in pairs.itertuples()]
    return markdown(header, rows)


def report(solo: pd.DataFrame, pairs: pd.DataFrame, verdicts: list[Verdict],
           real: Measurements) -> str:
    """Verdicts, both tables, what was left out, and where the real jobs ran."""
    parts = ["## Targets", verdict_table(verdicts), "## Alone",
             "Errors of the synthetic job; positive is too much.", solo_table(solo)]
    if len(pairs):
        parts += ["## In pairs", pair_table(pairs)]
    if real.notes:
        parts += ["## Left out", "\n".join(f"- {note}" for note in real.notes)]
    setup = real.environment.get("setup", {})
    parts.append(f"{real.environment.get('gpu', 'unknown GPU')}, driver "
                 f"{real.environment.get('driver', '?')}, PyTorch "
                 f"{real.environment.get('torch', '?')}; "
                 + ", ".join(f"{key} {value}" for key, value in setup.items()))
    return "\n\n".join(parts)
