# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of one cell, by the names and units of the table `metrics` of merged campaigns.

Formulas: results/README.md; those of jobs: mimus_results.fairness.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np
import pandas as pd

from mimus_results import fairness, totals
from mimus_results.energy import energy_joules
from mimus_results.read import Cell
from mimus_results.tidy import CELL_COLUMNS, below_each_other, identified


class Metric(NamedTuple):
    """What a figure is: its unit, empty for a plain number or a fraction, and what is better.

    `better` is -1 where less is better, 1 where more is, 0 where neither is.
    """

    name: str
    unit: str
    better: int
    title: str


METRICS = {metric.name: metric for metric in [
    Metric("jobs", "", 0, "jobs"),
    Metric("jobs_finished", "", 1, "finished jobs"),
    Metric("jobs_failed", "", -1, "failed jobs"),
    Metric("jobs_rejected", "", -1, "rejected jobs"),
    Metric("jobs_unfinished", "", -1, "unfinished jobs"),
    Metric("jct_mean", "s", -1, "mean JCT"),
    Metric("jct_p50", "s", -1, "p50 JCT"),
    Metric("jct_p90", "s", -1, "p90 JCT"),
    Metric("jct_p99", "s", -1, "p99 JCT"),
    Metric("queueing_mean", "s", -1, "mean queueing"),
    Metric("queueing_p50", "s", -1, "p50 queueing"),
    Metric("queueing_p90", "s", -1, "p90 queueing"),
    Metric("queueing_p99", "s", -1, "p99 queueing"),
    *[Metric(f"queueing_{cause}_mean", "s", -1, f"mean wait: {cause}") for cause in totals.CAUSES],
    Metric("makespan", "s", -1, "makespan"),
    Metric("drain", "s", -1, "makespan after the last arrival"),
    Metric("last_end", "s", -1, "last end"),
    Metric("gpu_allocated", "", 1, "GPU time held"),
    Metric("gpu_allocated_arriving", "", 1, "GPU time held until the last arrival"),
    Metric("gpu_busy", "", 1, "GPU time busy"),
    Metric("throughput", "samples/s", 1, "throughput per running job"),
    Metric("goodput", "samples/s", 1, "goodput per running job"),
    Metric("goodput_normalised", "", 1, "normalised goodput"),
    Metric("efficiency", "", 1, "statistical efficiency"),
    Metric("slowdown_mean", "", -1, "slowdown by co-tenants"),
    Metric("slowdown_worst", "", -1, "slowdown of the worst pair"),
    Metric("job_slowdown_mean", "", -1, "mean job slowdown"),
    Metric("job_slowdown_p99", "", -1, "p99 job slowdown"),
    Metric("rho_mean", "", -1, "mean finish-time fairness ρ"),
    Metric("rho_max", "", -1, "worst finish-time fairness ρ"),
    Metric("rho_unfair", "", -1, "share of jobs with ρ > 1"),
    Metric("preemptions", "", -1, "preemptions"),
    Metric("decision_latency_mean", "s", -1, "mean decision latency"),
    Metric("decision_latency_p99", "s", -1, "p99 decision latency"),
    Metric("pace_error_median", "", 0, "median pace error"),
    Metric("late_share", "", 0, "share of step time late"),
    Metric("energy", "J", -1, "energy"),
    Metric("energy_per_job", "J", -1, "energy per finished job"),
]}

# Parts of a whole, shown in per cent.
SHARES = {"gpu_allocated", "gpu_allocated_arriving", "gpu_busy", "goodput_normalised", "efficiency", "rho_unfair",
          "pace_error_median", "late_share"}

