#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What Gandiva does while jobs run: gandiva_test.py MIMUS [unittest args].

Xiao et al., OSDI'18: pairs that are packed or taken apart, gangs that move and that grow.
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


class Gandiva(unittest.TestCase):
    def run_jobs(self, jobs, nodes=1, gpus=1, interference="none", **planner):
        """The tables of a virtual run whose jobs are (gang, duration, arrival) on V100s."""
        document = {
            "schema": 1, "name": "gandiva",
            "cluster": {"nodes": nodes, "gpus_per_node": gpus, "gpu": "V100", "network": "50 Gbit/s"},
            "workload": {"source": "jobs", "jobs": [
                {"model": "resnet50", "gang": gang, "batch": 64 * gang, "duration": f"{duration} s",
                 "arrival": f"{arrival} s"} for gang, duration, arrival in jobs]},
            "policy": {"planner": {"name": "gandiva", **planner}, "estimate": "profile"},
            "engine": {"kind": "virtual", "costs": {"start": "0 s"}, "interference": interference}}
        with tempfile.TemporaryDirectory(prefix="mimus-gandiva-") as name:
            file = Path(name) / "gandiva.yaml"
            file.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([MIMUS, "run", str(file), "-o", f"{name}/out"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                return {table: result[table][:]
                        for table in ("jobs", "attempts", "placements", "suspensions", "decisions")}

    def run_pair(self, slowdown):
        return self.run_jobs([(1, 600, 0), (1, 600, 0)],
                             interference={"name": "pairs",
                                           "slowdowns": {"resnet50": {"resnet50": slowdown}}})

    def test_a_pair_that_is_faster_than_turns_stays(self):
        """Two turns of 60 s, then 540 s of each at 1/1.416 of its speed, but the last part alone."""
        tables = self.run_pair(1.416)

        self.assertEqual(len(tables["suspensions"]), 1)
        packed = 540 * 1.416
        for jct in tables["jobs"]["jct"]:
            self.assertAlmostEqual(jct, 120 + packed, delta=1)

    def test_a_pair_that_is_not_is_taken_apart(self):
        """Sum of speeds 1: after a trial of five slices they take turns to the end."""
        tables = self.run_pair(2.0)

        self.assertGreater(len(tables["suspensions"]), 10)
        self.assertAlmostEqual(max(tables["jobs"]["jct"]), 1200, delta=2)

    def test_a_job_that_takes_turns_moves_to_a_gpu_that_comes_free(self):
        tables = self.run_jobs([(1, 600, 0), (1, 100, 0), (1, 600, 1)], gpus=2)

        self.assertEqual(tables["decisions"]["moves"].sum(), 1)
        self.assertEqual(sorted(tables["attempts"]["reason"]), [b"finished"] * 3 + [b"moved"])
        # GPU 0 and 1 have 1300 s to do; at about 100 s both have one job, and none is idle.
        self.assertAlmostEqual(max(tables["jobs"]["jct"]), 650, delta=35)

    def test_a_small_job_moves_out_of_the_way_of_a_larger_gang(self):
        """Jobs of one GPU on both nodes; then a gang of two comes."""
        tables = self.run_jobs([(1, 1000, 0), (1, 200, 0), (1, 1000, 0), (2, 300, 300)], nodes=2, gpus=2)

        self.assertEqual(tables["decisions"]["moves"].sum(), 1)
        gang = tables["jobs"][tables["jobs"]["gang"] == 2][0]
        self.assertLess(gang["queueing"], 2)
        self.assertEqual(len(tables["suspensions"]), 0)

    def test_a_gang_grows_onto_idle_gpus_and_shrinks_for_the_next_job(self):
        tables = self.run_jobs([(1, 2000, 0), (2, 200, 300)], gpus=4, grow=True)

        first = tables["attempts"][tables["attempts"]["job"] == 0]
        sizes = [int(row["replicas"]) for row in sorted(first, key=lambda row: row["begin"])]
        self.assertEqual(sizes[0], 1)
        self.assertEqual(sizes[1], 4)  # after GPUs have been idle for a slice
        self.assertEqual(sizes[2], 1)  # when the gang comes
        self.assertGreater(sizes[3], 1)
        self.assertAlmostEqual(sorted(first, key=lambda row: row["begin"])[1]["begin"], 60, delta=1)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
