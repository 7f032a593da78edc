# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What the GPUs of each type did, how long their jobs had waited, and how long steps took."""

from __future__ import annotations

import numpy as np

from mimus_results import step_times, totals
from mimus_results.figures.style import marked, number, time_unit
from mimus_results.report import html
from mimus_results.report.facts import Facts

_HOUR = 3600.0  # [s]
_KWH = 3.6e6  # [J]


def _types_of(facts: Facts, label: str) -> list[str]:
    """In the order of the inventory; none where the GPUs of the cluster are of one type."""
    found = (group for cell in facts.of_label(label)
             for metric, group in totals.totals(cell).index if metric == "type_gpus")
    return list(dict.fromkeys(found))


def _mean(facts: Facts, label: str, metric: str, name: str, per: str = "") -> float:
    """Over the repetitions that know it; `per` is the metric that it is divided by."""
    values = []
    for cell in facts.of_label(label):
        sums = totals.totals(cell)
        divisor = sums.get((per, name), 0.0) if per else 1.0
        if (metric, name) in sums.index and divisor > 0:
            values.append(sums[metric, name] / divisor)
    return float(np.mean(values)) if values else np.nan


def _row(facts: Facts, label: str, name: str, unit: tuple[float, str]) -> list[html.Cell]:
    def of(metric: str, divisor: float = 1.0, per: str = "") -> html.Cell:
        return html.figure(_mean(facts, label, metric, name, per) / divisor)
    waits = _mean(facts, label, "type_queueing", name, "type_jobs") / unit[0]
    return [html.words(marked(label)), html.words(name), of("type_gpus"),
            of("type_held_seconds", _HOUR), of("type_busy_seconds", _HOUR),
            of("type_energy", _KWH), of("type_jobs"), html.figure(waits, number(waits))]


def _steps(facts: Facts, labels: set[str]) -> html.Markup:
    """The same models on each type, in the first repetition of cells whose steps were recorded."""
    cells = [cell for cell in facts.detailed_runs if cell.label in labels]
    rows = [(cell.label, *row) for cell in cells
            for row in step_times.by_type(cell).itertuples(index=False, name=None)]
    if not rows:
        return html.NOTHING
    table = html.table(["cell", "model", "type", "steps", "step time [ms]", "per GPU [samples/s]"],
                       [[html.words(marked(label)), html.words(model), html.words(name),
                         html.figure(float(steps), str(steps)), html.figure(1e3 * step),
                         html.figure(rate)] for label, model, name, steps, step, rate in rows],
                       "step times by GPU type", len(rows) > 12)
    return table + html.note(
        "Mean time of a step, and samples of its batch per time and GPU, over all steps of the model on "
        "GPUs of the type, whatever its gangs, batches and co-tenants. First repetitions.")


def section(facts: Facts) -> html.Section:
    title = "GPU types"
    pairs = [(label, name) for label in facts.labels for name in _types_of(facts, label)]
    if not pairs:
        return html.Section("gpu-types", title, html.empty("No complete cell has GPUs of several types."))
    longest = max((_mean(facts, label, "type_queueing", name, "type_jobs") for label, name in pairs),
                  key=lambda wait: -1.0 if np.isnan(wait) else wait)
    unit = time_unit(0.0 if np.isnan(longest) else longest)
    table = html.table(["cell", "type", "GPUs", "held [GPU h]", "busy [GPU h]", "energy [kWh]", "jobs",
                        f"mean wait [{unit[1]}]"],
                       [_row(facts, label, name, unit) for label, name in pairs], "GPU types",
                       len(pairs) > 12)
    return html.Section("gpu-types", title, table + html.note(
        "Means over repetitions. Held: with a job, by its share; busy: their time that jobs used. A job "
        "counts for the type that it was on last, with all its waits. A dash: not known, or no job.")
        + _steps(facts, {label for label, _ in pairs}))
