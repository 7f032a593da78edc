#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Reserving and packing, and load balancing, of Alibaba PAI: pai_test.py MIMUS [unittest args].

Weng et al., "MLaaS in the Wild", NSDI'22. Run times are as stated and starts cost nothing, so that instants are exact.
The timeouts of the preset are 60 and 300 s.
"""

import sys
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, tables

MIMUS = None
ROOT = Path(__file__).resolve().parents[2]


def group(gpu, gpus_per_node, **more):
    return {"nodes": 1, "gpus_per_node": gpus_per_node, "gpu": gpu, **more}


NVLINK = group("V100", 2)
PLAIN = group("V100", 2, gpus_per_island=1)


def job(seconds, **keys):
    return {"run_time": f"{seconds} s", **keys}


class Pai(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-pai-")
        self.addCleanup(self.folder.cleanup)
        self.runs = 0

    def document(self, groups, jobs, policy="pai-reserve-pack"):
        return {"schema": 1, "name": "pai", "record": "full", "gpus": [str(ROOT / "configs/machines/pai-gpus.yaml")],
                "cluster": {"groups": groups}, "workload": {"source": "jobs", "jobs": jobs}, "policy": policy,
                "engine": {"kind": "virtual", "step_time": "duration", "interference": "none"}}

    def tables(self, *arguments):
        self.runs += 1
        path, = self.folder.run(self.document(*arguments), name=f"run-{self.runs}")
        return tables(path)

    def attempts(self, *arguments):
        """(begin, GPU type) of each job's only attempt."""
        rows = self.tables(*arguments)["attempts"]
        rows = rows[np.argsort(rows["job"])]
        self.assertEqual(list(rows["job"]), list(range(len(arguments[1]))))
        return [(row["begin"], row["gpu_type"].decode()) for row in rows]

    def last(self, *arguments):
        return self.attempts(*arguments)[-1]


class HighEnd(Pai):
    """A gang of two waits for NVLink for 60 s, for any two V100s of a node for 300 s, then for any GPUs."""

    def start(self, nvlink_until, plain_until):
        blockers = [job(nvlink_until, gang=2, gpu_types=["V100"])]
        blockers += [job(plain_until, gpu_types=["V100"]) for _ in range(2)]
        return self.last([NVLINK, PLAIN, group("T4", 2)], [*blockers, job(10, gang=2)])

    def test_nvlink_that_comes_free_in_time_is_taken(self):
        self.assertEqual(self.start(50, 1000), (50.0, "V100"))

    def test_then_v100s_without_nvlink_are_as_good(self):
        self.assertEqual(self.start(400, 200), (200.0, "V100"))
        self.assertEqual(self.start(400, 30), (60.0, "V100"))  # they came free before they were asked for

    def test_then_any_gpus(self):
        self.assertEqual(self.start(1000, 1000), (360.0, "T4"))

    def test_an_earlier_alternative_is_taken_whenever_it_comes_free(self):
        self.assertEqual(self.start(70, 1000), (70.0, "V100"))

    def test_types_that_are_not_there_or_not_allowed_cost_no_wait(self):
        self.assertEqual(self.last([group("T4", 2)], [job(10, gang=2)]), (0.0, "T4"))
        self.assertEqual(self.last([NVLINK, group("T4", 2)], [job(10, gang=2, gpu_types=["T4"])]), (0.0, "T4"))
        # No island has four GPUs, and no V100s are four.
        self.assertEqual(self.last([NVLINK, group("T4", 4)], [job(10, gang=4)]), (0.0, "T4"))

    def test_is_who_is_twice_as_fast_there(self):
        groups = [NVLINK, group("T4", 2)]
        self.assertEqual(self.last(groups, [job(10, rates="T4:5;V100:10")]), (0.0, "V100"))
        self.assertEqual(self.last(groups, [job(10, rates="T4:5;V100:9.9")]), (0.0, "T4"))

    def test_gpus_are_not_shared(self):
        halves = [job(100, gpu_share=0.5, gpu_types=["V100"]) for _ in range(3)]
        begins = self.attempts([group("V100", 2), group("T4", 2)], halves)
        self.assertEqual(begins, [(0.0, "V100"), (0.0, "V100"), (100.0, "V100")])