# (metric, divided by): sums of the table `totals` whose ratio is the figure.
_RATIOS = {
    "jct_mean": ("jct", "finished"),
    "queueing_mean": ("queueing", "jobs"),
    **{f"queueing_{cause}_mean": (f"wait_{cause}", "jobs") for cause in totals.CAUSES},
    "gpu_allocated": ("gpu_held_seconds", "gpu_up_seconds"),
    "gpu_allocated_arriving": ("arriving_held_seconds", "arriving_up_seconds"),
    "gpu_busy": ("gpu_busy_seconds", "gpu_up_seconds"),
    "throughput": ("samples_processed", "running"),
    "goodput": ("progress_samples", "running"),
    "efficiency": ("efficient_gpu_seconds", "sampled_gpu_seconds"),
    "slowdown_mean": ("slowdown_seconds", "pair_seconds"),
    "decision_latency_mean": ("decision_seconds", "decisions"),
}
_QUANTILES = {"jct_p50": ("jct", 0.5), "jct_p90": ("jct", 0.9), "jct_p99": ("jct", 0.99),
              "queueing_p50": ("queueing", 0.5), "queueing_p90": ("queueing", 0.9),
              "queueing_p99": ("queueing", 0.99),
              "decision_latency_p99": ("decision_latency", 0.99)}


# A host that was behind for more of the step time than this did not emulate the stated cluster.
LATE_SHARE = 0.01

# Of samples: not known where progress is recorded run time.
_OF_SAMPLES = ("throughput", "goodput", "efficiency")


def _is_virtual(cell: Cell) -> bool:
    return cell.attributes.get("engine") == "virtual"


def _useful_seconds(cell: Cell) -> float:
    """Σ steps · step_modelled · progress ÷ samples [s]; NaN when steps were not counted."""
    if "useful_seconds" in cell.attributes:
        return float(cell.attributes["useful_seconds"])
    steps = cell.table("steps")
    if steps.empty:
        return np.nan
    share = steps["progress_samples"] / steps["samples"].where(steps["samples"] > 0)
    return float((steps["steps"] * steps["step_modelled"] * share).sum())


def _worst_slowdown(cell: Cell) -> float:
    """Of the pair with the largest mean; NaN where nothing was shared."""
    sums = totals.totals(cell)
    if ("pair_seconds", "all") not in sums:
        return np.nan
    seconds, weighted = (sums.xs(name).drop("all") for name in ("pair_seconds", "slowdown_seconds"))
    return float((weighted / seconds.where(seconds > 0)).max())


def _pace(cell: Cell) -> dict[str, float]:
    """How well the host kept the pace; nothing of a virtual cell, whose time is emulated."""
    if _is_virtual(cell):
        return {}
    names = ("pace_error_median", "late_share")
    if all(name in cell.attributes for name in names):
        return {name: float(cell.attributes[name]) for name in names}
    steps = cell.whole.table("steps")  # whether to trust a run does not depend on what is measured
    if steps.empty:
        return {}
    alone = steps[(steps["co_tenants"] == 0) & (steps["step_mean"] > 0)
                  & (steps["step_modelled"] > 0)]
    errors = (alone["step_mean"] / alone["step_modelled"] - 1).abs()
    spent = (steps["step_mean"] * steps["steps"]).sum()
    return {"pace_error_median": errors.median() if len(errors) else 0.0,
            "late_share": (steps["late"] * steps["steps"]).sum() / spent if spent > 0 else 0.0}


def of_totals(cell: Cell) -> dict[str, float]:
    """The figures that need no table of jobs; those not known are absent."""
    of_all = totals.of_all(cell)
    if not of_all:
        return {}
    found = {name: of_all[name] for name in ("jobs", "preemptions") if name in of_all}
    found.update({f"jobs_{name}": of_all[name] for name in totals.OUTCOMES if name in of_all})
    for name, (above, below) in _RATIOS.items():
        if above in of_all and of_all.get(below, 0) > 0:
            found[name] = of_all[above] / of_all[below]
    if cell.attributes.get("step_time") == "duration":
        found = {name: value for name, value in found.items() if name not in _OF_SAMPLES}
    found["last_end"] = of_all["last_end"]
    found["makespan"] = of_all["last_end"] - of_all["first_arrival"]
    if of_all.get("arriving_up_seconds", 0) > 0:
        found["drain"] = max(0.0, of_all["last_end"] - of_all["last_arrival"])
    useful = _useful_seconds(cell)
    # A virtual cell whose progress is recorded run time has no steps to count.
    if of_all.get("running", 0) > 0 and (useful > 0 or not _is_virtual(cell)):
        found["goodput_normalised"] = useful / of_all["running"]
    found["slowdown_worst"] = _worst_slowdown(cell)
    found.update(_pace(cell))
    found.update({name: totals.quantile(cell, *of) for name, of in _QUANTILES.items()})
    return {name: float(value) for name, value in found.items()
            if value is not None and np.isfinite(value)}


