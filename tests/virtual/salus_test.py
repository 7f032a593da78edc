#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Closed forms of Salus in virtual runs: salus_test.py MIMUS [unittest args].

Yu and Chowdhury, MLSys'20. GPUs have 16 GB; an iteration takes 1 s and 66 µs for what the GPU does after the
last launch, hence the tolerance of 0.01 s.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

MIMUS = None
LIMIT_S = 100
BATCH = 4  # of an iteration
SIZES = {"j1": (2, 4), "j2": (3, 5), "j3": (1, 3), "wide": (6, 3)}  # persistent and ephemeral memory [GB]
SAME_S = 0.01


def model(name, persistent, ephemeral):
    """Iterations of 1 s, all of which the host works."""
    return {"schema": 1, "name": name, "summary": "a test", "source": "none", "optimiser": "sgd_momentum",
            "precision": "fp32", "batch": {"reference": BATCH, "per_gpu_min": BATCH, "per_gpu_max": BATCH,
                                           "total_max": 8 * BATCH},
            "noise_scale": [{"progress": p, "samples": 1e12} for p in (0, 1)],  # any batch gains alike
            "input": "1 B", "workspace": f"{persistent} GB",
            "data_set": {"epoch_samples": 1000, "epochs": 10},
            "host": {"startup": "0 s", "default": {"per_step": "1 s", "per_sample": "0 s"}},
            "reference_throughput": BATCH, "efficiency": {"default": {"compute": 0.5, "memory": 0.75}},
            "layers": [{"op": "linear", "in": 1, "out": 1},
                       {"op": "elementwise", "elements": int(ephemeral * 1e9) // (4 * BATCH) - 1,
                        "forward": 1, "backward": 1, "saves": "output"}]}


class Salus(unittest.TestCase):
    def run_jobs(self, within, jobs, gang=1, gpus=1):
        """Tables of a run of jobs (model, iterations, arrival [s]) on V100s of one node."""
        document = {
            "schema": 1, "name": "salus",
            "cluster": {"nodes": 1, "gpus_per_node": gpus, "gpu": "V100", "network": "50 Gbit/s"},
            "workload": {"source": "jobs", "jobs": [
                {"model": name, "gang": gang, "batch": BATCH * gang, "samples": iterations * BATCH * gang,
                 "arrival": f"{arrival} s"} for name, iterations, arrival in jobs]},
            "policy": {"preset": "salus", "planner": {"within": within}, "estimate": "oracle"},
            "engine": {"kind": "virtual", "costs": {"start": "0 s"}, "interference": "none"}}
        with tempfile.TemporaryDirectory(prefix="mimus-salus-") as name:
            folder = Path(name)
            for job in SIZES:
                (folder / f"{job}.yaml").write_text(json.dumps(model(job, *SIZES[job])), encoding="utf-8")
            document["models"] = [f"{job}.yaml" for job in SIZES]
            (folder / "salus.yaml").write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([MIMUS, "run", str(folder / "salus.yaml"), "-o", str(folder / "out")],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next((folder / "out").glob("*.h5"))) as result:
                tables = {table: result[table][:] for table in ("jobs", "attempts", "suspensions", "steps")}
        self.assertEqual([row["outcome"] for row in tables["jobs"]], [b"finished"] * len(jobs))
        self.assertEqual(len(tables["attempts"]), len(jobs))  # nothing is restarted
        return tables

    def assert_times(self, tables, begins, ends):
        """When the jobs made their first step and ended [s]."""
        jobs = sorted(tables["jobs"], key=lambda row: row["job"])
        attempts = sorted(tables["attempts"], key=lambda row: row["job"])
        for job, begin, end in zip(range(len(jobs)), begins, ends):
            with self.subTest(job=job):
                self.assertAlmostEqual(attempts[job]["first_step"], begin, delta=SAME_S)
                self.assertAlmostEqual(jobs[job]["end"], end, delta=SAME_S)

    def test_fifo_runs_one_job_after_the_other(self):
        """One lane: 6 GB for the states and 5 GB for the largest activations fit."""
        tables = self.run_jobs("fifo", [("j1", 10, 0), ("j2", 4, 0), ("j3", 5, 0)])

        self.assert_times(tables, [0, 10, 14], [10, 14, 19])
        self.assertEqual(len(tables["suspensions"]), 0)

    def test_pack_runs_two_jobs_side_by_side_but_not_three(self):
        """Two lanes need 14 GB, three 18 GB. The third job begins when there is a lane for it."""
        self.assert_times(self.run_jobs("pack", [("j1", 10, 0), ("j2", 4, 0), ("j3", 5, 0)]),
                          [0, 0, 4], [10, 4, 9])
        self.assert_times(self.run_jobs("pack", [("j1", 4, 0), ("j2", 10, 0), ("j3", 5, 0)]),
                          [0, 0, 4], [4, 10, 9])

    def test_srtf_gives_the_lane_to_a_shorter_job_at_the_end_of_the_iteration(self):
        tables = self.run_jobs("srtf", [("j1", 10, 0), ("j2", 3, 2.5)])

        self.assert_times(tables, [0, 3], [13, 6])
        pause, = tables["suspensions"]
        self.assertEqual(pause["keeps"], b"state")
        self.assertAlmostEqual(pause["begin"], 3, delta=SAME_S)
        self.assertAlmostEqual(pause["end"], 6, delta=SAME_S)

    def test_fair_gives_both_jobs_every_other_iteration(self):
        tables = self.run_jobs("fair", [("j1", 10, 0), ("j2", 10, 0)])

        self.assert_times(tables, [0, 1], [19, 20])
        self.assertEqual(len(tables["suspensions"]), 9 + 9)

    def test_all_ranks_of_a_gang_switch_at_once(self):
        tables = self.run_jobs("fair", [("j1", 10, 0), ("j2", 10, 0)], gang=2, gpus=2)

        self.assert_times(tables, [0, 1], [19, 20])
        spans = sorted((row["begin"], row["end"]) for row in tables["steps"])
        for (_, end), (begin, _) in zip(spans, spans[1:]):
            self.assertLessEqual(end, begin + 1e-9)

    def test_states_that_do_not_fit_together_wait(self):
        """Two need 15 GB, three 21 GB. The first one ends in its turn, after which the second has the lane."""
        tables = self.run_jobs("fair", [("wide", 10, 0)] * 3)

        self.assert_times(tables, [0, 1, 20], [19, 20, 30])


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
