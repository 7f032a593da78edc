# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs of a cell as a workload of Batsim: https://batsim.readthedocs.io, "Workload".

A job asks for its gang and takes as long as it did (profile `delay`): without its waits, with its
start-ups. A job that is a run time alone takes that run time.
"""

from __future__ import annotations

import json
from pathlib import Path

from mimus_results.export.files import whole_file
from mimus_results.export.jobs import gpu_count, jobs_of, number
from mimus_results.read import Cell


def _run_time(job) -> float | None:
    """The run time on the gang [s], or None if the work was not finished."""
    if not job.model:
        return job.work_samples  # seconds, for a job without a model
    return job.running if job.outcome == "finished" else None


def write(cell: Cell, path: Path) -> list[str]:
    jobs, profiles, without = [], {}, 0
    for job in jobs_of(cell).itertuples():
        seconds = _run_time(job)
        if seconds is None or seconds <= 0:
            without += 1
            continue
        profile = f"delay_{number(seconds)}"
        profiles[profile] = {"type": "delay", "delay": float(number(seconds))}
        jobs.append({"id": str(job.job), "subtime": float(number(job.arrival)), "res": int(job.gang),
                     "profile": profile, "name": job.name, "user": job.user,
                     "virtual_cluster": job.virtual_cluster, "model": job.model,
                     "gpu_share": float(job.gpu_share)})
    with whole_file(path) as file:
        json.dump({"description": f"jobs of {cell.id} ({cell.label}), seed {cell.seed}; "
                                  "a resource is a GPU",
                   "nb_res": gpu_count(cell), "jobs": jobs, "profiles": profiles}, file, indent=1)
    notes = []
    if without:
        notes.append(f"left out {without} jobs that did not finish: their run time is not known")
    if any(job["gpu_share"] < 1 for job in jobs):
        notes.append("shares of a GPU are given as whole ones; the field gpu_share has them")
    return notes
