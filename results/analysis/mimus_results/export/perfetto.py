# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A cell as a trace that ui.perfetto.dev opens, in the JSON of the Trace Event Format.

Nodes are processes and the lanes of their GPUs threads, on which attempts are slices; each job is an
asynchronous slice with its waits inside. The scheduler is a process with its decisions and counters.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from mimus_results.export.files import whole_file
from mimus_results.export.jobs import jobs_of
from mimus_results.read import Cell

SCHEDULER, JOBS, FIRST_NODE = 1, 2, 10  # process ids; 0 is the idle process of a kernel
DECISIONS, EVENTS, LIVES, FIRST_LANE = 1, 2, 3, 100  # thread ids, unique over all processes

# A counter's name contains its unit, because the viewer shows no other text.
COUNTERS = {"queued_jobs": ("queued", "jobs"), "running_jobs": ("running", "jobs"),
            "gpus_held": ("held", "GPUs"), "gpus_allocated": ("allocated", "GPUs"),
            "gpus": ("up", "GPUs"), "tenants": ("tenants", "replicas")}
SAMPLES = {"power": ("power", "W"), "sm_utilisation": ("SM utilisation", "%")}


def _us(seconds: float) -> float:
    """Seconds as microseconds, rounded to the nanosecond."""
    return round(seconds * 1e6, 3)


