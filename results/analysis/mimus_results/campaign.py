# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A campaign: its cells, tidy frames over all of them, and statistics over repetitions."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Iterable

import pandas as pd

from mimus_results import (compare, configurations, frames, isolated, measured, merged, metrics,
                           published, read, sources, sweep, tidy)
from mimus_results.statistics import CONFIDENCE
from mimus_results.sweep import SEPARATOR

Paths = "str | Path | Iterable[str | Path]"


class Campaign:
    """Cells that were read together, in the order of their sources, numbers and repetitions.

    Every frame is tidy: one row per observation, with the columns cell, label, repetition and a
    column per swept key in front, and the units in `frame.attrs["units"]`. Frames of data that was
    not recorded are empty. All frames but those of `table` use complete cells only, because figures
    of an unfinished cell are not figures of the cell.
    """

    def __init__(self, cells: list[read.Cell], absent: list[merged.ListedCell] = (),
                 name: str = "", notes: Iterable[str] = (), of_window: Iterable[str] = ()):
        prefixes = list(dict.fromkeys(cell.prefix for cell in cells))
        self.cells = sorted(cells, key=lambda cell: (prefixes.index(cell.prefix), *_order(cell)))
        #: Cells of a merged campaign that have no result file: not run, or not beside it.
        self.absent = list(absent)
        #: What a reader has to know of these cells, in sentences: what was left out, and why.
        self._notes = [note for note in notes if note]
        self.notes = [*of_window, *filter(None, [*self._notes, _note_on_incomplete(cells)])]
        names = {str(cell.attributes["campaign"]) for cell in cells
                 if cell.attributes.get("campaign")}
        self.name = name or ", ".join(sorted(names))
        self._metrics: pd.DataFrame | None = None

    def window(self, measure: str) -> Campaign:
        """The same cells with another part of the run measured.

        `measure` is `jobs=4000..5000` (by arrival, from 0, the end not included),
        `from=2h,until=20h`, one bound alone, or `all`: docs/campaigns.md. Raises ReadError.
        """
        cells, notes = measured.measured(self.cells, measure)
        return Campaign(cells, self.absent, self.name, self._notes, notes)

    @property
    def measured(self) -> str:
        """The measured part of the cells; empty for the whole run."""
        return ", ".join(dict.fromkeys(cell.measured or "all" for cell in self.cells)
                         if any(cell.measured for cell in self.cells) else ())

    @property
    def complete(self) -> list[read.Cell]:
        """The cells that ran to their end."""
        return [cell for cell in self.cells if cell.is_complete]

    @property
    def labels(self) -> list[str]:
        """The swept values of the cells, each once, in their order."""
        return list(dict.fromkeys(cell.label for cell in self.cells))

    def table(self, name: str) -> pd.DataFrame:
        """A table of the result files over all cells; columns and units: docs/results.md."""
        return tidy.table(self.cells, name)

    def metrics(self) -> pd.DataFrame:
        """All figures: cell, label, repetition, seed, metric, value, unit ("" for a number)."""
        if self._metrics is None:
            self._metrics = metrics.frame(self.cells)
        return self._metrics.copy()

    def jct(self) -> pd.DataFrame:
        """Finished jobs: job, model, user, virtual_cluster, gang [GPUs], jct [s]."""
        return frames.jct(self.complete)

    def queueing(self) -> pd.DataFrame:
        """Mean wait per job by cause and gang class, at every record level: seconds_per_job [s],
        delayed [jobs] (that have waited for the cause; empty in files of older versions)."""
        return frames.queueing(self.complete)

    def allocation(self) -> pd.DataFrame:
        """Each hundredth of the cluster that jobs ask for: requested, allocated, fragmented [GPUs], and
        requested_share, allocated_share, fragmented_share, fragmented_of_idle [1]."""
        return frames.allocation_of(self.complete)

    def tenants(self) -> pd.DataFrame:
        """Virtual clusters whose jobs read data sets: weight, read [B], hit_ratio [1], speedup by the
        cache [1], share [1]: what the cache was worth to it over what it would have been alone."""
        return frames.tenants(self.complete)

    def utilisation(self) -> pd.DataFrame:
        """Spans between changes: begin, end [s], gpus, gpus_held [GPUs], held_share [1]."""
        return frames.utilisation(self.complete)

    def nodes(self) -> pd.DataFrame:
        """Spans between changes of nodes that sleep: begin, end [s], on, booting, asleep [nodes],
        price [1/h] of those that do not sleep. They cover the whole run."""
        return frames.nodes_of(self.complete)

    def goodput(self) -> pd.DataFrame:
        """Windows of steps: begin, end [s], throughput [samples/s], goodput [samples/s at M₀],
        efficiency [1], total_batch [samples], useful [GPU s]; at their ends loss [1] and
        learning_rate [1] over the one that the user set for M₀."""
        return frames.goodput(self.complete)

    def fairness(self) -> pd.DataFrame:
        """Finished jobs: slowdown, bounded_slowdown and rho [1]; docs/results.md, `fairness`."""
        return frames.fairness_of(self.complete)

    def interference(self) -> pd.DataFrame:
        """Mean slowdown of each model beside each set of co-tenants: slowdown [1], seconds [s]."""
        return frames.interference(self.complete)

    def locality(self) -> pd.DataFrame:
        """GPU time and attempts by the worst link inside the gang: gpu_seconds [GPU s], share."""
        return frames.locality(self.complete)

    def step_times(self) -> pd.DataFrame:
        """Steps of each model on each GPU type: steps, their mean step_time [s] and
        samples_per_gpu [samples/s]."""
        return frames.step_times_of(self.complete)

    def energy(self) -> pd.DataFrame:
        """Energy where it was recorded: table, column, node, joules [J]."""
        return frames.energy_of(self.complete)

    def job_energy(self) -> pd.DataFrame:
        """Finished jobs: share of the cell's energy by GPU time, joules [J]."""
        return frames.energy_of_jobs(self.complete)

    def devices(self) -> pd.DataFrame:
        """Physical devices: means of their samples (activity [%], power [W]), joules [J]."""
        return frames.devices_of(self.complete)

    def intervals(self, metric: str | None = None,
                  confidence: float = CONFIDENCE) -> pd.DataFrame:
        """Mean over repetitions of each label and metric, with its interval.

        Columns: label, swept values, metric, unit, mean, half_width, low, high, repetitions, late
        (repetitions whose host could not keep the pace), reason. One repetition, or several equal
        ones, have no interval: low and high are NaN and `reason` says why.
        """
        found = compare.intervals(self._of(metric), confidence)
        swept = pd.DataFrame([{"label": label, **values} for label, values in self.swept.items()])
        if len(swept.columns) > 1:
            found = swept.merge(found, on="label", how="right")
        found = self._said(found)
        found.attrs["units"] = {name: "see the column unit"
                                for name in ("mean", "half_width", "low", "high")}
        return found

    @property
    def swept(self) -> dict[str, dict]:
        """The swept values of each label, by the paths of their keys."""
        return {cell.label: cell.swept for cell in reversed(self.cells)}

    def compare(self, metric: str, baseline: str | None = None,
                confidence: float = CONFIDENCE) -> pd.DataFrame:
        """Labels against others on the same seeds; see mimus_results.compare.paired."""
        try:
            found = compare.paired(self._of(metric), self.labels, baseline, confidence)
        except sweep.BaselineError as error:
            raise read.ReadError(str(error)) from error
        found = self._said(found)
        found.attrs["units"] = {name: "see the column unit" for name in
                                ("mean_baseline", "mean", "difference", "difference_low",
                                 "difference_high")}
        return found

    def published(self) -> pd.DataFrame:
        """Means over repetitions beside the figures that the campaign's key `published` names:
        label, metric, unit, mean, half_width, repetitions, published, difference, source."""
        found = published.beside(self.complete, compare.intervals(self.metrics()))
        return self._said(found)

    def _said(self, found: pd.DataFrame) -> pd.DataFrame:
        """The frame with a column for the measured window, if it is not the whole run."""
        return found.assign(measured=self.measured) if self.measured else found

    def _of(self, metric: str | None) -> pd.DataFrame:
        found = self.metrics()
        if metric is None:
            return found
        if metric not in metrics.METRICS:
            raise read.ReadError(f'unknown metric "{metric}"; allowed: '
                                 f'{", ".join(metrics.METRICS)}')
        return found[found["metric"] == metric]


