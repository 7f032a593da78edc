# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A cell restricted to a window: jobs k to n by arrival, or a span of emulated time.

Its tables hold what is measured, so that every figure of them is one of the window. Jobs of the
window count with all of their time; the rest is within a span, which is that of the measured jobs,
from their first arrival to their last end, or the part of the run that was asked for. The same in
C++: results/totals/windowed_totals.cpp.
"""

from __future__ import annotations

import math
import re
from typing import Iterable, NamedTuple

import numpy as np
import pandas as pd

from mimus_results import program
from mimus_results.read import Cell, ReadError, Tables

_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BOUND = re.compile(r"(from|until)=(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?) ?([a-z]+)")
_JOBS = re.compile(r"jobs=(\d*)\.\.(\d*)")

# Tables whose rows belong to one job, and tables whose rows belong to an instant.
_OF_JOBS = ("jobs", "attempts", "steps", "pairs", "queue_delay", "collectives", "kernel_times",
            "fairness")
_OF_INSTANTS = ("events", "decisions", "device_samples")


class Window(NamedTuple):
    """A half-open window: jobs by their place in the order of arrival, or a span of emulated
    time [s]."""

    first_job: float = 0
    jobs_end: float = math.inf
    begin: float = 0.0
    until: float = math.inf
    #: As it was given; "all" for the whole run.
    text: str = "all"

    @property
    def is_whole(self) -> bool:
        return self[:4] == Window()[:4]

    @property
    def is_of_jobs(self) -> bool:
        return self[:2] != Window()[:2]

    def measures(self, jobs: pd.DataFrame) -> np.ndarray:
        """Selects the rows of `jobs` that are measured. A span of time measures the jobs that
        arrive in it."""
        return ((jobs["job"] >= self.first_job) & (jobs["job"] < self.jobs_end)
                & (jobs["arrival"] >= self.begin) & (jobs["arrival"] < self.until)).to_numpy()


def window_of(text: str) -> Window:
    """The window that `jobs=4000..5000`, `from=2h,until=20h`, one bound alone or `all` names.

    Raises ReadError.
    """
    refusal = ReadError(f'"{text}" is not a window; give jobs=4000..5000 (by arrival, from 0, the end '
                        "not included), from=2h,until=20h, one bound alone, or all")
    if text == "all":
        return Window()
    jobs = _JOBS.fullmatch(text)
    if jobs:
        first, end = int(jobs[1] or 0), float(jobs[2] or "inf")
        if first >= end or jobs[1] + jobs[2] == "":
            raise refusal
        return Window(first_job=first, jobs_end=end, text=text)
    bounds = {}
    for part in text.split(","):
        bound = _BOUND.fullmatch(part)
        if not bound or bound[3] not in _SECONDS:
            raise refusal
        bounds[bound[1]] = float(bound[2]) * _SECONDS[bound[3]]
    begin, until = bounds.get("from", 0.0), bounds.get("until", math.inf)
    if until <= begin:
        raise refusal
    return Window(begin=begin, until=until, text=text)


class MeasuredCell(Cell):
    """A cell of which `window` is measured. Raises ReadError if that is impossible."""

    def __init__(self, whole: Cell, window: Window):
        jobs = whole.table("jobs")
        if not whole.recorded("jobs"):
            raise ReadError(f"{whole.path}: keeps no jobs (record: summary), so that only the whole "
                            f"run can be measured, not {window.text}; run it with record: jobs")
        chosen = jobs[window.measures(jobs)] if len(jobs) else jobs
        if whole.is_complete and chosen.empty:
            raise ReadError(f"{whole.path}: {window.text} measures none of its {len(jobs)} jobs, "
                            f"which are jobs=0..{len(jobs)}{_arrivals(jobs)}")
        run = _lifetime(jobs)
        #: Within which everything but jobs is measured [s].
        self.span = (_lifetime(chosen) if window.is_of_jobs else
                     (max(window.begin, run[0]), min(window.until, run[1])))
        self.ids = chosen["job"].to_numpy() if len(chosen) else np.empty(0, dtype=int)
        covers = len(chosen) == len(jobs) and self.span[0] <= run[0] and self.span[1] >= run[1]
        super().__init__(whole.path, whole.attributes,
                         whole.tables if covers else MeasuredTables(self, whole))
        self.prefix = whole.prefix
        self.measured = window.text
        self._whole = whole

    @property
    def whole(self) -> Cell:
        return self._whole


def _arrivals(jobs: pd.DataFrame) -> str:
    return (f" and arrived from {jobs['arrival'].min():.6g} s to {jobs['arrival'].max():.6g} s"
            if len(jobs) else "")


def _lifetime(jobs: pd.DataFrame) -> tuple[float, float]:
    """First arrival and last end [s]. The end is infinite if a job has not ended."""
    if jobs.empty:
        return math.inf, -1.0
    end = jobs["end"].max() if (jobs["end"] >= 0).all() else math.inf
    return float(jobs["arrival"].min()), float(end)


class MeasuredTables(Tables):
    """The measured part of the tables of `whole`."""

    def __init__(self, cell: MeasuredCell, whole: Cell):
        super().__init__(whole.path, list(whole.tables))
        self._cell = cell
        self._whole = whole

    def forget(self, but: Iterable[str] = ()) -> None:
        super().forget(but)
        if isinstance(self._whole.tables, Tables):
            self._whole.tables.forget()

    def _load(self, names: list[str], most_rows: int | None) -> dict[str, pd.DataFrame]:
        found = {name: self._computed(name) if name in program.COLUMNS else
                 self._cut(name, self._whole.table(name)) for name in names}
        return {name: rows for name, rows in found.items()
                if most_rows is None or len(rows) <= most_rows}

    def _computed(self, name: str) -> pd.DataFrame:
        merged = self._whole.merged_figures
        if merged is None:
            return program.table(self._cell, name)
        if self._cell.measured != self._whole.attributes.get("measure"):
            raise ReadError(f"{self._whole.path}: has been copied without the files of its cells and "
                            f"knows no figures of {self._cell.measured}; load it where they are")
        return merged if name == "figures" else pd.DataFrame(columns=program.COLUMNS[name])

    def _cut(self, name: str, rows: pd.DataFrame) -> pd.DataFrame:
        begin, end = self._cell.span
        if rows.empty:
            return rows
        if name in _OF_JOBS:
            return rows[rows["job"].isin(self._cell.ids)].reset_index(drop=True)
        if name in _OF_INSTANTS:
            return rows[rows["time"].between(begin, end)].reset_index(drop=True)
        if name == "placements":
            return rows[(rows["end"] > begin) & (rows["begin"] < end)].reset_index(drop=True)
        if name == "utilisation":
            rows = rows.assign(begin=rows["begin"].clip(lower=begin),
                               end=rows["end"].clip(upper=end))
            return rows[rows["begin"] < rows["end"]].reset_index(drop=True)
        if name == "gpus":  # of the whole run only
            return rows.assign(held=np.nan, shared=np.nan, busy=np.nan, allocated=np.nan)
        if name == "energy":  # the same; the value of the window is a figure
            return rows.assign(joules=-1.0, span=np.nan, mean_power=-1.0)
        if name == "nodes":  # likewise
            return rows.assign(on=np.nan, booting=np.nan, asleep=np.nan, used=np.nan, joules=-1.0)
        return rows


def measured(cells: Iterable[Cell], text: str | None) -> tuple[list[Cell], list[str]]:
    """The cells as the window `text` shows them, or what each says itself is to be measured; and
    notes on what was left out. Raises ReadError where nothing is left."""
    found, notes = [], []
    for cell in cells:
        window = window_of(text or str(cell.attributes.get("measure") or "all"))
        try:
            found.append(cell.whole if window.is_whole else MeasuredCell(cell.whole, window))
        except ReadError as error:
            notes.append(f"left out: {error}")
    if not found and notes:
        raise ReadError(notes[0].removeprefix("left out: "))
    windows = dict.fromkeys(cell.measured for cell in found if cell.measured)
    return found, [*(f"measured: {name}" for name in windows), *notes]