def _plain(value):
    """A value for JSON, which has neither NumPy's numbers nor infinities."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _arguments(row, names: list[str]) -> dict:
    return {name: _plain(getattr(row, name)) for name in names}


def _named(kind: str, process: int, name: str, thread: int | None = None) -> Iterator[dict]:
    event = {"ph": "M", "name": f"{kind}_name", "pid": process, "args": {"name": name}}
    order = {"ph": "M", "name": f"{kind}_sort_index", "pid": process,
             "args": {"sort_index": process if thread is None else thread}}
    for each in (event, order):
        yield each if thread is None else {**each, "tid": thread}


def _slice(process: int, thread: int, name: str, begin: float, end: float, category: str,
           arguments: dict) -> dict:
    start = _us(begin)
    return {"ph": "X", "name": name, "cat": category, "pid": process, "tid": thread, "ts": start,
            "dur": round(_us(end) - start, 3), "args": arguments}


def _lanes(cell: Cell) -> Iterator[dict]:
    placements = cell.table("placements")
    if placements.empty:
        return
    types = cell.table("gpus")
    type_of = dict(zip(types["node"], types["type"])) if len(types) else {}
    for node in sorted(placements["node"].unique()):
        kind = f" ({type_of[node]})" if node in type_of else ""
        yield from _named("process", FIRST_NODE + int(node), f"node {node}{kind}")
    for (node, gpu), found in placements.groupby(["node", "gpu"]):
        lanes = sorted(found["lane"].unique())
        for i, lane in enumerate(lanes):
            name = f"GPU {gpu}" if len(lanes) == 1 else f"GPU {gpu}, tenant {i}"
            yield from _named("thread", FIRST_NODE + int(node), name, FIRST_LANE + int(lane))


def _attempts(cell: Cell, names: dict[int, str]) -> Iterator[dict]:
    placements, attempts = cell.table("placements"), cell.table("attempts")
    if placements.empty or attempts.empty:
        return
    merged = placements.merge(attempts.drop(columns=["job", "begin", "end", "gpu_share"]),
                              on="attempt", how="left")
    merged["model"] = merged["job"].map(cell.table("jobs").set_index("job")["model"])
    shown = ["job", "attempt", "replica", "replicas", "model", "reason", "detail", "shape",
             "per_gpu_batch", "accumulation"]
    suspensions = cell.table("suspensions")
    pauses = dict(iter(suspensions.groupby("attempt"))) if len(suspensions) else {}
    for row in merged.itertuples():
        place = (FIRST_NODE + int(row.node), FIRST_LANE + int(row.lane))
        yield _slice(*place, names.get(row.job, f"job {row.job}"), row.begin, row.end, "attempt",
                     _arguments(row, shown))
        first = min(row.first_step, row.end) if row.first_step >= 0 else row.end
        if first > row.begin:
            yield _slice(*place, "start-up", row.begin, first, "start-up", {})
        for pause in pauses[row.attempt].itertuples() if row.attempt in pauses else ():
            yield _slice(*place, "suspended", pause.begin, pause.end, "suspended", {})


def _waits(cell: Cell) -> pd.DataFrame:
    """Spans of waiting, with their causes if those were recorded."""
    if len(cell.table("queue_delay")):
        return cell.table("queue_delay")
    attempts, rows = cell.table("attempts"), []
    runs = {job: list(zip(found["begin"], found["end"]))
            for job, found in attempts.sort_values("begin").groupby("job")} if len(attempts) else {}
    for job in jobs_of(cell).itertuples():
        since = job.arrival
        for begin, end in [*runs.get(job.job, []), (job.end, job.end)]:
            if begin > since:
                rows.append((job.job, "", since, begin))
            since = max(since, end)
    return pd.DataFrame(rows, columns=["job", "cause", "begin", "end"])


def _jobs(cell: Cell, names: dict[int, str], last: float) -> Iterator[dict]:
    yield from _named("process", JOBS, "jobs")
    shown = ["job", "model", "user", "virtual_cluster", "gang", "outcome", "queueing", "attempts",
             "preemptions", "failures"]
    waits = {job: found.sort_values("begin") for job, found in _waits(cell).groupby("job")}
    for job in jobs_of(cell).itertuples():
        common = {"cat": "job", "id": str(job.job), "pid": JOBS, "tid": LIVES}
        whole = {**common, "name": names[job.job]}
        end = job.end if job.end >= 0 else max(last, job.arrival)
        yield {**whole, "ph": "b", "ts": _us(job.arrival), "args": _arguments(job, shown)}
        for wait in waits[job.job].itertuples() if job.job in waits else ():
            inner = {**common, "name": f"waiting: {wait.cause}" if wait.cause else "waiting"}
            yield {**inner, "ph": "b", "ts": _us(wait.begin)}
            yield {**inner, "ph": "e", "ts": _us(wait.end)}
        yield {**whole, "ph": "e", "ts": _us(end)}


def _acts(row) -> str:
    parts = [(row.starts, "start"), (row.stops, "stop"), (row.retunes, "retune"),
             (getattr(row, "resizes", 0), "resize"),
             (getattr(row, "moves", 0), "move"), (getattr(row, "limits", 0), "limit"), (getattr(row, "suspensions", 0), "suspension"),
             (getattr(row, "resumptions", 0), "resumption")]
    said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in parts if count]
    return ", ".join(said) or "no action"


def _scheduler(cell: Cell) -> Iterator[dict]:
    yield from _named("process", SCHEDULER, "scheduler")
    yield from _named("thread", SCHEDULER, "decisions", DECISIONS)
    instant = {"ph": "i", "s": "t", "pid": SCHEDULER}
    for row in cell.table("decisions").itertuples():
        yield {**instant, "tid": DECISIONS, "ts": _us(row.time), "cat": "decision",
               "name": _acts(row),
               "args": _arguments(row, ["latency_us", "actions", "queued", "running"])}
    if cell.recorded("events"):
        yield from _named("thread", SCHEDULER, "events", EVENTS)
    for row in cell.table("events").itertuples():
        yield {**instant, "tid": EVENTS, "ts": _us(row.time), "cat": "event", "name": row.kind,
               "args": _arguments(row, ["job", "attempt", "detail"])}


def _counter(name: str, unit: str, time: float, value: float) -> dict:
    return {"ph": "C", "pid": SCHEDULER, "name": name, "ts": _us(time), "args": {unit: _plain(value)}}


def _counters(cell: Cell) -> Iterator[dict]:
    spans = cell.table("utilisation")
    for column, (name, unit) in COUNTERS.items():
        if column not in spans:
            continue
        changed = spans[spans[column] != spans[column].shift()]
        for time, value in zip(changed["begin"], changed[column]):
            yield _counter(name, unit, time, value)
        if len(spans):
            yield _counter(name, unit, spans["end"].iloc[-1], spans[column].iloc[-1])
    samples = cell.table("device_samples")
    for column, (name, unit) in SAMPLES.items():
        known = samples[(samples[column] >= 0) & (samples["time"] >= 0)] if len(samples) else samples
        for row in known.itertuples():
            yield _counter(f"GPU {row.gpu} {name}", unit, row.time, getattr(row, column))


def events(cell: Cell) -> list[dict]:
    """All events: names first, then by time, with enclosing spans before the spans inside them."""
    jobs = jobs_of(cell)
    names = {job.job: job.name or f"job {job.job}" for job in jobs.itertuples()}
    spans = cell.table("utilisation")
    last = float(spans["end"].max()) if len(spans) else 0.0
    found = [*_scheduler(cell), *_counters(cell), *_lanes(cell), *_attempts(cell, names),
             *_jobs(cell, names, last)]
    # Stable: spans that begin or end at the same instant keep the order of their nesting.
    return sorted(found, key=lambda event: (event.get("ts", -1.0), -event.get("dur", 0.0)))


def write(cell: Cell, path: Path) -> list[str]:
    facts = {key: _plain(cell.attributes[key]) for key in
             ("campaign", "cell", "label", "repetition", "seed", "policy", "engine", "status",
              "software_version") if key in cell.attributes}
    with whole_file(path) as file:
        head = json.dumps({"displayTimeUnit": "ms", "otherData": facts})
        file.write(head[:-1] + ', "traceEvents": [\n')
        file.write(",\n".join(json.dumps(event, allow_nan=False) for event in events(cell)))
        file.write("\n]}\n")
    return []
