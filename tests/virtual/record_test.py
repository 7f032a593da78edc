#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What virtual cells record, against itself: record_test.py MIMUS [unittest args].

The same figures at every level of record, and rounds in which nodes go down.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

MIMUS = None
LEVELS = ("full", "jobs", "summary")
# A median over windows, of which `full` has more, and values from the wall clock.
OF_THEIR_OWN = {"cell", "path", "off_solo_median_fraction",
                "decision_latency_mean_s", "decision_latency_p99_s"}

TENANTS = {
    "cluster": {"nodes": 2, "gpus_per_node": 4, "gpu": "T4", "network": "25 Gbit/s"},
    "workload": {"source": "poisson", "jobs": 40, "mean_interarrival": "20 s",
                 "duration": "2.5 min", "duration_sigma": 0.8,
                 "mix": {"resnet50": 1, "bert-base": 1, "resnet18": 1},
                 "gangs": {1: 0.5, 2: 0.25, 4: 0.25}},
    "policy": {"order": {"name": "las", "limits": ["1 min"]}, "preemption": "checkpoint",
               "sharing": {"name": "tenants", "per_gpu": 2, "prefer": "shared"}},
    "engine": {"kind": "virtual"}}
RUN_TIMES = {
    "cluster": TENANTS["cluster"],
    "workload": {"source": "philly-like", "jobs": 60, "load": 0.9, "median_run_time": "5 min",
                 "mean_run_time": "10 min"},
    "policy": {"order": {"name": "fifo", "skip": True},
               "sharing": {"name": "tenants", "per_gpu": 2, "prefer": "shared"}},
    "engine": {"kind": "virtual", "step_time": "duration", "interference": "slices"}}
# Batches whose efficiency depends on the noise scale, and reports while the noise scale changes.
BATCHES = {
    "cluster": TENANTS["cluster"],
    "workload": {"source": "poisson", "jobs": 12, "mean_interarrival": "10 min",
                 "duration": "4 h", "duration_sigma": 0.8, "batch": "scaled",
                 "mix": {"resnet50": 1, "resnet18": 1}, "gangs": {2: 0.5, 4: 0.5}},
    "policy": {"order": "sjf"},
    "engine": {"kind": "virtual"}}
ROUNDS = {
    "cluster": TENANTS["cluster"], "workload": TENANTS["workload"],
    "policy": {"planner": {"name": "greedy", "round": "60 s"}},
    "engine": {"kind": "virtual", "mode": "rounds", "round": "60 s"}}
# Its bids depend on what jobs have reported.
AUCTION = {"cluster": TENANTS["cluster"], "workload": TENANTS["workload"], "policy": "themis",
           "engine": {"kind": "virtual"}}
RETUNED = {
    **TENANTS, "policy": {**TENANTS["policy"], "batch": "goodput"},
    "engine": {"kind": "virtual", "mode": "rounds", "round": "60 s"}}
OUTAGE = {
    "cluster": {"nodes": 2, "gpus_per_node": 1, "gpu": "T4", "network": "25 Gbit/s",
                "outages": [{"node": 1, "down": "80 s", "up": "5000 s"}]},
    "policy": {"order": "srtf", "preemption": {"name": "checkpoint", "min_run": "0 s"},
               "estimate": "oracle"},
    "engine": {"kind": "virtual", "step_time": "duration", "mode": "rounds", "round": "60 s",
               "costs": {"checkpoint": "30 s"}}}
