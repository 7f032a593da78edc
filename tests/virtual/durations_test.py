#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Stated durations and loads hold on the cluster that runs them: durations_test.py MIMUS [args]."""

import itertools
import sys
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, jobs_of, tables

GPUS = ("T4", "V100", "A100", "H100")
MODELS = ("bert-base", "deepspeech2", "neumf", "resnet18", "resnet50", "yolov3")


def campaign(workload, gpu, nodes=4, **more):
    return {"schema": 1, "name": "durations",
            "cluster": {"nodes": nodes, "gpus_per_node": 4, "gpu": gpu, **more.pop("cluster", {})},
            "workload": workload, "policy": "fifo",
            "engine": {"kind": "virtual", **more.pop("engine", {})}, **more}


def one_after_the_other(jobs):
    """Jobs that never overlap: each one takes an hour or two and arrives a day after the
    previous one."""
    return {"source": "jobs", "jobs": [{**job, "arrival": f"{i} d"} for i, job in enumerate(jobs)]}


class Durations(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-durations-")
        self.addCleanup(self.folder.cleanup)

    def run_times(self, document, name="run"):
        """Run times of undisturbed jobs, without the start-up."""
        document["engine"]["costs"] = {"start": "0 s"}
        rows = jobs_of(self.folder.run(document, name=name)[0])
        return rows["end"] - rows["first_start"]

    def test_a_job_alone_runs_for_its_duration_on_every_machine(self):
        """One step of the longest takes 4 s; the last step of a job ends after its time."""
        jobs = [{"model": model, "gang": gang, "duration": "1 h"}
                for model, gang in itertools.product(MODELS, (1, 2, 4, 16))]
        # Larger batches make steps worth less, and gradients are accumulated.
        jobs += [{"model": model, "gang": gang, "batch": 64 * gang, "duration": "1 h"}
                 for model, gang in itertools.product(("resnet18", "resnet50"), (1, 8))]
        for gpu in GPUS:
            times = self.run_times(campaign(one_after_the_other(jobs), gpu), name=gpu)
            np.testing.assert_allclose(times, 3600.0, rtol=0.002, err_msg=gpu)

    def test_slow_links_lengthen_no_stated_duration(self):
        jobs = [{"model": "bert-base", "gang": 8, "duration": "1 h"}]
        slow = campaign(one_after_the_other(jobs), "A100", cluster={"network": "1 Gbit/s"})
        np.testing.assert_allclose(self.run_times(slow), 3600.0, rtol=0.005)

    def test_durations_may_hold_on_another_machine(self):
        """The samples are then the same on every cluster, and faster GPUs take less time."""
        workload = one_after_the_other([{"model": "resnet50", "gang": 4, "duration": "2 h"}])
        workload["duration_on"] = "V100"
        times = [self.run_times(campaign(workload, gpu), name=gpu)[0] for gpu in ("V100", "H100")]
        np.testing.assert_allclose(times[0], 7200.0, rtol=0.002)
        self.assertLess(times[1], 0.8 * times[0])

    def held_share(self, path, first=0.25, last=0.75):
        """GPU time held divided by GPU time available, between two shares of the arrivals."""
        rows = jobs_of(path)
        begin, end = np.quantile(rows["arrival"], [first, last])
        attempts = tables(path)["attempts"]
        held = np.minimum(attempts["end"], end) - np.maximum(attempts["begin"], begin)
        gang = rows["gang"][attempts["job"]]
        return float(np.sum(np.clip(held, 0, None) * gang) / ((end - begin) * 64))

    def test_the_load_is_what_the_cluster_is_held_for(self):
        """Held GPU time over ten seeds of 1,500 jobs. With sigma 0.5 a job's run time varies by
        53 %, the number of arrivals in a half by 1 / sqrt(750) = 3.7 %: 4.2 % a seed, so 1.4 % of
        the mean, and starts of 10 s on an hour."""
        for number, mix in enumerate(({"mix": {"bert-base": 1}, "gangs": {1: 1}},
                                      {"mix": {"resnet18": 1}, "gangs": {8: 1}})):
            workload = {"source": "poisson", "jobs": 1500, "load": 0.8, "duration": "1 h",
                        "duration_sigma": 0.5, **mix}
            document = campaign(workload, "A100", nodes=16, repetitions=10, record="jobs")
            paths = self.folder.run(document, "--jobs", "2", name=f"load-{number}")
            self.assertEqual(len(paths), 10)
            mean = np.mean([self.held_share(path) for path in paths])
            self.assertAlmostEqual(mean, 0.8, delta=0.035, msg=str(mix))


if __name__ == "__main__":
    properties_test.MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
