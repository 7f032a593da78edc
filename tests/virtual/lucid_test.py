#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Virtual cells under Lucid's row: lucid_test.py MIMUS [unittest args].

Who shares GPUs with whom, by what the profiler has measured, and who never leaves the profiler.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

MIMUS = None
LIMIT_S = 200
# NeuMF waits for its host most of the time, ResNet-50 keeps a GPU busy.
TINY, JUMBO = "neumf", "resnet50"
NEUMF_IS_MEDIUM = {"tiny_below": 0.001, "medium_below": 0.5}
RESNET_IS_MEDIUM = {"tiny_below": 0.001, "medium_below": 1}
GPUS_PER_NODE = 2


def job(model, gang=1, duration=1000):
    batch = {TINY: 256, JUMBO: 64}[model]
    return {"model": model, "gang": gang, "batch": batch * gang, "arrival": "0 s",
            "duration": f"{duration} s"}


class Lucid(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-lucid-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cells = 0

    def run_cell(self, jobs, planner=None, nodes=2, gpus_per_node=1):
        """Jobs and attempts, and the jobs that had co-tenants."""
        packing = {"light_load": 0, "full_load": 0, **(planner or {})}
        campaign = {"schema": 1, "name": "lucid", "seed": 3,
                    "cluster": {"nodes": nodes, "gpus_per_node": gpus_per_node, "gpu": "T4",
                                "network": "100 Gbit/s"},
                    "workload": {"source": "jobs", "jobs": jobs},
                    "engine": {"kind": "virtual", "interference": {"name": "mps", "slope": 0.52}},
                    "policy": {"preset": "lucid", "planner": packing}}
        file = self.folder / "lucid.yaml"
        file.write_text(json.dumps(campaign), encoding="utf-8")
        self.cells += 1
        out = self.folder / f"cell{self.cells}"
        done = subprocess.run([MIMUS, "run", str(file), "-o", str(out)],
                              capture_output=True, text=True, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(next(out.glob("*.h5"))) as cell:
            self.assertEqual({row["outcome"] for row in cell["jobs"]}, {b"finished"})
            packed = {int(row["job"]) for row in cell["steps"][:] if row["co_tenants"] > 0}
            return cell["jobs"][:], cell["attempts"][:], packed

    def test_pairs_are_packed_by_their_scores(self):
        for models, planner, are_packed in (((JUMBO, TINY), {}, True),  # 2 and 0
                                            ((TINY, TINY), NEUMF_IS_MEDIUM, True),  # 1 and 1
                                            ((JUMBO, TINY), NEUMF_IS_MEDIUM, False),  # 2 and 1
                                            ((JUMBO, JUMBO), {}, False)):
            with self.subTest(models=models, planner=planner):
                _, _, packed = self.run_cell([job(model) for model in models], planner)
                self.assertEqual(packed, {0, 1} if are_packed else set())

    def test_gangs_of_other_sizes_never_share(self):
        jobs = [job(TINY, 2), job(TINY, 1), job(TINY, 1)]
        _, _, packed = self.run_cell(jobs, gpus_per_node=GPUS_PER_NODE)
        self.assertNotIn(0, packed)

    def test_nobody_is_packed_while_a_gpu_is_free(self):
        _, _, packed = self.run_cell([job(TINY), job(TINY)], gpus_per_node=GPUS_PER_NODE)
        self.assertEqual(packed, set())

    def test_jobs_of_100_s_never_leave_the_profiler(self):
        jobs, attempts, _ = self.run_cell([job(TINY, 1, 100)] * 4 + [job(JUMBO)])
        self.assertEqual([list(attempts["job"]).count(i) for i in range(5)], [1, 1, 1, 1, 2])
        self.assertEqual(list(jobs["preemptions"][jobs["job"] < 4]), [0] * 4)

    def test_a_pair_that_is_slow_parts_once_a_gpu_is_free(self):
        """All are taken for medium. Job 2 joins job 0 and leaves it when job 1 ends."""
        jobs = [job(JUMBO, 1, 2500), job(JUMBO, 1, 900), job(JUMBO, 1, 2500)]
        _, attempts, packed = self.run_cell(jobs, RESNET_IS_MEDIUM, nodes=3)
        self.assertEqual(packed, {0, 2})
        self.assertEqual([list(attempts["job"]).count(i) for i in range(3)], [2, 2, 3])
        end, = attempts["end"][(attempts["job"] == 1) & (attempts["reason"] == b"finished")]
        moved = attempts["begin"][attempts["job"] == 2].max()
        self.assertLess(end, moved)
        self.assertLess(moved, end + 60)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
