# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Cells that did not run to their end are shown with their state and do not count in statistics."""

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path

import pandas as pd

from mimus_results import Campaign, cli, read, report
from mimus_results.figures import draw
from in_memory import figures_of, totals_of, with_counts
from test_report_page import TablesInMemory
from test_results_sources import write_cell

REPETITIONS = 6


class CellInMemory(read.Cell):
    config, command_line = "", ""


def cell_of(label, repetition, jct, status="complete"):
    """A cell of jobs that all took `jct`; one that was stopped has seen the short ones only."""
    jobs = pd.DataFrame({"job": range(4), "model": "m", "user": "", "virtual_cluster": "", "gang": 1,
                         "outcome": "finished", "arrival": 0.0, "end": jct, "jct": jct,
                         "running": jct, "gpu_seconds": jct, "queueing": 1.0})
    attempts = pd.DataFrame({"attempt": range(4), "job": range(4), "begin": 0.0, "end": jct,
                             "replicas": 1, "gpu_share": 1.0, "locality": "same_gpu"})
    fairness = pd.DataFrame({"job": range(4), "solo": jct, "service": jct, "mean_active": 4.0,
                             "slowdown": 1.0, "bounded_slowdown": 1.0, "rho": 1.0})
    figures = figures_of(jobs=4, jobs_finished=4, jct_mean=jct, queueing_mean=1, makespan=jct)
    number = {"fifo": 1, "sjf": 2}[label]
    return CellInMemory(Path(f"{label}-r{repetition}.h5"), {
        "cell": f"{number:03}-{label}-r{repetition}", "label": label, "repetition": repetition,
        "seed": str(repetition), "status": status},
        TablesInMemory(with_counts(dict(
            jobs=jobs, attempts=attempts, fairness=fairness, figures=figures,
            totals=totals_of(jobs=4, finished=4, wait_order=4)))))


def campaign_with_one(status):
    """Two labels of six repetitions; the first one of sjf is in this state, and far quicker."""
    cells = [cell_of("fifo", k, 100.0 + 7 * k) for k in range(REPETITIONS)]
    cells += [cell_of("sjf", k, 90.0 + 6 * k) for k in range(1, REPETITIONS)]
    return Campaign([*cells, cell_of("sjf", 0, 1.0, status)])


class HalfACell(unittest.TestCase):
    def test_it_makes_no_pair_and_no_repetition(self):
        for status in ("interrupted", "failed", "running"):
            campaign = campaign_with_one(status)
            row = campaign.compare("jct_mean").iloc[0]
            self.assertEqual((row.pairs, row.verdict), (5, "no verdict"), status)
            counts = campaign.intervals("jct_mean").set_index("label")["repetitions"]
            self.assertEqual(counts.to_dict(), {"fifo": 6, "sjf": 5})
        self.assertEqual(campaign_with_one("complete").compare("jct_mean").iloc[0].pairs, 6)

    def test_no_frame_but_the_tables_of_the_files_has_its_rows(self):
        campaign = campaign_with_one("interrupted")
        self.assertEqual(len(campaign.table("jobs")), 4 * 12)
        for frame in (campaign.jct(), campaign.fairness()):
            self.assertEqual(len(frame), 4 * 11)
        self.assertEqual(campaign.jct()["jct"].min(), 96)

    def test_it_is_named_in_a_note(self):
        said = "not complete: 1 of 12 cells (1 interrupted)"
        campaign = campaign_with_one("interrupted")
        self.assertEqual(len(campaign.notes), 1)
        self.assertIn(said, campaign.notes[0])
        self.assertIn(said, report.build(campaign))
        self.assertEqual(campaign_with_one("complete").notes, [])

    def test_the_report_shows_it_in_the_table_of_cells_only(self):
        facts = report.facts.Facts(campaign_with_one("interrupted"))
        half = next(cell for cell in facts.cells if not cell.is_complete)
        self.assertEqual(facts.figures[half]["jct_mean"], 1)
        self.assertEqual(len(facts.values("jct_mean")["sjf"]), 5)
        self.assertEqual(facts.locality["sjf"].sum(), 4 * sum(96 + 6 * k for k in range(5)))
        page = report.build(facts.campaign)
        self.assertRegex(re.sub(r"<[^>]*>", " ", page), r"sjf\s+0\s+interrupted\s+4/4\s+1\s")

    def test_a_comparison_of_nothing_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            write_cell(Path(folder) / "a.h5", 10.0, status="interrupted")
            with contextlib.redirect_stdout(io.StringIO()), \
                    contextlib.redirect_stderr(io.StringIO()) as err:
                cli.main(["compare", folder])
        self.assertIn("nothing to compare: 0 of 1 labels have jct_mean; has a job finished in a "
                      "complete cell?", err.getvalue())

    def test_of_nothing_complete_there_is_a_page_and_no_figure(self):
        campaign = Campaign([cell_of("fifo", 0, 5.0, "running")])
        self.assertIn("No cell is complete yet.", report.build(campaign))
        with tempfile.TemporaryDirectory() as folder:
            drawing = draw(campaign.cells, Path(folder), ["jct"])["jct"]
        self.assertEqual(drawing, ([], ["No cell is complete yet."]))


if __name__ == "__main__":
    unittest.main()
