#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Sia over GPU types, seen from the command line: sia_test.py MIMUS [unittest args]."""

import sys
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, jobs_of

GROUPS = [{"nodes": 2, "gpus_per_node": 2, "gpu": "T4"}, {"nodes": 1, "gpus_per_node": 2, "gpu": "V100"}]


class Sia(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-sia-")
        self.addCleanup(self.folder.cleanup)

    def run_jobs(self, jobs, policy="sia", name="sia"):
        """`jobs`: a list of jobs, or a whole workload."""
        workload = jobs if isinstance(jobs, dict) else {"source": "jobs", "jobs": jobs}
        document = {"schema": 1, "name": "sia", "cluster": {"groups": GROUPS}, "policy": policy,
                    "workload": {"duration_on": "T4", **workload},
                    "engine": {"kind": "virtual"}}
        return self.folder.run(document, name=name)[0]

    def courses(self, path):
        """The type and number of GPUs of the attempts of each job."""
        attempts = properties_test.tables(path)["attempts"]
        courses = {}
        for row in attempts:
            courses.setdefault(int(row["job"]), []).append((row["gpu_type"].decode(), int(row["replicas"])))
        return courses

    def test_a_job_grows_by_what_it_has_had(self):
        course = self.courses(self.run_jobs([{"model": "resnet18", "duration": "2 h", "arrival": "0 s"}]))[0]
        gpus = [count for _, count in course]
        self.assertEqual(course[0][1], 1)
        self.assertGreater(max(gpus), 1)
        for before, after in zip(gpus, gpus[1:]):
            self.assertLessEqual(after, 2 * before)

    def test_types_that_were_profiled_are_known(self):
        """Jobs stay on the type that they know, but one whose speed on all types was profiled takes the faster one."""
        jobs = [{"model": "resnet18", "duration": "1 h", "arrival": "0 s"}]
        known = {"preset": "sia", "estimate": "profile"}
        self.assertEqual({gpu for gpu, _ in self.courses(self.run_jobs(jobs))[0]}, {"T4"})
        self.assertEqual(self.courses(self.run_jobs(jobs, known, name="known"))[0][-1][0], "V100")

    def test_types_are_shared_and_no_gang_is_on_two(self):
        jobs = [{"model": model, "duration": "30 min", "arrival": f"{30 * i} s"}
                for i, model in enumerate(["resnet18", "neumf", "resnet18", "bert-base", "resnet18", "neumf"])]
        courses = self.courses(self.run_jobs(jobs))
        self.assertEqual({gpu for course in courses.values() for gpu, _ in course}, {"T4", "V100"})

    def test_rigid_jobs_have_their_gang(self):
        trace = Path(self.folder.name) / "jobs.csv"
        trace.write_text("model,gang,arrival,run_time\nbert-base,3,0,1200\nbert-base,2,0,1200\nresnet18,2,0,1200\n",
                         encoding="utf-8")
        path = self.run_jobs({"source": "csv", "path": str(trace), "rigid_models": ["bert-base"]})
        courses = self.courses(path)
        self.assertEqual({gpus for _, gpus in courses[0]}, {3})
        self.assertEqual({gpus for _, gpus in courses[1]}, {2})
        self.assertEqual(courses[2][0][1], 1)
        self.assertTrue((jobs_of(path)["end"] > 0).all())

    def test_equal_runs_are_equal(self):
        jobs = [{"model": model, "duration": "20 min", "arrival": f"{45 * i} s"}
                for i, model in enumerate(["resnet18", "neumf", "bert-base", "resnet18"] * 3)]
        first = properties_test.tables(self.run_jobs(jobs))["attempts"]
        second = properties_test.tables(self.run_jobs(jobs, name="again"))["attempts"]
        np.testing.assert_array_equal(first, second)


if __name__ == "__main__":
    properties_test.MIMUS = sys.argv.pop(1)
    unittest.main()
