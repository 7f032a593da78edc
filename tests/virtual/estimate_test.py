#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Virtual cells whose policies learn while jobs run: estimate_test.py MIMUS [unittest args].

What is fitted to measured steps against what is known from a profile, and against the measured
trainings of Pollux.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

MIMUS = None
LIMIT_S = 200
FITTED = {"name": "fitted", "interval": "30 s"}
TRAININGS = {
    "cluster": {"nodes": 4, "gpus_per_node": 4, "gpu": "T4", "network": "25 Gbit/s"},
    "workload": {"source": "poisson", "jobs": 60, "mean_interarrival": "10 min",
                 "duration": "1 h", "duration_sigma": 0.8,
                 "mix": {"resnet50": 1, "bert-base": 1, "resnet18": 1, "yolov3": 1},
                 "gangs": {1: 0.4, 2: 0.3, 4: 0.2, 8: 0.1}},
    "engine": {"kind": "virtual"}}
POLLUX = Path(os.environ.get("MIMUS_SHARED",
                             Path(__file__).resolve().parents[2] / ".." / "shared")) / "data/pollux"
REPLAY = {
    "cluster": {"nodes": 16, "gpus_per_node": 4, "gpu": "T4", "network": "50 Gbit/s"},
    "workload": {"source": "pollux", "path": str(POLLUX / "workloads/workload-1.csv")},
    "engine": {"kind": "virtual", "mode": "rounds", "round": "60 s", "replay": "pollux-artifact",
               "step_time": {"name": "measured", "path": str(POLLUX)}}}


class Fitted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-estimate-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_cell(self, document, policy, name, seed=3):
        """The result file of the only cell, and the program's output."""
        file = self.folder / f"{name}.yaml"
        file.write_text(json.dumps({"schema": 1, "name": name, "seed": seed, "record": "jobs",
                                    **document, "policy": policy}), encoding="utf-8")
        out = self.folder / name
        done = subprocess.run([MIMUS, "run", str(file), "-o", str(out)], capture_output=True,
                              text=True, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        opened = h5py.File(next(out.glob("*.h5")))
        self.addCleanup(opened.close)
        return opened

    def jct(self, document, policy, name, seed=3):
        jobs = self.run_cell(document, policy, name, seed)["jobs"][:]
        self.assertEqual(set(jobs["outcome"]), {b"finished"})
        return jobs["jct"].mean()

    def test_batches_by_fits_come_close_to_batches_by_a_profile(self):
        # A job that begins in another order changes the mean of one load by several per cent.
        def mean(policy, name):
            return np.mean([self.jct(TRAININGS, policy, f"{name}-{seed}", seed)
                            for seed in range(3, 9)])
        def goodput(estimate, name):
            return mean({"batch": "goodput", "estimate": estimate}, name)
        profile = goodput("profile", "profile")

        self.assertLess(profile, 0.8 * mean({}, "fixed"))
        self.assertLess(abs(goodput(FITTED, "fitted") / profile - 1), 0.03)
        self.assertLess(abs(goodput({**FITTED, "per": "model"}, "model") / profile - 1), 0.03)

    def test_a_result_says_that_its_policy_believed_fits(self):
        file = self.run_cell(TRAININGS, {"batch": "goodput", "estimate": FITTED}, "label")
        self.assertEqual(file.attrs["throughput_estimate"], "fitted")

    def test_equal_seeds_give_equal_schedules(self):
        policy = {"batch": "goodput", "estimate": FITTED}
        one, two = (self.run_cell(TRAININGS, policy, name) for name in ("one", "two"))
        for table in ("jobs", "attempts"):
            np.testing.assert_array_equal(one[table][:], two[table][:])

    @unittest.skipUnless(POLLUX.is_dir(), f"skipped: {POLLUX} is not there")
    def test_fits_to_the_measured_trainings_of_pollux_beat_the_batches_asked_for(self):
        def goodput(estimate, name):
            return self.jct(REPLAY, {"placement": "most_free", "batch": "goodput",
                                     "estimate": estimate}, name)
        fixed = self.jct(REPLAY, {"placement": "most_free"}, "asked-for")
        fitted = goodput(FITTED, "replayed")
        self.assertLess(fitted, 0.9 * fixed)
        self.assertLess(fitted, 1.12 * goodput("profile", "known"))  # here the profile is the truth


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
