#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Deadlines of jobs and the numbers of GPUs that they allow: requests_test.py MIMUS [unittest args]."""

import collections
import json
import subprocess
import sys
import unittest
from pathlib import Path

import properties_test
from properties_test import Folder, jobs_of, tables

MIMUS = None


class Requests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-requests-")
        self.addCleanup(self.folder.cleanup)

    def document(self, jobs, policy, cluster=None, **engine):
        return {"schema": 1, "name": "requests", "record": "full",
                "cluster": cluster or {"nodes": 4, "gpus_per_node": 4, "gpu": "T4"},
                "workload": {"source": "jobs", "jobs": jobs}, "policy": policy,
                "engine": {"kind": "virtual", **engine}}

    def figures(self, path):
        done = subprocess.run([properties_test.MIMUS, "summary", str(Path(path).parent), "--json"], check=True,
                              capture_output=True, text=True, timeout=60)
        cell, = json.loads(done.stdout)["cells"]
        return cell


class Deadlines(Requests):
    """One GPU, jobs of recorded run times, no other costs: instants are exact."""

    def run_one(self, jobs, order, name, **workload):
        document = self.document(jobs, {"order": order}, {"nodes": 1, "gpus_per_node": 1, "gpu": "T4"},
                                 step_time="duration", interference="none")
        document["workload"] |= workload
        path, = self.folder.run(document, name=name)
        return path

    def test_the_earliest_deadline_goes_first_and_missed_ones_are_counted(self):
        """Job 0 runs when the others arrive. In the order of deadlines 2, 1, 3 they end at 30, 40 and 60 s; the last one
        has none. By arrival 1, 2, 3 end at 20, 40 and 60 s, and job 2 is late."""
        jobs = [{"run_time": "10 s", "deadline": "9 s"}, {"run_time": "10 s", "arrival": "1 s", "deadline": "49 s"},
                {"run_time": "20 s", "arrival": "2 s", "deadline": "30 s"}, {"run_time": "20 s", "arrival": "3 s"}]
        for order, ends, missed in [("edf", [10, 40, 30, 60], 1), ("fifo", [10, 20, 40, 60], 2)]:
            with self.subTest(order):
                path = self.run_one(jobs, order, order)
                rows = jobs_of(path)
                self.assertEqual(list(rows["end"]), ends)
                self.assertEqual(list(rows["deadline"]), [9, 50, 32, -1])
                self.assertEqual(self.figures(path)["deadlines_missed_fraction"], missed / 3)

    def test_jobs_draw_deadlines_as_multiples_of_their_run_time(self):
        jobs = [{"run_time": "10 s", "arrival": f"{i} s"} for i in range(60)] + [{"run_time": "10 s", "deadline": "7 s"}]
        rows = jobs_of(self.run_one(jobs, "fifo", "drawn", deadlines=[1.5, 4]))
        drawn = collections.Counter(rows["deadline"] - rows["arrival"])
        self.assertEqual(set(drawn), {7.0, 15.0, 40.0})
        self.assertGreater(min(drawn[15.0], drawn[40.0]), 15)  # of 60, p < 1e-4
        again = jobs_of(self.run_one(jobs, "edf", "again", deadlines=[1.5, 4]))
        self.assertEqual(list(again["deadline"]), list(rows["deadline"]))


class GangRanges(Requests):
    RANGES = {0: (2, 4), 1: (3, 6), 2: (1, 1), 3: (1, 16)}
    JOBS = [{"model": "resnet50", "gang": 2, "gang_min": 2, "gang_max": 4, "samples": 1e6},
            {"model": "resnet18", "gang": 3, "gang_min": 3, "gang_max": 6, "samples": 1e7},
            {"model": "neumf", "gang_max": 1, "samples": 1e8},
            {"model": "bert-base", "samples": 5e4, "arrival": "5 min"}]

    def test_planners_keep_to_them(self):
        for policy in ["pollux", "slaq", "ones", "sia", "gandiva", "optimus"]:
            with self.subTest(policy):
                path, = self.folder.run(self.document(self.JOBS, policy), name=policy)
                rows = tables(path)
                self.assertEqual(list(jobs_of(path)["outcome"]), [b"finished"] * 4)
                had = collections.defaultdict(set)
                for row in rows["attempts"]:
                    had[row["job"]].add(row["replicas"])
                for job, (least, most) in self.RANGES.items():
                    self.assertGreaterEqual(min(had[job]), least)
                    self.assertLessEqual(max(had[job]), most)
                self.assertGreater(max(max(had[0]), max(had[1])), 3)  # some have grown

    def test_planners_that_do_not_count_them_are_refused(self):
        for policy in ["themis", {"preset": "pollux", "planner": {"name": "node_scaling"}}]:
            refusal = self.folder.refusal(self.document(self.JOBS, policy))
            self.assertIn("gang_min or gang_max", refusal)
            self.assertIn("greedy", refusal)

    def test_a_range_without_the_gang_is_refused(self):
        for limits, where in [({"gang_min": 3}, "gang_min"), ({"gang_max": 1}, "gang_max")]:
            refusal = self.folder.refusal(self.document([{"model": "neumf", "gang": 2, "samples": 1, **limits}], "fifo"))
            self.assertIn(f"jobs[0].{where}", refusal)


if __name__ == "__main__":
    properties_test.MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
