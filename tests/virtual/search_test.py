#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Hyper-parameter searches: search_test.py MIMUS [unittest args]."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

MIMUS = None
LIMIT_S = 100
TRIALS = 24
ASHA = {"rule": "asha", "halving": {"first_rung": 0.05, "reduction": 3}}
RANDOM = {"rule": "random"}
SEARCHES = (b"search-0", b"search-1")


class Search(unittest.TestCase):
    def run_cell(self, rule, policy="fifo", gpus=2, **engine):
        """Tables of a run as lists of rows, and its figures."""
        document = {
            "schema": 1, "name": "search", "seed": 5,
            "cluster": {"nodes": 2, "gpus_per_node": gpus, "gpu": "T4"},
            "workload": {"source": "search", "searches": 2, "mean_interarrival": "10 min",
                         "trials": TRIALS, "at_once": 3, "model": "resnet18", "fraction": 0.2, **rule},
            "policy": policy, "engine": {"kind": "virtual", **engine}}
        with tempfile.TemporaryDirectory(prefix="mimus-search-") as name:
            file = Path(name) / "search.yaml"
            file.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([MIMUS, "run", str(file), "-o", f"{name}/out"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                self.jobs, self.trials, self.applications = (
                    list(result[table][:]) for table in ("jobs", "trials", "applications"))
                self.figures = {row["metric"].decode(): row["value"] for row in result["figures"][:]}

    def test_every_trial_ends_once_and_as_its_last_validation_says(self):
        self.run_cell(ASHA)

        outcomes = {row["job"]: row["outcome"].decode() for row in self.jobs}
        self.assertEqual(sorted(outcomes), list(range(2 * TRIALS)))
        last = {row["job"]: row for row in self.trials}  # in order of time
        for job, outcome in outcomes.items():
            self.assertEqual(outcome, "finished" if last[job]["goes_on"] else "killed")
            self.assertEqual(last[job]["progress"] == 1, outcome == "finished")
        self.assertGreater(self.figures["jobs_killed"], TRIALS)
        best = [min(row["loss"] for row in self.trials if row["application"] == name) for name in SEARCHES]
        self.assertAlmostEqual(self.figures["best_loss"], sum(best) / 2)

    def test_no_search_has_more_trials_in_the_system_than_it_may(self):
        self.run_cell(ASHA)

        for name in SEARCHES:
            spans = [(row["arrival"], row["end"]) for row in self.jobs if row["application"] == name]
            self.assertEqual(len(spans), TRIALS)
            for begin, _ in spans:
                self.assertLessEqual(sum(b <= begin < e for b, e in spans), 3)

    def test_what_is_tried_depends_on_neither_rule_nor_policy(self):
        drawn = []
        for rule, policy in ((ASHA, "fifo"), (ASHA, "themis"), (RANDOM, "fifo")):
            self.run_cell(rule, policy)
            drawn.append({row["job"]: row["learning_rate"] for row in self.trials})
        self.assertEqual(len(drawn[2]), 2 * TRIALS)
        self.assertEqual(drawn[0], drawn[2])
        self.assertEqual(drawn[1], drawn[2])

    def test_halving_finds_as_good_a_trial_sooner_and_for_less(self):
        self.run_cell(RANDOM)
        random, hours = self.figures, sum(row["gpu_seconds"] for row in self.jobs)
        self.run_cell(ASHA)

        self.assertLess(self.figures["best_loss"], 1.05 * random["best_loss"])
        self.assertLess(self.figures["best_loss_time"], 0.6 * random["best_loss_time"])
        self.assertLess(sum(row["gpu_seconds"] for row in self.jobs), 0.5 * hours)

    def test_a_search_that_never_waits_has_the_fairness_of_one_alone(self):
        self.run_cell(ASHA, gpus=8, costs={"start": "0 s", "checkpoint": "0 s", "restore": "0 s"})

        self.assertEqual(len(self.applications), 2)
        for row in self.applications:
            self.assertAlmostEqual(row["rho"], 1, delta=0.01)
            self.assertEqual(row["jobs"], TRIALS)
        self.assertAlmostEqual(self.figures["application_rho_max"], 1, delta=0.01)

    def test_the_same_seed_gives_the_same_trials_in_every_table(self):
        self.run_cell(ASHA, "themis")
        first = (self.jobs, self.trials, self.applications)
        self.run_cell(ASHA, "themis")

        for before, after in zip(first, (self.jobs, self.trials, self.applications)):
            self.assertEqual([row.tobytes() for row in before], [row.tobytes() for row in after])

    def test_in_rounds_a_trial_is_stopped_at_the_end_of_the_round(self):
        self.run_cell(ASHA, round="60 s")

        stopped = [row for row in self.jobs if row["outcome"] == b"killed"]
        self.assertGreater(len(stopped), TRIALS)
        heard = {row["job"]: row["time"] for row in self.trials}
        for row in stopped:
            self.assertLess(row["end"] - heard[row["job"]], 60 + 30)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
