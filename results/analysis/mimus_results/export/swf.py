# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs of a cell in the Standard Workload Format, version 2.2.

https://www.cs.huji.ac.il/labs/parallel/workload/swf.html: a line of 18 numbers per job, -1 for what
is not known. A processor is a GPU. Jobs that were preempted have one line, the summary: its wait is
that for the first start, its run time the sum over attempts.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mimus_results.export.files import whole_file
from mimus_results.export.jobs import gpu_count, jobs_of, number, numbered
from mimus_results.read import Cell

UNKNOWN = "-1"
# Codes of the format: 1 completed, 0 failed, 5 cancelled.
STATUS = {"finished": "1", "failed": "0", "rejected": "5", "killed": "5"}


def _header(cell: Cell, jobs: pd.DataFrame, queues: dict, executables: dict) -> list[str]:
    cluster = cell.table("gpus")
    nodes = cluster["node"].nunique() if len(cluster) else 0
    preempted = bool((jobs["attempts"] > 1).any())
    return [
        "Version: 2.2",
        f"Computer: {gpu_count(cell)} emulated GPUs",
        f"Installation: cell {cell.id} ({cell.label}), seed {cell.seed}",
        f"Conversion: Mimus {cell.attributes.get('software_version', '')}".rstrip(),
        f"MaxJobs: {len(jobs)}",
        f"MaxRecords: {len(jobs)}",
        f"Preemption: {'TS' if preempted else 'No'}",
        "UnixStartTime: 0",
        "TimeZoneString: UTC",
        *([f"MaxNodes: {nodes}"] if nodes else []),
        f"MaxProcs: {gpu_count(cell)}",
        f"MaxQueues: {len(queues)}",
        *(f"Queue: {i} {name}" for name, i in queues.items()),
        "Note: a processor is a GPU; times are emulated seconds",
        *(["Note: run times of preempted jobs are sums over their attempts"] if preempted else []),
        *(f"Note: executable {i} is {name or 'a run time alone'}"
          for name, i in executables.items()),
    ]


def _last_gangs(cell: Cell) -> dict[int, int]:
    """GPUs of each job's last attempt, because gangs may be resized."""
    attempts = cell.table("attempts")
    if attempts.empty:
        return {}
    last = attempts.sort_values("attempt").drop_duplicates("job", keep="last")
    return dict(zip(last["job"], last["replicas"]))


def write(cell: Cell, path: Path) -> list[str]:
    jobs = jobs_of(cell)
    users, groups = numbered(jobs["user"]), numbered(jobs["group"])
    queues, executables = numbered(jobs["virtual_cluster"]), numbered(jobs["model"])
    held = _last_gangs(cell)
    with whole_file(path) as file:
        file.writelines(f"; {line}\n" for line in _header(cell, jobs, queues, executables))
        for i, job in enumerate(jobs.itertuples(), start=1):
            started = job.first_start >= 0
            fields = [
                str(i), number(job.arrival),
                number(job.first_start - job.arrival) if started else UNKNOWN,
                number(job.running) if started else UNKNOWN,
                str(held.get(job.job, job.gang)) if started else UNKNOWN,
                UNKNOWN, UNKNOWN,  # CPU time, memory
                str(job.gang),
                UNKNOWN, UNKNOWN,  # requested time and memory
                STATUS.get(job.outcome, UNKNOWN),
                str(users[job.user]), str(groups[job.group]), str(executables[job.model]),
                str(queues[job.virtual_cluster]),
                UNKNOWN, UNKNOWN, UNKNOWN]  # partition, preceding job, think time
            file.write(" ".join(fields) + "\n")
    unfinished = int((jobs["outcome"] == "unfinished").sum())
    return [f"{unfinished} jobs had not ended: their status is -1"] if unfinished else []
