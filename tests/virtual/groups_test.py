#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Clusters of several kinds of nodes, seen from the command line: groups_test.py MIMUS [unittest args].

Results do not depend on how an inventory is written, on the names of types, or on types that no job may use.
"""

import json
import random
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import POLICIES, Folder, random_jobs, tables

MODELLED = {
    "fifo-skip": {"order": {"name": "fifo", "skip": True}, "placement": "pack"},
    "sjf": {"order": "sjf", "estimate": "oracle", "placement": "strict"},
    "las": {"order": {"name": "las", "limits": ["60 s", "600 s"]}, "placement": "consolidated",
            "preemption": {"name": "checkpoint", "min_run": "0 s"}},
    "shared": {"order": "fifo", "sharing": "tenants", "placement": "spread"},
    "pai-load-balance": {"preset": "pai-load-balance"},
    "pai-reserve-pack": {"preset": "pai-reserve-pack"},
    "random": {"order": {"name": "fifo", "skip": True}, "placement": "random"},
}
FAST = """  - name: {fast}
    source: a test
    fp32: 14 TFLOP/s
    fp16: 112 TFLOP/s
    memory_bandwidth: 900 GB/s
    memory: 16 GB
    multiprocessors: 80
    island_link: 25 GB/s
    node_link: 25 GB/s
    network: 25 Gbit/s
    gpus_per_node: 4
    host_link: 12 GB/s
    launch_gap: 6 us
