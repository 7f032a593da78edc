# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements of physical GPUs: utilisation, activity and power over time, and energy, which is
modelled where GPUs are emulated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from mimus_results import devices, energy, metrics
from mimus_results.figures.repetitions import named
from mimus_results.figures.units import energy_unit
from mimus_results.read import Cell
from mimus_results.report import choose, html, svg
from mimus_results.report.facts import Facts

BINS = 120
MOST_CELLS = 4
MOST_DEVICES = choose.MOST_CURVES
MOST_JOBS = 20


class Kind(NamedTuple):
    """A column of `device_samples` that is drawn over time. `most` is its maximum, or None."""

    column: str
    title: str
    up: str
    most: float | None


KINDS = [Kind("sm_utilisation", "Any kernel running", "time [%]", 103),
         Kind("sm_activity", "SMs active", "SMs with a warp [%]", 103),
         Kind("dram_activity", "DRAM active", "bandwidth in use [%]", 103),
         Kind("power", "Power", "power [W]", None)]


def _name(device) -> str:
    return f"GPU {device.gpu}: {device.host}, device {device.device}"


def _charts(rows: pd.DataFrame, shown: pd.DataFrame) -> list[str]:
    end = float(rows["time"].max())
    edges = np.linspace(0, max(end, 1e-9), BINS + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    charts = []
    for kind in KINDS:
        known = rows[kind.column].dropna()
        if known.empty:
            continue
        up = svg.linear(0, kind.most or 1.05 * float(known.max()), kind.up)
        chart = svg.Chart(svg.time_axis(end), up, kind.title)
        for index, device in enumerate(shown.itertuples()):
            own = rows[rows["gpu"] == device.gpu]
            values = devices.course(own["time"].to_numpy(), own[kind.column].to_numpy(), edges)
            held = np.isfinite(values)  # more bins than samples: the line connects bins that have any
            chart.curve(middles[held], values[held], index, _name(device))
        charts.append(chart.drawn())
    return charts


def _percent(value: float) -> html.Cell:
    return html.figure(value, f"{value:.1f} %")


def _device_table(cell: Cell, means: pd.DataFrame) -> html.Markup:
    total = metrics.of_cell(cell).get("energy")
    divisor, unit = energy_unit(float(means["joules"].max()))
    rows = [[html.words(_name(device)), html.figure(device.samples),
             *[_percent(getattr(device, kind.column)) for kind in KINDS[:3]],
             html.figure(device.mean_power),
             html.figure(device.joules / divisor),
             _percent(100 * device.joules / total if total else np.nan)]
            for device in means.itertuples()]
    return html.table(["device", "samples", "kernel running", "SMs active", "DRAM active",
                       "power [W]", f"energy [{unit}]", "of the cell"], rows, f"Devices of {cell.label}", len(rows) > 12)


def _job_table(cell: Cell) -> html.Markup:
    jobs = energy.of_jobs(cell)
    if jobs.empty:
        return html.NOTHING
    divisor, unit = energy_unit(float(jobs["joules"].max()))
    rows = [[html.figure(job.job, str(job.job)), html.words(job.model),
             html.figure(job.gpu_seconds), _percent(100 * job.share), html.figure(job.joules / divisor)]
            for job in jobs.nlargest(MOST_JOBS, "share").itertuples()]
    summary = f"Energy of finished jobs: {html.quantity(jobs['joules'].mean() / divisor, unit)} on average"
    note = (f"The {MOST_JOBS} with the most of {len(jobs)}. " if len(jobs) > MOST_JOBS else "")
    return html.details(summary, html.table(
        ["job", "model", "GPU time [GPU s]", "share", f"energy [{unit}]"], rows, "Energy of finished jobs")
        + html.note(note + "A job's share of the cell's energy is that of its GPU time."))


def _of_cell(cell: Cell) -> html.Markup:
    means = devices.means(cell)
    charts = _charts(devices.samples(cell), shown := means.head(MOST_DEVICES))
    legend = html.legend((svg.line_swatch(at), _name(device))
                         for at, device in enumerate(shown.itertuples()))
    return (html.heading(named(cell)) + html.panels(charts) + legend
            + _device_table(cell, means) + _job_table(cell))


_KWH = 3.6e6  # [J]


def _modelled_table(facts: Facts) -> html.Markup:
    """Energy of cells whose devices are emulated, or nothing."""
    rows = []
    for cell in (each.whole for each in facts.complete):
        joules = energy.modelled(cell)
        if joules.empty:
            continue
        figures = metrics.of_cell(cell)
        rows.append([html.words(named(cell)),
                     *[html.figure(joules.get(table, np.nan) / _KWH) for table in energy.TABLES[::-1]],
                     html.figure(figures.get("energy_per_job", np.nan) / _KWH),
                     html.figure(figures.get("nodes_asleep", 0.0))])
    if not rows:
        return html.NOTHING
    table = html.table(["cell", "GPUs [kWh]", "servers without GPUs [kWh]", "per finished job [kWh]",
                        "nodes asleep"], rows, "Modelled energy", len(rows) > 12)
    return table + html.note("Modelled, not measured: from the draws that the machine type states "
                             "and the time for which GPUs were busy.")


def section(facts: Facts) -> html.Section:
    sampled = [cell for cell in facts.detailed_runs if not cell.table("device_samples").empty]
    if not sampled:
        reasons = sorted({str(cell.attributes["device_samples_missing"]) for cell in facts.cells
                          if cell.attributes.get("device_samples_missing")})
        return html.Section("devices", "Devices", html.empty(
            "No physical device was sampled" + (": " + "; ".join(reasons) if reasons else
                                                ": only CUDA devices are (record: full or jobs)."))
            + _modelled_table(facts))
    body = html.NOTHING.join(_of_cell(cell) for cell in sampled[:MOST_CELLS])
    return html.Section("devices", "Devices", body + html.note(
        f"Of up to {MOST_CELLS} cells, first repetition, the first {MOST_DEVICES} devices are "
        f"drawn: means over bins of 1/{BINS} of the cell. All processes of a device together; a "
        "dash: the device does not give it. Energy: between first and last sample, idle draw "
        "included."))
