# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Data that the sections of a report share, read once: figures of all cells, details of a few."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mimus_results import fairness, frames, metrics, totals
from mimus_results.campaign import Campaign
from mimus_results.read import Cell
from mimus_results.report import choose

# In every file and small: a row per quantile, per pair of models and per device.
_KEPT = ("figures", "totals", "quantiles", "energy", "nodes", "allocation")
MOST_SUMS = 20_000
_OF_JOBS = ("jobs", "attempts", "fairness")


class Facts:
    """Figures of all cells, and which labels and cells are drawn.

    Figures of half a cell are not figures of the cell: those of cells that are not complete stand
    in the table of cells and nowhere else. What happened in a single cell is drawn of any.
    """

    def __init__(self, campaign: Campaign, baseline: str | None = None):
        self.campaign = campaign
        self.cells = campaign.cells
        self.complete = campaign.complete
        self.labels = campaign.labels
        self.baseline = baseline
        #: ρ of the finished jobs, where jobs were recorded and read.
        self.rho: dict[Cell, np.ndarray] = {}
        #: GPU seconds of complete cells by label and locality level, likewise.
        self.locality: dict[str, pd.Series] = {}
        self.jobs_left_out = 0
        #: Every figure that is known, by name.
        self.figures: dict[Cell, dict[str, float]] = self._read()
        self.metrics = metrics.frame(self.cells, self.figures.__getitem__)
        means = self.metrics[self.metrics["metric"] == "jct_mean"].groupby("label")["value"].mean()
        self.drawn = choose.by_rank(totals.labels(self.complete), means, choose.MOST_LABELS)
        few = choose.by_rank(self.labels, means, choose.MOST_CELLS)
        many = choose.by_rank(self.labels, means, choose.MOST_LABELS)
        self.detailed = choose.first_repetitions(self.cells, few)
        self.first = choose.first_repetitions(self.cells, many)
        #: The same with all of their run, to show what happened in it.
        self.runs = [cell.whole for cell in self.first]
        self.detailed_runs = [cell.whole for cell in self.detailed]

    def drawn_note(self) -> str:
        return choose.sentence(len(self.drawn), len(totals.labels(self.complete)), "labels")

    def nothing_yet(self) -> str:
        """Why there are no figures to compare or to summarise."""
        return "No job has ended yet." if self.complete else "No cell is complete yet."

    def of_label(self, label: str) -> list[Cell]:
        """The complete cells of a label."""
        return [cell for cell in self.complete if cell.label == label]

    def values(self, metric: str) -> dict[str, np.ndarray]:
        """One value per repetition, by label."""
        rows = self.metrics[self.metrics["metric"] == metric]
        return {label: group["value"].to_numpy()
                for label, group in rows.groupby("label", sort=False)}

    def _read(self) -> dict[Cell, dict[str, float]]:
        budget = choose.MOST_JOBS
        figures = {}
        for cell in self.cells:
            cell.tables.fetch(_KEPT + _OF_JOBS, max(budget, MOST_SUMS))
            count = totals.of_all(cell).get("jobs", 0)
            if cell.recorded("jobs") and count <= budget:
                budget -= count
                self._read_jobs(cell)
            elif cell.recorded("jobs"):
                self.jobs_left_out += 1
            figures[cell] = metrics.of_cell(cell)
            cell.tables.forget(but=_KEPT)
        return figures

    def _read_jobs(self, cell: Cell) -> None:
        totals.values_of_jobs(cell, "jct")  # kept when the table is freed
        jobs = fairness.job_fairness(cell)
        if jobs.empty:
            return
        self.rho[cell] = jobs["rho"].dropna().to_numpy()
        attempts = cell.table("attempts")
        if cell.is_complete and not attempts.empty:
            seconds = frames.gpu_seconds(attempts)
            levels, codes = np.unique(attempts["locality"].to_numpy(str), return_inverse=True)
            by_level = pd.Series(np.bincount(codes, weights=seconds), index=levels)
            before = self.locality.get(cell.label)
            self.locality[cell.label] = (by_level if before is None
                                         else before.add(by_level, fill_value=0))