def of_jobs(cell: Cell) -> dict[str, float]:
    """The figures that need the table of jobs: slowdown and fairness; none without it."""
    jobs = fairness.job_fairness(cell)
    return summary_of_jobs(jobs) if not jobs.empty else {}


def summary_of_jobs(jobs: pd.DataFrame) -> dict[str, float]:
    """Of rows as `fairness.job_fairness` gives them."""
    found = {
        "job_slowdown_mean": jobs["bounded_slowdown"].mean(),
        "job_slowdown_p99": jobs["bounded_slowdown"].quantile(0.99),
        "rho_mean": jobs["rho"].mean(),
        "rho_max": jobs["rho"].max(),
        "rho_unfair": fairness.unfair_share(jobs["rho"].dropna().to_numpy(float)),
    }
    return {name: float(value) for name, value in found.items() if np.isfinite(value)}


def of_energy(cell: Cell, known: dict[str, float]) -> dict[str, float]:
    """Energy, also per finished job where `known` figures say how many there are."""
    found = {"energy": energy_joules(cell)}
    finished, of_run = known.get("jobs_finished", 0), energy_joules(cell.whole)
    if finished > 0 and of_run is not None:
        found["energy_per_job"] = of_run * _share_of_run(cell) / finished
    return {name: value for name, value in found.items()
            if value is not None and np.isfinite(value)}


def _share_of_run(cell: Cell) -> float:
    """Share of the run's energy, by GPU time, that jobs of the window drew: all without one."""
    if cell.whole is cell:
        return 1.0
    measured, whole = (totals.of_all(one).get("gpu_seconds", 0.0) for one in (cell, cell.whole))
    return measured / whole if whole > 0 else np.nan


def of_cell(cell: Cell, with_jobs: bool = True) -> dict[str, float]:
    """All figures of a cell that are known, by name, in the order of METRICS."""
    found = of_totals(cell)
    if with_jobs:
        found.update(of_jobs(cell))
    found.update(of_energy(cell, found))
    return {name: found[name] for name in METRICS if name in found}


def frame(cells: list[Cell], of: Callable[[Cell], dict[str, float]] = of_cell) -> pd.DataFrame:
    """Tidy: one row per complete cell and metric: cell, label, repetition, swept values, seed,
    metric, value, unit, late (whether the host could not keep the pace)."""
    parts = []
    for cell in cells:
        known = of(cell) if cell.is_complete else {}
        if known:
            late = known.get("late_share", 0.0) > LATE_SHARE
            parts.append(identified(cell, pd.DataFrame({
                "seed": cell.seed, "metric": list(known), "value": list(known.values()),
                "unit": [METRICS[name].unit for name in known], "late": late})))
    found = below_each_other(parts, {"value": "see the column unit"})
    return found if parts else found.reindex(
        columns=[*CELL_COLUMNS, "seed", "metric", "value", "unit", "late"])


def lost_text(cell: Cell) -> str:
    """How many GPUs had lost their workers when the cell ended: "" or "lost 1 GPU"."""
    lost = float(cell.attributes.get("gpus_lost", 0))
    if not lost > 0:  # NaN in a cell that is under way
        return ""
    return f"lost {lost:.0f} GPU" + ("s" if lost > 1 else "")


def is_late(cell: Cell) -> bool:
    """Whether its host could not keep the pace; never of a virtual cell."""
    if "late" not in cell.memo:
        cell.memo["late"] = _pace(cell).get("late_share", 0.0) > LATE_SHARE
    return cell.memo["late"]