class LowEnd(Pai):
    """A job of one GPU or a part takes MISC, after 60 s T4, after 60 more P100, after 300 more idle V100s."""

    def test_waits_for_each_type(self):
        full = [job(1000, gpu_types=[gpu]) for gpu in ("MISC", "T4")]
        groups = [group("V100", 1), group("P100", 1), group("T4", 1), group("MISC", 1)]
        self.assertEqual(self.last(groups, [full[0], job(10)]), (60.0, "T4"))
        self.assertEqual(self.last(groups, [*full, job(10)]), (120.0, "P100"))
        self.assertEqual(self.last(groups, [*full, job(1000, gpu_types=["P100"]), job(10)]), (420.0, "V100"))
        self.assertEqual(self.last(groups, [job(10)]), (0.0, "MISC"))

    def test_a_fifth_of_the_v100s_is_left_to_who_needs_them(self):
        groups = [group("V100", 5), group("MISC", 1)]
        full = job(1000, gpu_types=["MISC"])
        self.assertEqual(self.last(groups, [full, job(500, gang=4), job(10)]), (500.0, "V100"))
        self.assertEqual(self.last(groups, [full, job(500, gang=3), job(10)]), (60.0, "V100"))

    def test_parts_of_gpus_are_packed(self):
        places = self.tables([group("T4", 2)], [job(10, gpu_share=0.5) for _ in range(2)])["placements"]
        self.assertEqual(list(places["gpu"]), [0, 0])


class Types(Pai):
    def test_are_strict_or_a_wish(self):
        groups = [group("T4", 1), group("MISC", 1)]
        jobs = [job(1000, gpu_types=["T4"]), job(10, gpu_types=["T4"])]
        relaxed = {"preset": "pai-reserve-pack", "placement": {"types": "relaxed"}}
        self.assertEqual(self.last(groups, jobs), (1000.0, "T4"))
        self.assertEqual(self.last(groups, jobs, relaxed), (60.0, "MISC"))

    def test_a_wish_is_not_for_types_on_which_a_job_has_no_speed(self):
        groups = [group("T4", 1), group("MISC", 1)]
        jobs = [job(100, gpu_types=["T4"]), job(10, rates="T4:5")]
        relaxed = {"preset": "pai-reserve-pack", "placement": {"types": "relaxed"}}
        self.assertEqual(self.last(groups, jobs, relaxed), (100.0, "T4"))

    def test_alternatives_that_would_never_be_tried_are_refused(self):
        lists = {"name": "alternatives", "low": [{"types": ["T4"]}, {"types": ["MISC"]}]}
        error = self.folder.refusal(self.document([group("T4", 1)], [job(1)], {"placement": lists}))
        self.assertIn("policy.placement.low: alternative 1 has no \"for\"", error)
        alone = {"preset": "pai-reserve-pack", "admission": {"name": "quota", "gpus": {"a": 1}}}
        self.assertIn("policy.admission: counts the parts of GPUs",
                      self.folder.refusal(self.document([group("T4", 1)], [job(1)], alone)))


class LoadBalance(Pai):
    def test_jobs_go_to_the_least_loaded_node(self):
        """Loads after each start, as means of cores and GPUs: node 0 has 16 cores and 2 GPUs, node 1 8 and 4. Job 0
        takes node 0 (both idle; 8 of 16 cores, 1 of 2 GPUs: 1/2), job 1 node 1 (4 of 8, 1 of 4: 3/8), job 2 node 1
        (4 of 8, 3 of 4: 5/8), job 3 node 0."""
        groups = [group("T4", 2, cores=16), group("T4", 4, cores=8)]
        jobs = [job(100, gang=1, cores=8), job(100, gang=1, cores=4), job(100, gang=2), job(100, gang=1)]
        places = self.tables(groups, jobs, "pai-load-balance")["placements"]
        nodes = {int(row["job"]): int(row["node"]) for row in places}
        self.assertEqual(nodes, {0: 0, 1: 1, 2: 1, 3: 0})

    def test_parts_of_gpus_are_spread(self):
        jobs = [job(10, gpu_share=0.5) for _ in range(2)]
        places = self.tables([group("T4", 2)], jobs, "pai-load-balance")["placements"]
        self.assertEqual(sorted(places["gpu"]), [0, 1])


if __name__ == "__main__":
    MIMUS = properties_test.MIMUS = sys.argv.pop(1)
    unittest.main()
