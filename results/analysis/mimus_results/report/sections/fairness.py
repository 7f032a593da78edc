# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Finish-time fairness and locality."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results import totals
from mimus_results.figures.style import marked
from mimus_results.metrics import METRICS, Metric
from mimus_results.report import choose, html, svg
from mimus_results.report.facts import Facts
from mimus_results.report.sections.jct import thinned
from mimus_results.report.sections.queueing import split, stacked

# Computed for all jobs of a cell. The chart shows those that were recorded.
FIGURES = ["rho_mean", "rho_p50", "rho_max", "rho_unfair", "rho_jain", "restarts_per_hour"]
# From the closest to the farthest, as in docs/results.md.
LEVELS = ["same_gpu", "same_island", "same_node", "same_rack", "across_racks"]


def _rho(facts: Facts) -> dict[str, np.ndarray]:
    found = {}
    for label in facts.drawn:
        values = [facts.rho[cell] for cell in facts.of_label(label)
                  if len(facts.rho.get(cell, ()))]
        if values:
            found[label] = np.concatenate(values)
    return found


def _rho_charts(rho: dict[str, np.ndarray]) -> html.Markup:
    low = min(float(values.min()) for values in rho.values())
    high = max(float(values.max()) for values in rho.values())
    across = svg.log_ratios(min(low, 0.5), max(high, 2.0), "finish-time fairness ρ")
    up, charts, names = svg.linear(0, 1, "share of jobs"), [], []
    for panel in choose.panels(list(rho)):
        chart = svg.Chart(across, up, panel.title)
        x = float(chart.x(1.0))
        chart.parts.append(f'<path class="rule" d="M{x:.1f} {chart.top}V{chart.bottom}"/>')
        for curve, label in panel.curves.items():
            if curve not in names:
                names.append(curve)
            values, share = thinned(*totals.ecdf(rho[label]))
            chart.curve(np.repeat(values, 2), np.r_[0.0, np.repeat(share, 2)[:-1]],
                        names.index(curve), marked(label))
        charts.append(chart.drawn())
    return html.panels(charts) + html.legend(
        (svg.line_swatch(at), name) for at, name in enumerate(choose.marked(names, list(rho))))


def _rho_table(facts: Facts) -> html.Markup:
    """Means over the repetitions of each cell, at every record level."""
    values = {name: facts.values(name) for name in FIGURES}
    labels = [label for label in facts.drawn if label in values["rho_mean"]]
    means = {name: {label: float(of[label].mean()) for label in labels if label in of}
             for name, of in values.items()}
    rows = [[html.words(marked(label)), *[_figure(METRICS[name], means[name].get(label))
                                          for name in FIGURES]] for label in labels]
    heads = [METRICS[name].heading + (f" [{METRICS[name].unit}]" if METRICS[name].unit else "")
             for name in FIGURES]
    return html.table(["cell", *heads], rows, "Finish-time fairness", len(rows) > 12) if rows else html.NOTHING


def _figure(metric: Metric, value: float | None) -> html.Cell:
    said = f"{100 * value:.1f} %" if metric.is_share and value is not None else None
    return html.figure(value, said)


def _share_text(share: float) -> str:
    """"" if the share is the whole, because every bar ends there."""
    return f"{100 * share:.0f} %" if share < 0.9999 else ""


def _locality(facts: Facts) -> html.Markup:
    seconds = pd.DataFrame({label: facts.locality[label] for label in facts.drawn
                            if label in facts.locality}).T.fillna(0.0)
    seconds = seconds[[name for name in seconds.columns if name]]
    if seconds.empty or seconds.to_numpy().sum() <= 0:
        return html.empty("Locality: no attempts were recorded (record: full or jobs keeps them).")
    order = [name for name in LEVELS if name in seconds] + sorted(set(seconds) - set(LEVELS))
    share = seconds[order].div(seconds.sum(axis=1), axis=0)
    axis = svg.linear(0, 1, "share of GPU time [%]", divisor=0.01)
    indices = [LEVELS.index(name) if name in LEVELS else 7 for name in order]
    charts = [stacked(part, axis, indices, "", _share_text) for part in split(share)]
    return html.heading("Locality: worst link inside the gang") + html.panels(charts) + html.legend(
        (svg.fill_swatch(at), name.replace("_", " ")) for at, name in zip(indices, order))


def section(facts: Facts) -> html.Section:
    rho = _rho(facts)
    why = (facts.nothing_yet() if not facts.complete else
           "The tables of jobs were not recorded (record: full or jobs keeps them)."
           if not facts.jobs_left_out else
           f"The tables of jobs are larger than the {choose.MOST_JOBS} rows that are read.")
    table = _rho_table(facts)
    body = (_rho_charts(rho) if rho else html.empty(why)) + table + html.note(
        "ρ = T_shared ÷ T_isolated (Themis): completion time ÷ the time with the job's own equal "
        "share of the cluster, service ÷ min(GPUs ÷ mean number of jobs in its life, its demand). "
        "Up to 1 a job was not worse off than alone with its share. Under preemption ρ is a lower "
        "bound. " + facts.drawn_note()) if rho or table else html.empty(why)
    if rho and facts.jobs_left_out:
        body += html.note(f"{facts.jobs_left_out} cells are left out: {why}")
    return html.Section("fairness", "Finish-time fairness and locality", body + _locality(facts))
