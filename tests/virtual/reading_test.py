#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that read data sets through links and a cache: reading_test.py MIMUS [unittest args].

ResNet-18 has epochs of 50,000 samples, so that a set of 5 GB has 100 kB a sample.
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
EPOCH = 50_000  # samples
SET = 5e9  # [B]


def job(data_set, epochs, tenant="a", arrival=0, **more):
    return {"model": "resnet18", "samples": EPOCH * epochs, "arrival": f"{arrival} s", "data_set": data_set,
            "virtual_cluster": tenant, **more}


class Reading(unittest.TestCase):
    def document(self, jobs, data, cache, **engine):
        return {"schema": 1, "name": "reading",
                "cluster": {"nodes": 2, "gpus_per_node": 2, "gpu": "V100", "network": "50 Gbit/s",
                            **({"data": data} if data else {})},
                "workload": {"source": "jobs", "jobs": jobs,
                             "data_sets": [{"name": name, "size": "5 GB"} for name in "xyz"]},
                "policy": {"order": {"name": "fifo", "skip": True}, "cache": cache},
                "engine": {"kind": "virtual", "costs": {"start": "0 s"}, **engine}}

    def call(self, verb, document, folder, *options):
        file = Path(folder) / "reading.yaml"
        file.write_text(json.dumps(document), encoding="utf-8")
        return subprocess.run([MIMUS, verb, str(file), *options], capture_output=True, text=True,
                              timeout=LIMIT_S)

    def run_jobs(self, jobs, data, cache="none", **engine):
        with tempfile.TemporaryDirectory(prefix="mimus-reading-") as name:
            done = self.call("run", self.document(jobs, data, cache, **engine), name, "-o", f"{name}/out")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                jobs = {row["job"]: row for row in result["jobs"][:]}
                figures = {row["metric"].decode(): row["value"] for row in result["figures"][:]}
                return jobs, figures, {row["tenant"].decode(): row for row in result["tenants"][:]}

    def refusal(self, jobs, data, cache="none", **engine):
        with tempfile.TemporaryDirectory(prefix="mimus-reading-") as name:
            done = self.call("validate", self.document(jobs, data, cache, **engine), name)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            return done.stderr

    def test_a_job_takes_as_long_as_its_samples_take_to_come(self):
        jobs, figures, tenants = self.run_jobs([job("x", 2)], {"storage": "50 MB/s"})

        self.assertAlmostEqual(jobs[0]["jct"] / (2 * SET / 50e6), 1, delta=0.001)
        self.assertAlmostEqual(tenants["a"]["read"] / (2 * SET), 1, delta=0.001)
        self.assertEqual(figures["cache_hit_ratio"], 0)
        self.assertEqual(figures["tenant_speedup"], 1)

    def test_fast_storage_changes_nothing(self):
        slow, _, _ = self.run_jobs([job("x", 2)], {"storage": "100 GB/s", "node_link": "100 GB/s"})
        plain = self.document([job("x", 2)], None, "none")
        with tempfile.TemporaryDirectory(prefix="mimus-reading-") as name:
            self.assertEqual(self.call("run", plain, name, "-o", f"{name}/out").returncode, 0)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                self.assertEqual(result["jobs"][0]["jct"], slow[0]["jct"])
                self.assertEqual(len(result["tenants"]), 0)

    def test_readers_share_the_storage_and_the_link_of_their_node(self):
        two = [job("x", 1, gang=2, batch=128), job("y", 1, gang=2, batch=128)]
        jobs, _, _ = self.run_jobs(two, {"storage": "50 MB/s"})
        for row in jobs.values():
            self.assertAlmostEqual(row["jct"] / (2 * SET / 50e6), 1, delta=0.001)
        one_node = [job("x", 1), job("y", 1)]
        jobs, _, _ = self.run_jobs(one_node, {"storage": "1 GB/s", "node_link": "50 MB/s"})
        for row in jobs.values():
            self.assertAlmostEqual(row["jct"] / (2 * SET / 50e6), 1, delta=0.001)

    def test_what_is_kept_is_read_from_storage_once(self):
        """The page cache holds the set: of 20 epochs one comes from storage."""
        for cache in ("lru", "robus"):
            _, figures, tenants = self.run_jobs([job("x", 20)], {"storage": "50 MB/s", "cache": "6 GB"},
                                                cache)
            self.assertAlmostEqual(tenants["a"]["read"] - tenants["a"]["hit"], SET, delta=0.02 * SET)
            self.assertAlmostEqual(figures["cache_hit_ratio"], 0.95, delta=0.002)
            self.assertGreater(figures["tenant_speedup"], 1.5)

    def test_robus_gives_two_tenants_of_three_their_set_for_two_thirds_of_the_time(self):
        """Room for one set, of which two tenants share one. What comes in takes much of each epoch from
        everybody alike, so that chances show in how long what is resident serves a tenant."""
        jobs = [job("x", 900, "a"), job("x", 900, "b"), job("y", 900, "c")]
        data = {"storage": "2 GB/s", "cache": "5 GB"}
        _, figures, tenants = self.run_jobs(jobs, data, {"name": "robus", "epoch": "100 s"})

        value = {name: row["worth"] / row["worth_alone"] for name, row in tenants.items()}
        self.assertEqual(value["a"], value["b"])
        self.assertAlmostEqual(value["a"], 2 / 3, delta=0.12)
        self.assertAlmostEqual(value["c"], 1 / 3, delta=0.12)
        expected = (2 * 2 / 3 + 1 / 3) ** 2 / (3 * (2 * 4 / 9 + 1 / 9))
        self.assertAlmostEqual(figures["cache_fairness"], expected, delta=0.08)
        _, selfish, of_all = self.run_jobs(jobs, data, {"name": "robus", "epoch": "100 s",
                                                        "objective": "utilitarian"})
        self.assertEqual(of_all["c"]["hit"], 0)
        self.assertLess(selfish["cache_fairness"], figures["cache_fairness"])

    def test_a_page_cache_serves_those_who_read_most_and_robus_both_alike(self):
        """Room for one of two sets, which three replicas and one read. With u = exp(−T) the page cache has
        u³ + u = 1, u = 0.682: that of each set it has in the end."""
        jobs = [job("x", 9000, "many", gang=2), job("x", 9000, "many"), job("y", 9000, "one")]
        data = {"storage": "2 GB/s", "cache": "5 GB"}
        _, lru, tenants = self.run_jobs(jobs, data, "lru", until="90 min")
        share = {name: row["worth"] / row["worth_alone"] for name, row in tenants.items()}
        self.assertAlmostEqual(share["many"], 0.682, delta=0.05)
        self.assertAlmostEqual(share["one"], 0.318, delta=0.05)
        _, robus, tenants = self.run_jobs(jobs, data, {"name": "robus", "epoch": "50 s"}, until="90 min")
        for row in tenants.values():
            self.assertAlmostEqual(row["worth"] / row["worth_alone"], 0.5, delta=0.12)
        self.assertGreater(robus["cache_fairness"], lru["cache_fairness"] + 0.05)

    def test_the_same_seed_draws_the_same_sets(self):
        jobs = [job("x", 30, "a"), job("y", 30, "b"), job("z", 30, "b", 10)]
        data = {"storage": "100 MB/s", "cache": "6 GB"}
        first, figures, _ = self.run_jobs(jobs, data, "robus")
        second, again, _ = self.run_jobs(jobs, data, "robus")

        self.assertEqual({id: row["end"] for id, row in first.items()},
                         {id: row["end"] for id, row in second.items()})
        self.assertEqual(figures["tenant_speedup"], again["tenant_speedup"])

    def test_what_cannot_be_is_refused_with_the_way_out(self):
        storage = {"storage": "1 GB/s"}
        self.assertIn("set cluster.data.cache, or policy.cache: none",
                      self.refusal([job("x", 1)], storage, "lru"))
        self.assertIn("give the job data_size, or add the set to workload.data_sets",
                      self.refusal([job("unknown", 1)], storage))
        self.assertIn("which has 1 GB for an earlier job",
                      self.refusal([job("own", 1, data_size="1 GB"), job("own", 1, data_size="2 GB")], storage))
        self.assertIn("recorded run times do not say how much a job reads",
                      self.refusal([{"run_time": "5 s"}], storage, step_time="duration"))
        self.assertIn("set engine.pace: datasheet, or leave it out",
                      self.refusal([job("x", 1)], storage, kind="live", pace="none"))


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