TWO_JOBS = """name,gang,arrival,run_time,estimate
long,1,0,600,600
short,2,30,100,100
"""


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-record-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_cell(self, document, level="full"):
        """The folder with the file of the only cell."""
        file = self.folder / f"{level}.yaml"
        file.write_text(json.dumps({"schema": 1, "name": "r", "seed": 3, "record": level,
                                    **document}), encoding="utf-8")
        out = self.folder / level
        self.call("run", file, "-o", out)
        return out

    def call(self, *arguments):
        return subprocess.run([MIMUS, *map(str, arguments)], check=True, timeout=200,
                              capture_output=True).stdout

    def tables(self, document):
        opened = h5py.File(next(self.run_cell(document).glob("*.h5")))
        self.addCleanup(opened.close)
        return opened

    def summary(self, document, level):
        cell, = json.loads(self.call("summary", self.run_cell(document, level), "--json"))["cells"]
        waits = cell.pop("queueing_by_cause_mean_s")
        return {name: value for name, value in {**cell, **waits}.items()
                if name not in OF_THEIR_OWN}

    def expect_equal_levels(self, document):
        full, *others = (self.summary(document, level) for level in LEVELS)
        for other in others:
            self.assertEqual(full.keys(), other.keys())
            for name, value in full.items():
                if isinstance(value, float):
                    np.testing.assert_allclose(other[name], value, rtol=1e-6, err_msg=name)
                else:
                    self.assertEqual(other[name], value, name)
        return full

    def test_tenants_have_the_same_figures_at_every_level(self):
        for seed in (3, 6, 7):  # in each a neighbour leaves during the last step of one that is stopped
            with self.subTest(seed=seed):
                figures = self.expect_equal_levels({**TENANTS, "seed": seed})
                self.assertGreater(figures["slowdown_mean"], 1.1)

    def test_large_batches_have_the_same_figures_at_every_level(self):
        self.assertLess(self.expect_equal_levels(BATCHES)["efficiency_fraction"], 0.98)

    def test_run_times_have_the_same_figures_at_every_level(self):
        figures = self.expect_equal_levels(RUN_TIMES)
        self.assertGreater(figures["slowdown_mean"], 1.0)
        self.assertLessEqual(figures["slowdown_worst"], 2.0)
        self.assertGreater(figures["gpu_busy_fraction"], 0.1)

    def test_a_cell_that_ends_early_has_the_same_figures_at_every_level(self):
        """Jobs have then trained for up to a minute since their last report, or since they began."""
        alone = {**TENANTS, "workload": {**TENANTS["workload"], "duration": "20 min"}, "policy": "fifo"}
        for document in (alone, TENANTS, RUN_TIMES):
            engine = {**document["engine"], "until": "6 min"}
            figures = self.expect_equal_levels({**document, "engine": engine})
            self.assertGreater(figures["jobs"], figures["jobs_finished"])
            self.assertGreater(figures["gpu_busy_fraction"], 0.1)

    def test_reported_progress_decides_the_same_at_every_level(self):
        self.expect_equal_levels(AUCTION)

    def test_steps_add_up_to_their_windows(self):
        steps = self.tables(TENANTS)["steps"][:]
        self.assertGreater(len(steps), 100)
        np.testing.assert_allclose(steps["end"] - steps["begin"],
                                   steps["steps"] * steps["step_mean"], rtol=1e-6)

    def test_windows_have_the_batch_of_their_steps(self):
        file = self.tables(RETUNED)
        self.assertGreater(file["attempts"]["retunes"].sum(), 5)
        steps = file["steps"][:]
        np.testing.assert_array_equal(steps["samples"], steps["steps"] * steps["total_batch"])

    def test_rounds_are_counted_the_same_at_every_level(self):
        def decisions(level):
            with h5py.File(next(self.run_cell(ROUNDS, level).glob("*.h5"))) as file:
                totals = {row["metric"]: row["value"] for row in file["totals"][:]}
                return totals[b"decisions"]
        full = decisions("full")
        self.assertEqual([decisions(level) for level in LEVELS[1:]], [full, full])

    def test_a_decision_within_a_round_uses_no_node_that_went_down_in_it(self):
        (self.folder / "two.csv").write_text(TWO_JOBS, encoding="utf-8")
        file = self.tables({**OUTAGE, "workload": {"source": "csv",
                                                   "path": str(self.folder / "two.csv")}})
        on_node_1 = [(row["begin"], row["end"]) for row in file["placements"][:]
                     if row["node"] == 1]
        self.assertTrue(on_node_1)
        for begin, end in on_node_1:
            self.assertTrue(end <= 80 or begin >= 5000, (begin, end))
        for span in file["utilisation"][:]:
            self.assertLessEqual(span["gpus_held"], span["gpus"])


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
