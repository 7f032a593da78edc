# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package gives the same results at every `record` level."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

from mimus_results import compare, metrics, read, slowdowns, totals, windows
from mimus_results.figures import (FIGURES, comparison, grid, queueing, queueing_by_gang, style,
                                   timeline)
from in_memory import figures_of, totals_of, with_counts

WRITER = os.environ.get("MIMUS_SYNTHETIC_GRID")


def cell_of(label="c", **tables):
    return read.Cell(Path(f"{label}.h5"), {"label": label}, with_counts(tables))


class Levels(unittest.TestCase):
    """The 18 cells of tests/python/synthetic_grid.cpp at the levels jobs and summary."""

    @classmethod
    def setUpClass(cls):
        if not WRITER:
            raise unittest.SkipTest("MIMUS_SYNTHETIC_GRID does not name the writer")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.cells = {}
        for level in ("jobs", "summary"):
            folder = Path(cls.temporary.name) / level
            folder.mkdir()
            subprocess.run([WRITER, str(folder), level], check=True)
            cls.cells[level] = read.load_all(folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_a_summary_has_no_jobs_but_the_same_totals(self):
        for jobs, summary in zip(self.cells["jobs"], self.cells["summary"]):
            self.assertFalse(summary.recorded("jobs"))
            pd.testing.assert_series_equal(totals.totals(jobs), totals.totals(summary))
            self.assertEqual(metrics.of_cell(jobs), metrics.of_cell(summary))
            self.assertIn("rho_jain", metrics.of_cell(summary))

    def test_totals_are_those_of_the_jobs(self):
        cell = self.cells["jobs"][0]
        sums, jobs = totals.totals(cell), cell.table("jobs")
        classes = pd.cut(jobs["gang"], [0, 1, 4, 8, np.inf], labels=totals.GANG_CLASSES)
        for name in totals.GANG_CLASSES:
            of_class = jobs[classes == name]
            self.assertEqual(sums["jobs", name], len(of_class))
            self.assertAlmostEqual(sums["wait_order", name] / of_class["wait_order"].sum(), 1.0)

    def test_quantiles_are_those_of_numpy(self):
        cell = self.cells["jobs"][0]
        jct = cell.table("jobs")["jct"]
        for fraction in (0.5, 0.9, 0.99, 0.999):
            self.assertAlmostEqual(totals.quantile(cell, "jct", fraction) /
                                   np.quantile(jct, fraction), 1.0, places=12)

    def test_a_distribution_from_quantiles_follows_that_of_the_jobs(self):
        values, share = totals.distribution(self.cells["summary"][:1], "jct")
        jct = np.sort(self.cells["jobs"][0].table("jobs")["jct"])
        exact = np.searchsorted(jct, values, side="right") / len(jct)
        self.assertLess(np.abs(share - exact).max(), 0.006)

    def test_figures_of_jobs_need_no_table_of_jobs(self):
        with tempfile.TemporaryDirectory() as other:
            for name in ("comparison", "jct", "queueing", "queueing_by_gang"):
                files = FIGURES[name](self.cells["summary"], Path(other)).files
                self.assertEqual([file.name for file in files], [f"{name}.png", f"{name}.pdf"])

    def test_figures_without_their_tables_are_left_out_with_a_reason(self):
        with tempfile.TemporaryDirectory() as other:
            for name, word in (("utilisation", "comparison"), ("goodput", "steps"),
                               ("timeline", "18 cells: no placements"),
                               ("interference", "shared")):
                files, notes = FIGURES[name](self.cells["summary"], Path(other))
                self.assertEqual(files, [])
                self.assertIn(word, notes[0])

    def test_a_timeline_of_thousands_of_jobs_is_left_out(self):
        with tempfile.TemporaryDirectory() as other:
            files, notes = timeline.draw(self.cells["jobs"][:2], Path(other))
        self.assertEqual(files, [])
        self.assertEqual(notes, ["fifo / nodes-16, fifo / nodes-24: 2500 jobs, more than the 2000 "
                                 "that a reader could distinguish."])


class Sums(unittest.TestCase):
    def test_a_figure_of_a_label_is_the_mean_over_its_repetitions_everywhere(self):
        # Repetitions of 2 and of 4 jobs: waits of 15 and 3 s per job, 9 on average.
        runs = [cell_of(totals=totals_of(jobs=jobs, wait_capacity=waits),
                        figures=figures_of(jobs=jobs, queueing_mean=waits / jobs, gpu_allocated=held,
                                           makespan=makespan))
                for jobs, waits, held, makespan in ((2, 30, 0.75, 10), (4, 12, 0.25, 20))]
        drawn = comparison.figures_of(runs)
        said = compare.intervals(metrics.frame(runs)).set_index("metric")["mean"]
        self.assertEqual(totals.mean_waits(runs).loc["c", "capacity"], 9)
        for name, expected in (("queueing_mean", 9), ("gpu_allocated", 0.5), ("makespan", 15)):
            self.assertAlmostEqual(drawn[name].loc["c", "mean"], expected)
            self.assertAlmostEqual(said[name], expected)

    def test_bands_of_distributions_are_students_intervals_of_the_share(self):
        # At 5 s the shares are 0.25, 0.5 and 0.75: deviation 0.25, t(0.975; 2) = 4.302653.
        runs = [cell_of(quantiles=pd.DataFrame({"metric": "jct", "group": "all",
                                                "fraction": [0.0, 1.0], "value": values}))
                for values in ([0.0, 20.0], [0.0, 10.0], [0.0, 20 / 3])]
        half = totals.half_widths(runs, "jct", np.array([5.0]))
        self.assertAlmostEqual(half[0], 4.302653 * 0.25 / 3 ** 0.5, places=6)
        self.assertIsNone(totals.half_widths(runs[:1], "jct", np.array([5.0])))

    def test_distributions_of_repetitions_are_weighted_by_jobs(self):
        def cell(jobs, values):
            return cell_of(
                totals=pd.DataFrame({"metric": ["jobs", "finished"], "group": "all",
                                     "value": [jobs, jobs]}),
                quantiles=pd.DataFrame({"metric": "jct", "group": "all", "fraction": [0.0, 1.0],
                                        "value": values}))
        values, share = totals.distribution([cell(3.0, [0.0, 10.0]), cell(1.0, [10.0, 20.0])],
                                            "jct")
        np.testing.assert_allclose(values, [0, 10, 20])
        np.testing.assert_allclose(share, [0, 0.75, 1])

    def test_waits_are_divided_by_the_jobs_of_their_gang_class(self):
        rows = [("jobs", "all", 4), ("jobs", "1", 3), ("jobs", ">8", 1), ("wait_quota", "1", 6),
                ("wait_quota", ">8", 8), ("first_arrival", "all", 0), ("last_end", "all", 1)]
        cell = cell_of(totals=pd.DataFrame(rows, columns=["metric", "group", "value"]))
        means = queueing_by_gang.means_by_gang([cell])["c"]
        self.assertEqual(means.loc["1", "quota"], 2)
        self.assertEqual(means.loc[">8", "quota"], 8)

    def test_gang_classes_without_jobs_have_no_mean(self):
        rows = [("jobs", "all", 3), ("jobs", "1", 3), ("jobs", ">8", 0), ("wait_order", "1", 6),
                ("wait_order", ">8", 0), ("first_arrival", "all", 0), ("last_end", "all", 1)]
        cell = cell_of(totals=pd.DataFrame(rows, columns=["metric", "group", "value"]))
        self.assertEqual(list(queueing_by_gang.means_by_gang([cell])["c"].index), ["1"])

    def test_slowdowns_of_pairs_come_from_totals(self):
        pair = "a beside b+c"
        rows = pd.DataFrame([("pair_periods", pair, 3), ("pair_seconds", pair, 10),
                             ("slowdown_seconds", pair, 15), ("pair_seconds", "all", 99)],
                            columns=["metric", "group", "value"])
        means = slowdowns.of_totals(rows)
        self.assertAlmostEqual(means.loc[("a", "b+c"), "slowdown"], 1.5)
        self.assertEqual(len(means), 1)

    def test_held_share_is_the_integral_over_each_bin(self):
        rows = pd.DataFrame({"begin": [0.0, 10], "end": [10.0, 20], "gpus": [4, 2],
                             "gpus_held": [1, 2]})
        np.testing.assert_allclose(windows.held_share(rows, np.array([0.0, 5, 15, 20])),
                                   [0.25, (5 + 10) / (20 + 10), 1.0])


class Shapes(unittest.TestCase):
    GRID = [f"{a} / {b}" for a in ("fifo", "srtf", "las") for b in ("8", "16", "32", "64")]

    def test_labels_of_two_swept_values_form_a_grid(self):
        cells = grid.of(self.GRID)
        self.assertEqual(cells.first, ["fifo", "srtf", "las"])
        self.assertEqual(cells.second, ["8", "16", "32", "64"])
        self.assertEqual(cells.label[grid.Place("las", "16")], "las / 16")

    def test_labels_of_one_swept_value_do_not(self):
        self.assertFalse(grid.of(["fifo", "srtf"]).is_grouped)
        self.assertFalse(grid.of(["a / 1", "b / 2", "c / 3", "d / 4"]).is_grouped)

    def test_many_curves_go_into_a_panel_for_each_value_of_the_shorter_side(self):
        panels = grid.panels(self.GRID)
        self.assertEqual([panel.title for panel in panels], ["fifo", "srtf", "las"])
        self.assertEqual(panels[0].curves["16"], "fifo / 16")
        self.assertEqual(len(grid.panels(self.GRID[:8])), 1)

    def test_legends_fit_and_have_even_rows(self):
        self.assertEqual(style.legend_columns(["abc"] * 6, 5.0), 3)
        self.assertEqual(style.legend_columns(["a" * 60, "b"], 5.0), 1)

    def test_durations_are_said_as_people_say_them(self):
        self.assertEqual([style.duration(s) for s in (0, 0.5, 119, 600, 7200, 86400 * 5.63)],
                         ["0", "0.5 s", "119 s", "10 min", "2 h", "5.63 d"])

    def test_panels_of_a_grid_have_one_scale(self):
        self.assertEqual(queueing_by_gang.arrange(self.GRID).places["srtf / 16"], (1, 1))
        cells = [cell_of(label, totals=pd.DataFrame(
            {"metric": ["jobs", "jobs", "wait_order", "wait_order"], "group": ["all", "1"] * 2,
             "value": [1.0, 1, wait, wait]})) for wait, label in ((5, "a / 1"), (9000, "b / 1"))]
        with mock.patch.object(style, "save", lambda fig, *_: fig):
            fig = queueing_by_gang.draw(cells, Path())
        self.assertEqual(len({axes.get_ylim() for axes in fig.axes}), 1)

    def test_comparison_knows_what_it_does_not_know(self):
        cell = cell_of(figures=figures_of(jobs=1, jobs_finished=1, jct_mean=9, makespan=9))
        with tempfile.TemporaryDirectory() as other:
            files, notes = comparison.draw([cell], Path(other))
        self.assertEqual(len(files), 2)
        self.assertIn("p99 JCT: not known.", notes)


if __name__ == "__main__":
    unittest.main()
