# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Hyper-parameter searches: validations, their cost, and the section of the report."""

import unittest

import numpy as np
import pandas as pd

from mimus_results import Campaign, searches
from mimus_results.report import build
from in_memory import figures_of, totals_of
from test_report_page import Outline, cell_of

TRIAL_COLUMNS = ["job", "application", "trial", "learning_rate", "batch", "rung", "time", "since_arrival",
                 "progress", "loss", "goes_on"]
# Search a begins at 0 s and b at 100 s.
TRIALS = pd.DataFrame([
    (0, "a", 0, 0.5, 128, 0, 50.0, 50.0, 0.25, 0.9, 1), (1, "a", 1, 1.0, 128, 0, 60.0, 60.0, 0.25, 1.5, 0),
    (2, "b", 0, 0.2, 256, 0, 150.0, 50.0, 0.25, 2.0, 1), (0, "a", 0, 0.5, 128, 1, 200.0, 200.0, 1.0, 0.4, 1),
    (2, "b", 0, 0.2, 256, 1, 300.0, 200.0, 1.0, 1.0, 1)], columns=TRIAL_COLUMNS)
JOBS = pd.DataFrame({"job": [0, 1, 2], "application": ["a", "a", "b"], "model": "resnet18", "gang": [1, 2, 1],
                     "outcome": ["finished", "killed", "finished"], "jct": [200.0, -1.0, 200.0]})
ATTEMPTS = pd.DataFrame({"job": [0, 1, 2], "begin": [0.0, 10.0, 100.0], "end": [200.0, 60.0, 300.0],
                         "replicas": [1, 2, 1], "gpu_share": 1.0, "locality": "gpu"})


def cell(**more):
    tables = {"trials": TRIALS, "jobs": JOBS, "attempts": ATTEMPTS,
              "totals": totals_of(jobs=3, finished=2, searches=2),
              "figures": figures_of(jobs=3, jobs_finished=2, jobs_killed=1, jct_mean=200, best_loss=0.7,
                                    best_loss_time=200)}
    return cell_of("asha", **{**tables, **more})


class Searches(unittest.TestCase):
    def test_each_validation_has_what_its_search_had_used_and_found(self):
        rows = searches.validations(cell())

        self.assertEqual(rows["application"].tolist(), ["a", "a", "a", "b", "b"])
        self.assertEqual(rows["best"].tolist(), [0.9, 0.9, 0.4, 2.0, 1.0])
        # Two GPUs from 10 s to 60 s beside one from 0 s to 200 s; then one from 100 s to 300 s.
        np.testing.assert_allclose(rows["gpu_seconds"], [50 + 80, 60 + 100, 200 + 100, 50, 200])

    def test_without_attempts_the_cost_is_not_known(self):
        self.assertTrue(searches.validations(cell(attempts=pd.DataFrame()))["gpu_seconds"].isna().all())

    def test_curves_are_means_of_searches_once_all_have_found_something(self):
        rows = [search for _, search in searches.validations(cell()).groupby("application")]

        found = searches.best_until(rows, "since_arrival", np.array([0.0, 50.0, 199.0, 200.0, 900.0]))

        np.testing.assert_allclose(found, [np.nan, 1.45, 1.45, 0.7, 0.7])

    def test_rungs_count_the_trials_of_all_repetitions(self):
        found = searches.rungs([cell(), cell()])

        self.assertEqual(found.to_numpy().tolist(), [[0, 0.25, 6, 2], [1, 1.0, 4, 0]])

    def test_the_report_has_curves_figures_rungs_and_best_trials(self):
        page = build(Campaign([cell()]))
        section = page.partition('<section id="search"')[2].partition("</section>")[0]

        self.assertEqual(Outline(page).problems, [])
        for text in ("Best loss over time", "Best loss over GPU time", "time since the search arrived",
                     "cancelled jobs", "stopped there", "Best trial of each search"):
            self.assertIn(text, section)
        self.assertEqual(section.count('class="line k0'), 3)  # both curves, and the legend

    def test_other_campaigns_say_why_they_have_none(self):
        page = build(Campaign([cell(trials=pd.DataFrame(), totals=totals_of(jobs=3, finished=2))]))
        self.assertIn("No search has validated a trial", page)


if __name__ == "__main__":
    unittest.main()