"""
SLOW = FAST.replace("{fast}", "{slow}").replace("14 TF", "7 TF").replace("112 TF", "40 TF").replace(
    "25 Gbit/s", "10 Gbit/s").replace("16 GB", "12 GB")


def training_jobs(count, seed, types=None):
    """Jobs with models. `types`: sets of GPU types, one of which each job may use."""
    draw = random.Random(seed)
    arrival = 0
    jobs = []
    for _ in range(count):
        arrival += draw.randrange(0, 60)
        job = {"model": draw.choice(["resnet18", "resnet50", "bert-base"]), "arrival": f"{arrival} s",
               "gang": draw.choice([1, 1, 2, 4, 6]), "samples": draw.randrange(2_000, 200_000)}
        if types is not None:
            chosen = draw.choice(types)
            if chosen:
                job["gpu_types"] = chosen
        jobs.append(job)
    return jobs


def campaign(jobs, policy, cluster, **more):
    return {"schema": 1, "name": "groups", "record": "full", "cluster": cluster,
            "workload": {"source": "jobs", "jobs": jobs}, "policy": policy,
            "engine": {"kind": "virtual", "interference": "slices"}, **more}


def group(nodes, gpus_per_node, gpu, **more):
    return {"nodes": nodes, "gpus_per_node": gpus_per_node, "gpu": gpu, **more}


class Groups(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-groups-")
        self.addCleanup(self.folder.cleanup)

    def run_one(self, document, name):
        path, = self.folder.run(document, name=name)
        return tables(path)

    def assert_same(self, left, right, names=None):
        self.assertEqual(set(left), set(right))
        for name in names or left:
            self.assertEqual(left[name].tobytes(), right[name].tobytes(), name)

    def test_groups_of_one_kind_give_the_bytes_of_the_short_form(self):
        alike = {"nodes": 5, "gpus_per_node": 4, "gpu": "V100", "network": "100 Gbit/s"}
        groups = {"groups": [group(2, 4, "V100", name="old", network="100 Gbit/s"),
                             group(3, 4, "V100", name="new", network="100 Gbit/s")]}
        for name, policy in MODELLED.items():
            with self.subTest(name):
                short = self.run_one(campaign(training_jobs(60, 1), policy, alike), f"{name}-a")
                long = self.run_one(campaign(training_jobs(60, 1), policy, groups), f"{name}-b")
                self.assert_same(short, long)
        for name, policy in POLICIES.items():
            with self.subTest(name):
                engine = {"kind": "virtual", "step_time": "duration", "interference": "none"}
                short, long = (
                    self.run_one({**campaign(random_jobs(100, 2), policy, cluster), "engine": engine},
                                 f"times-{name}-{i}") for i, cluster in enumerate([alike, groups]))
                self.assert_same(short, long)

    def named(self, fast, slow, policy, name):
        """A run on two types of machine with these names."""
        Path(self.folder.name, f"{name}-gpus.yaml").write_text(
            "schema: 1\ngpus:\n" + FAST.format(fast=fast) + SLOW.format(slow=slow), encoding="utf-8")
        jobs = training_jobs(60, 3, [None, [fast], [slow], [fast, slow], [slow, fast]])
        cluster = {"groups": [group(2, 4, fast), group(4, 2, slow)]}
        return self.run_one(campaign(jobs, policy, cluster, gpus=[f"{name}-gpus.yaml"]), name)

    def test_exchanged_names_of_types_exchange_the_names_in_the_results(self):
        for name, policy in MODELLED.items():
            with self.subTest(name):
                one = self.named("one", "two", policy, f"{name}-a")
                other = self.named("two", "one", policy, f"{name}-b")

                self.assertEqual(set(one["attempts"]["gpu_type"]), {b"one", b"two"})
                exchange = {b"one": b"two", b"two": b"one"}
                for table, column in (("jobs", "gpu_type"), ("attempts", "gpu_type"),
                                      ("gpus", "type"), ("totals", "group"), ("pairs", "gpu_type"),
                                      ("baselines", "gpu_type")):
                    other[table][column] = [exchange.get(text, text) for text in other[table][column]]
                self.assert_same(one, other)

    def test_slowdowns_are_relative_to_steps_alone_on_the_same_type(self):
        jobs = [{"model": "resnet18", "batch": 64, "gang": 1, "samples": 10_000, "gpu_types": [gpu]}
                for gpu in ("V100", "T4", "V100", "T4")]
        seen = self.run_one(campaign(jobs, MODELLED["shared"],
                                     {"groups": [group(1, 1, "V100"), group(1, 1, "T4")]}), "slowdowns")

        self.assertEqual(list(seen["baselines"]["gpu_type"]), [b"V100", b"T4"])
        alone = dict(zip(seen["baselines"]["gpu_type"], seen["baselines"]["step_solo"]))
        self.assertGreater(alone[b"T4"], 1.2 * alone[b"V100"])
        self.assertEqual(len(seen["pairs"]), 4)
        for pair in seen["pairs"]:
            self.assertEqual(pair["step_solo"], alone[pair["gpu_type"]])

    def test_a_type_that_nobody_may_use_changes_nothing(self):
        groups = [group(2, 4, "V100"), group(4, 2, "P100")]
        jobs = training_jobs(80, 4, [["V100"], ["P100"], ["V100", "P100"]])
        for name, policy in MODELLED.items():
            with self.subTest(name):
                without = self.run_one(campaign(jobs, policy, {"groups": groups}), f"{name}-a")
                more = groups + [group(3, 8, "T4")]
                beside = self.run_one(campaign(jobs, policy, {"groups": more}), f"{name}-b")

                self.assert_same(without, {**beside}, ["jobs", "attempts", "placements", "steps"])
                used = beside["gpus"]["held"][beside["gpus"]["type"] == b"T4"]
                self.assertEqual((len(used), used.sum()), (24, 0))

    def test_jobs_are_on_types_that_they_may_use_and_that_take_their_memory(self):
        """GPT takes more than 12 GB even with its smallest batch."""
        cluster = {"groups": [group(2, 2, "P100", gpu_memory="4 GB"), group(1, 4, "V100")]}
        jobs = [{"model": "resnet18", "samples": 50000, "gang": 4},
                {"model": "gpt", "samples": 50},
                {"model": "resnet18", "samples": 50000, "gpu_types": ["V100"]}]
        rows = self.run_one(campaign(jobs, MODELLED["fifo-skip"], cluster), "memory")["attempts"]
        by_job = {row["job"]: row["gpu_type"] for row in rows}
        self.assertEqual(by_job, {0: b"P100", 1: b"V100", 2: b"V100"})

    def test_types_come_through_a_table_of_jobs(self):
        path = Path(self.folder.name) / "jobs.csv"
        path.write_text("name,gang,arrival,run_time,gpu_types\n"
                        "a,1,0,60,T4\nb,1,0,60,V100;T4\nc,1,0,60,\n", encoding="utf-8")
        cluster = {"groups": [group(1, 1, "V100"), group(1, 2, "T4")]}
        document = campaign([], MODELLED["fifo-skip"], cluster)
        document["workload"] = {"source": "csv", "path": str(path)}
        document["engine"] = {"kind": "virtual", "step_time": "duration"}

        attempts = self.run_one(document, "table")["attempts"]

        self.assertEqual([row["gpu_type"] for row in np.sort(attempts, order="job")],
                         [b"T4", b"V100", b"T4"])
        path.write_text("name,gang,arrival,run_time,gpu_types\na,1,0,60,V10\n", encoding="utf-8")
        file = Path(self.folder.name) / "wrong.yaml"
        file.write_text(json.dumps(document), encoding="utf-8")
        done = subprocess.run([properties_test.MIMUS, "validate", str(file)], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertIn('unknown GPU type of the cluster "V10"; did you mean "V100"', done.stderr)

    def test_the_summary_says_how_each_type_was_used(self):
        """One job keeps one of four V100 for its 60 s; the two T4 are idle. A V100 draws 40 W
        when it is idle and 270 W when it is busy, an idle T4 10 W."""
        cluster = {"groups": [group(1, 4, "V100"), group(1, 2, "T4")]}
        document = campaign([{"run_time": "60 s"}], MODELLED["fifo-skip"], cluster)
        document["engine"] = {"kind": "virtual", "step_time": "duration"}
        path, = self.folder.run(document, name="summary")
        json_text = subprocess.run([properties_test.MIMUS, "summary", str(path), "--json"], check=True,
                                   capture_output=True, text=True, timeout=60).stdout
        types = json.loads(json_text)["cells"][0]["gpu_types"]
        self.assertEqual(types["V100"], {"gpus": 4, "held": 0.25, "busy": 0.25, "jobs": 1,
                                         "energy": 60 * (3 * 40 + 270), "queueing_mean": 0})
        self.assertEqual(types["T4"], {"gpus": 2, "held": 0, "busy": 0, "jobs": 0,
                                       "energy": 60 * 2 * 10, "queueing_mean": None})


if __name__ == "__main__":
    properties_test.MIMUS = sys.argv.pop(1)
    unittest.main()
