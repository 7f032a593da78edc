# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tidy frames over cells; `Campaign` gives them to the public, with their columns and units."""

from __future__ import annotations

from typing import Callable

import pandas as pd

from mimus_results import (allocation, devices, energy, fairness, nodes, slowdowns, step_times, totals,
                           windows)
from mimus_results.read import Cell
from mimus_results.tidy import below_each_other, identified


def over(cells: list[Cell], of: Callable[[Cell], pd.DataFrame],
         units: dict[str, str]) -> pd.DataFrame:
    """Concatenates the frames of all cells, with the columns of the cell in front and units
    attached."""
    parts = [(cell, of(cell)) for cell in cells]
    return below_each_other([identified(cell, part) for cell, part in parts if not part.empty],
                            units)


def jct(cells: list[Cell]) -> pd.DataFrame:
    columns = ["job", "model", "user", "virtual_cluster", "gang", "jct"]

    def of(cell: Cell) -> pd.DataFrame:
        jobs = cell.table("jobs")
        return jobs if jobs.empty else jobs.loc[jobs["outcome"] == "finished", columns]
    return over(cells, of, {"gang": "GPUs", "jct": "s"})


def queueing(cells: list[Cell]) -> pd.DataFrame:
    def of(cell: Cell) -> pd.DataFrame:
        sums = totals.totals(cell)
        rows = []
        for group in ["all", *totals.GANG_CLASSES]:
            jobs = sums.get(("jobs", group), 0)
            for cause in totals.CAUSES:
                seconds = sums.get((f"wait_{cause}", group))
                if jobs > 0 and seconds is not None:
                    delayed = sums.get((f"delayed_{cause}", group))
                    rows.append((group, cause, seconds / jobs, delayed, int(jobs)))
        columns = ["gang_class", "cause", "seconds_per_job", "delayed", "jobs"]
        return pd.DataFrame(rows, columns=columns)
    return over(cells, of, {"seconds_per_job": "s", "delayed": "jobs", "jobs": "jobs"})


def allocation_of(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, allocation.shares,
                {"time": "s", "requested": "GPUs", "allocated": "GPUs", "fragmented": "GPUs",
                 "gpus": "GPUs", "arrived": "jobs", "rejected": "jobs", "requested_share": "",
                 **dict.fromkeys(allocation.SHARES, "")})


def tenants(cells: list[Cell]) -> pd.DataFrame:
    def of(cell: Cell) -> pd.DataFrame:
        rows = cell.table("tenants")
        if rows.empty:
            return rows

        def ratio(above: str, below: str) -> pd.Series:
            return rows[above] / rows[below].where(rows[below] > 0)
        return pd.DataFrame({"tenant": rows["tenant"], "weight": rows["weight"], "read": rows["read"],
                             "hit_ratio": ratio("hit", "read"),
                             "speedup": ratio("speed", "speed_uncached"),
                             "share": ratio("worth", "worth_alone")})
    return over(cells, of, {"weight": "", "read": "B", "hit_ratio": "", "speedup": "", "share": ""})


def utilisation(cells: list[Cell]) -> pd.DataFrame:
    def of(cell: Cell) -> pd.DataFrame:
        spans = cell.table("utilisation")
        if spans.empty:
            return spans
        held = spans[windows.held_column(spans)]
        return spans.assign(held_share=held / spans["gpus"].where(spans["gpus"] > 0))
    return over(cells, of, {"begin": "s", "end": "s", "gpus": "GPUs", "gpus_held": "GPUs",
                            "held_share": ""})


def nodes_of(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, nodes.counts, nodes.UNITS)


def goodput(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, windows.step_windows, windows.UNITS)


def fairness_of(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, fairness.job_fairness,
                {"gang": "GPUs", "jct": "s", "solo": "s", "service": "GPU s",
                 "mean_active": "jobs", "slowdown": "", "bounded_slowdown": "", "rho": ""})


def interference(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, lambda cell: slowdowns.means([cell]).reset_index(),
                {"slowdown": "", "seconds": "s", "periods": ""})


def gpu_seconds(attempts: pd.DataFrame) -> pd.Series:
    """GPU time that each attempt held [GPU s]. Fractions of GPUs count as fractions."""
    share = attempts["gpu_share"] if "gpu_share" in attempts else 1.0  # in files of the first releases: whole GPUs
    return (attempts["end"] - attempts["begin"]) * attempts["replicas"] * share


def locality(cells: list[Cell]) -> pd.DataFrame:
    def of(cell: Cell) -> pd.DataFrame:
        attempts = cell.table("attempts")
        if attempts.empty:
            return attempts
        held = gpu_seconds(attempts)
        by_level = held.groupby(attempts["locality"], sort=False).agg(["sum", "size"])
        by_level.columns = ["gpu_seconds", "attempts"]
        by_level["share"] = by_level["gpu_seconds"] / max(by_level["gpu_seconds"].sum(), 1e-12)
        return by_level.reset_index()
    return over(cells, of, {"gpu_seconds": "GPU s", "attempts": "", "share": ""})


def step_times_of(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, step_times.by_type, step_times.UNITS)


def energy_of(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, energy.energy, {"joules": "J"})


def energy_of_jobs(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, energy.of_jobs, {"gpu_seconds": "GPU s", "share": "", "joules": "J"})


def devices_of(cells: list[Cell]) -> pd.DataFrame:
    return over(cells, devices.means, devices.UNITS)