def _order(cell: read.Cell) -> tuple:
    number = re.match(r"\d+", cell.id)
    return (int(number.group()) if number else -1, "" if number else cell.id, cell.repetition)


def _note_on_incomplete(cells: list[read.Cell]) -> str:
    states = Counter(cell.status for cell in cells if not cell.is_complete)
    if not states:
        return ""
    said = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    return (f"not complete: {sum(states.values())} of {len(cells)} cells ({said}); they count in no "
            "interval, comparison or distribution")


def load(paths: Paths, measure: str | None = None) -> Campaign:
    """Reads result files, folders of them, or merged campaign files. Raises ReadError.

    A folder means its cells, finished (`.h5`) or not (`.h5.part`). If a folder has files of several
    configurations of a campaign, those of the newest are read, with a warning. If the cells come
    from several folders or campaigns, labels begin with the name of the folder or campaign. Tables
    are read on first use. `measure` is as in `Campaign.window`; without it each file says what is
    measured.
    """
    paths = [Path(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
    merged_files = [merged.load_merged(path) for path in paths if _is_merged(path)]
    loose = [path for path in paths if not _is_merged(path)]
    found, notes = read.load_each(loose, _load_usable) if loose else ([], [])
    cells, others = configurations.newest(found)
    notes = [note for note in [*notes, configurations.note_on(others)] if note]
    for note in notes:
        warnings.warn(note, stacklevel=2)
    cells += [cell for file in merged_files for cell in file.cells]
    absent = _told_apart(cells, merged_files)
    cells, of_window = measured.measured(cells, measure)
    return Campaign(cells, absent, ", ".join(file.name for file in merged_files if file.name),
                    notes, of_window)


def _load_usable(path: Path) -> read.Cell:
    """Opens one file. Raises ReadError.

    Damaged bytes of a file without checksums may be readable without meaning, so a child process
    that may fail computes its figures first.
    """
    cell = read.load_cell(path)
    if not cell.is_verified:
        isolated.call(path, lambda: (tidy.identified(cell, pd.DataFrame()),
                                     cell.recorded("figures") and metrics.of_cell(cell)))
    return cell


def _is_merged(path: Path) -> bool:
    return path.is_file() and merged.is_merged(path)


def _told_apart(cells: list[read.Cell],
                merged_files: list[merged.MergedFile]) -> list[merged.ListedCell]:
    """Prepends the name of the campaign to labels. Returns the absent cells with the same
    prefix."""
    names = sources.names([sources.of(cell) for cell in cells])
    for cell in cells:
        cell.prefix = names[sources.of(cell)]
    absent = []
    for file in merged_files:
        prefix = file.cells[0].prefix
        absent += [cell._replace(label=prefix + SEPARATOR + (cell.label or cell.id)) if prefix
                   else cell for cell in file.absent]
    return absent
