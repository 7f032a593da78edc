#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Guaranteed and opportunistic jobs under AntMan: antman_test.py MIMUS [unittest args].

Xiao et al., OSDI'20: opportunistic jobs join underused GPUs, are throttled and spill their memory, and are
promoted where quotas have room.
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
SLOPE = 0.2
MARGIN = 0.5e9  # [B]
HOST_LINK = 50e9  # of an H100 [B/s]


def job(model, duration, arrival=0, opportunistic=False, **more):
    return {"model": model, "duration": f"{duration} s", "arrival": f"{arrival} s",
            "class": "opportunistic" if opportunistic else "guaranteed", **more}


class AntMan(unittest.TestCase):
    def run_jobs(self, jobs, gpus=1, gpu_memory="80 GB", policy=None, **planner):
        """The tables of a virtual run on H100s whose tenants are slowed by 0.2 × what they use too much."""
        document = {
            "schema": 1, "name": "antman", "record": "full",
            "cluster": {"nodes": 1, "gpus_per_node": gpus, "gpu": "H100", "gpu_memory": gpu_memory,
                        "network": "50 Gbit/s"},
            "workload": {"source": "jobs", "jobs": jobs},
            "policy": {"planner": {"name": "antman", **planner}, **(policy or {})},
            "engine": {"kind": "virtual", "costs": {"start": "0 s"},
                       "interference": {"name": "mps", "capacity": 1, "slope": SLOPE}}}
        with tempfile.TemporaryDirectory(prefix="mimus-antman-") as name:
            file = Path(name) / "antman.yaml"
            file.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([MIMUS, "run", str(file), "-o", f"{name}/out"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                tables = {table: result[table][:] for table in
                          ("jobs", "attempts", "steps", "suspensions", "events", "figures")}
        self.assertNotIn(b"plan_refused", set(tables["events"]["kind"]))
        self.assertEqual(set(tables["jobs"]["outcome"]), {b"finished"})
        return tables

    @staticmethod
    def figure(tables, name):
        return {row["metric"].decode(): row["value"] for row in tables["figures"]}[name]

    def test_an_opportunistic_job_is_throttled_until_the_guaranteed_one_does_not_notice(self):
        """ResNet-50 is busy for 0.754 of its time, BERT-base for all of it: 1 + 0.2 (0.754 + u − 1) ≤ 1.05
        for u ≤ 0.496."""
        tables = self.run_jobs([job("resnet50", 600), job("bert-base", 300, 1, True)])

        opportunistic = tables["jobs"][tables["jobs"]["class"] == b"opportunistic"][0]
        self.assertAlmostEqual(opportunistic["first_start"], 31, delta=0.1)  # the GPU was watched for 30 s
        self.assertLess(self.figure(tables, "slowdown_guaranteed"), 1.05)
        self.assertGreater(self.figure(tables, "slowdown_guaranteed"), 1.02)
        limited = [row["detail"].decode() for row in tables["events"] if row["kind"] == b"attempt_limited"]
        caps = [float(text.split(" ")[0]) for text in limited if "of its GPUs' time" in text]
        used = caps[0] / 0.9  # what BERT-base was measured to use beside ResNet-50
        percentages = [round(100 * cap / used) for cap in caps[:8]]
        self.assertEqual(percentages[:4], [90, 80, 70, 60])
        for percentage in percentages[4:]:
            self.assertLess((percentage - 10) / 100 * used, 0.496)
            self.assertGreater(percentage, 40)

    def test_an_opportunistic_job_gets_all_when_the_guaranteed_one_has_ended(self):
        tables = self.run_jobs([job("resnet50", 100), job("bert-base", 300, 1, True)])

        attempt = tables["attempts"][tables["attempts"]["job"] == 1][0]
        self.assertEqual((attempt["cap"], attempt["memory_limit"]), (1, 0))

    def test_a_guaranteed_job_gets_the_gpu_of_an_opportunistic_one_at_once(self):
        """Which keeps its GPU, is suspended while the new job is measured, and then is throttled."""
        tables = self.run_jobs([job("bert-base", 200, 0, True), job("resnet50", 300, 60)])

        guaranteed = tables["jobs"][tables["jobs"]["class"] == b"guaranteed"][0]
        self.assertLess(guaranteed["queueing"], 1)
        self.assertEqual(tables["jobs"]["attempts"].tolist(), [1, 1])
        self.assertEqual(len(tables["suspensions"]), 1)
        self.assertLess(tables["suspensions"][0]["end"] - tables["suspensions"][0]["begin"], 4)
        self.assertLess(self.figure(tables, "slowdown_guaranteed"), 1.05)

    def test_an_opportunistic_job_spills_what_the_guaranteed_one_does_not_leave(self):
        """On GPUs of 16 GB, beside a job that needs 10.4 of them."""
        shown = subprocess.run([MIMUS, "models", "resnet50", "--json"], capture_output=True, check=True)
        need = json.loads(shown.stdout)["memory_bytes_at_reference"]

        tables = self.run_jobs([job("resnet50", 1000), job("resnet50", 40, 1, True)], gpu_memory="16 GB",
                               full=1.0)

        attempt = tables["attempts"][tables["attempts"]["job"] == 1][0]
        self.assertAlmostEqual(attempt["memory_limit"], 16e9 - need - MARGIN, delta=1e6)
        alone = tables["steps"][tables["steps"]["job"] == 0]["step_mean"].min()
        spilled = tables["steps"][tables["steps"]["job"] == 1]["step_mean"].min()
        self.assertGreater(spilled, alone + (need - attempt["memory_limit"]) / HOST_LINK * 0.99)
        self.assertLess(self.figure(tables, "gpu_memory"), 1)

    def test_opportunistic_jobs_count_against_no_quota_and_are_promoted_when_it_has_room(self):
        """A quota of one GPU: the second guaranteed job waits, the opportunistic one does not. It gets the
        quota when all guaranteed jobs have ended, and a guaranteed one that comes then has to wait."""
        tables = self.run_jobs(
            [job("resnet50", 100, 0), job("resnet50", 100, 0), job("bert-base", 600, 0, True),
             job("resnet50", 100, 300)],
            gpus=2, policy={"admission": {"name": "quota", "gpus": {"default": 1}}})

        first, second, opportunistic, last = tables["jobs"][tables["jobs"]["job"].argsort()]
        self.assertLess(first["queueing"], 1)
        self.assertAlmostEqual(second["wait_quota"], 100, delta=8)
        self.assertLess(opportunistic["queueing"], 61)
        self.assertAlmostEqual(last["first_start"], opportunistic["end"], delta=1)
        self.assertEqual(opportunistic["class"], b"opportunistic")  # as it was submitted


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
