#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Shockwave and Gavel's policies on jobs that change their batches: shockwave_test.py MIMUS [unittest args]."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, jobs_of

SHARED = Path(os.environ.get("MIMUS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TRACE = SHARED / "data/shockwave/120.trace"
THROUGHPUTS = SHARED / "data/shockwave/tacc_throughputs.json"
CAMPAIGN = Path(__file__).resolve().parents[2] / "configs/shockwave-paper.yaml"
JOBS, GPUS = 120, 32
WORKLOAD = {"source": "shockwave", "path": str(TRACE), "throughputs": str(THROUGHPUTS)}
# Makespan and mean completion time [s] of the recorded runs of its simulator, by cell.
PUBLISHED = {"shockwave": (24197.42, 9958.49), "gavel-makespan": (24204.82, 19806.73), "gavel-ftf": (31928.74, 11301.98),
             "gavel-max-min": (33207.66, 11274.12), "allox": (32488.62, 9926.31), "gavel-max-sum": (31909.03, 9654.70),
             "planner-gavel": (32367.43, 12574.27)}


def completion(jobs):
    return jobs["end"] - jobs["arrival"]


@unittest.skipUnless(TRACE.is_file(), "skipped: no shared data")
class Shockwave(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-shockwave-")
        self.addCleanup(self.folder.cleanup)

    def document(self, policy, **engine):
        return {"schema": 1, "name": "shockwave", "cluster": {"nodes": 8, "gpus_per_node": 4, "gpu": "V100"},
                "workload": WORKLOAD, "policy": policy, "record": "jobs",
                "engine": {"kind": "virtual", "step_time": "duration", **engine}}

    def test_figures_of_the_paper(self):
        environment = {**os.environ, "MIMUS_SHARED": str(SHARED)}
        with tempfile.TemporaryDirectory(prefix="mimus-shockwave-") as out:
            subprocess.run([properties_test.MIMUS, "run", str(CAMPAIGN), "--quiet", "--no-summary", "--output", out],
                           check=True, capture_output=True, env=environment)
            found = {path.name.split("-", 1)[1]: jobs_of(path) for path in Path(out).glob("*.h5")}
        self.assertEqual(len(found), len(PUBLISHED))
        for name, (makespan, mean) in PUBLISHED.items():
            with self.subTest(cell=name):
                jobs = next(rows for file, rows in found.items() if file.startswith(name))
                self.assertEqual(len(jobs), JOBS)
                self.assertAlmostEqual(jobs["end"].max() / makespan, 1, delta=0.03 if name == "shockwave" else 0.02)
                self.assertAlmostEqual(completion(jobs).mean() / mean, 1, delta=0.02)
        # The fairness of the paper: over the profiled run time with an equal share among all jobs of the trace.
        alone = self.run_times()
        shockwave = next(rows for file, rows in found.items() if file.startswith("shockwave"))
        rho = completion(shockwave) / (alone * JOBS / GPUS)
        self.assertLessEqual(np.mean(rho > 1.05), 0.06)
        self.assertLessEqual(rho.max(), 1.8)

    def run_times(self):
        """Each job alone takes its profiled run time, in the general engine."""
        document = self.document("fifo", costs={key: "0 s" for key in ("start", "checkpoint", "restore", "migrate")})
        jobs = jobs_of(self.folder.run({**document, "cluster": {"nodes": 120, "gpus_per_node": 4, "gpu": "V100"}},
                                       name="alone")[0])
        return completion(jobs)

    def test_the_general_engine_runs_profiles(self):
        """As long as profiled, with batches that nobody reports; the planner follows the time that jobs have trained."""
        costs = {key: "0 s" for key in ("start", "checkpoint", "restore", "migrate")}
        policy = {"planner": "shockwave"}
        path = self.folder.run(self.document(policy, costs=costs), name="general")[0]
        jobs = jobs_of(path)
        self.assertEqual(len(jobs), JOBS)
        again = jobs_of(self.folder.run(self.document(policy, costs=costs), name="again")[0])
        np.testing.assert_array_equal(jobs["end"], again["end"])
        rho = completion(jobs) / (self.run_times() * JOBS / GPUS)
        self.assertLessEqual(np.mean(rho > 1.05), 0.06)

    def test_other_planners_are_refused_in_its_rounds(self):
        done = subprocess.run([properties_test.MIMUS, "validate", str(self.write(self.document(
            {"planner": "greedy"}, replay="shockwave", round="120 s")))], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("leases GPUs as the planners gavel and shockwave do", done.stderr)

    def write(self, document):
        import json
        path = Path(self.folder.name) / "refused.yaml"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path


if __name__ == "__main__":
    properties_test.MIMUS = sys.argv.pop(1)
    unittest.main()
