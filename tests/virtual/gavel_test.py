#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Gavel's policies over GPU types, seen from the command line: gavel_test.py MIMUS [unittest args]."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, jobs_of

SHARED = Path(os.environ.get("MIMUS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
THROUGHPUTS = SHARED / "data/gavel/simulation_throughputs.json"
TYPES = [{"nodes": 9, "gpus_per_node": 4, "gpu": gpu} for gpu in ("V100", "P100", "K80")]
# Mean completion time of jobs 4000 to 4999 that Gavel's EXPERIMENTS.md prints: of seed, at so many s
# between arrivals.
PRINTED = {(42, 9000): 59492.107, (42, 4500): 59770.441, (1234, 4500): 64695.451, (15, 4500): 55072.401}


class Gavel(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-gavel-")
        self.addCleanup(self.folder.cleanup)

    def run_jobs(self, jobs, planner, groups, **engine):
        document = {"schema": 1, "name": "gavel", "cluster": {"groups": groups},
                    "workload": {"source": "jobs", "jobs": jobs}, "policy": {"planner": {"name": "gavel", **planner}},
                    "engine": {"kind": "virtual", "step_time": "duration", **engine}}
        return jobs_of(self.folder.run(document)[0])

    @unittest.skipUnless(THROUGHPUTS.is_file(), "skipped: no shared data")
    def test_low_load_is_what_the_artifact_prints(self):
        document = {"schema": 1, "name": "low", "cluster": {"groups": TYPES}, "record": "jobs",
                    "workload": {"source": "gavel-jobs", "jobs": 5200, "mean_interarrival": "9000 s",
                                 "throughputs": str(THROUGHPUTS)},
                    "policy": {"planner": {"name": "gavel", "objective": "allox"}},
                    "engine": {"kind": "virtual", "step_time": "duration", "replay": "gavel", "round": "360 s"}}
        for number, ((seed, gap), printed) in enumerate(PRINTED.items()):
            with self.subTest(seed=seed, gap=gap):
                found = jobs_of(self.folder.run(document, "--set", f"workload.trace_seed={seed}", "--set",
                                                f"workload.mean_interarrival={gap} s", name=f"low{number}")[0])
                mean = (found["end"] - found["arrival"])[4000:5000].mean()
                self.assertAlmostEqual(mean, printed, delta=1e-3)

    def test_jobs_go_as_fast_as_their_type(self):
        """Two jobs of 1,000 s on a V100, where they make 10 iterations/s, and 2 on a K80."""
        jobs = [{"run_time": "1000 s", "arrival": "0 s", "rates": "V100:10;K80:2"} for _ in range(2)]
        groups = [{"nodes": 1, "gpus_per_node": 1, "gpu": gpu} for gpu in ("V100", "K80")]
        for replay in ({}, {"replay": "gavel", "round": "360 s"}):
            with self.subTest(replay=replay):
                costs = {} if replay else {"costs": {key: "0 s" for key in ("start", "checkpoint", "restore", "migrate")}}
                found = self.run_jobs(jobs, {"renew": "0 s"}, groups, **costs, **replay)
                # They take turns on the V100 in rounds of 360 s: 360 and 72 s of their run time per round. Both are
                # at 432 after two rounds and at 864 after four. The next one on the V100 needs 136 s more. The other
                # one holds the K80 until that round ends at 1800 s, is at 936 then, and has 64 s left on the V100.
                self.assertAlmostEqual(found["end"].min(), 1576, delta=1e-6)
                self.assertAlmostEqual(found["end"].max(), 1864, delta=1e-6)

    def test_the_first_come_have_gpus(self):
        """Three jobs of 1,000 s on a V100, where they make 10 iterations/s, and 2 on a K80; rounds of 360 s."""
        jobs = [{"run_time": "1000 s", "arrival": "0 s", "rates": "V100:10;K80:2"} for _ in range(3)]
        groups = [{"nodes": 1, "gpus_per_node": 1, "gpu": gpu} for gpu in ("V100", "K80")]
        for rates, ends in (
                # Job 1 has the V100 from 1080 s on, when 784 s are left of it. Job 2 has then had three rounds on the
                # K80, too, and the V100 from 2160 s on.
                ("by_type", [1000, 1864, 2944]),
                # Job 1 stays on the K80; job 2 has the V100 from 1080 s on.
                ("none", [1000, 5000, 2080])):
            with self.subTest(rates=rates):
                found = self.run_jobs(jobs, {"objective": "fifo", "rates": rates, "renew": "0 s"}, groups,
                                      replay="gavel", round="360 s")
                np.testing.assert_allclose(found["end"], ends, atol=1e-6)

    def test_age_alone_is_no_reason_where_iterations_are_seconds(self):
        """One V100 for a job of 20,000 s, and for others of 2,000 and 20,000 s that come after 3,600 s. By its time
        alone so far, the first one gives up time to the last one; by its age, all have the same shares."""
        jobs = [{"run_time": f"{run} s", "arrival": f"{at} s", "rates": "V100:1000"}
                for run, at in ((20000, 0), (2000, 3600), (20000, 3600))]
        groups = [{"nodes": 1, "gpus_per_node": 1, "gpu": "V100"}]
        for planner, first in (({"objective": "max_min"}, 38200), ({"objective": "ftf", "rates": "one"}, 38200),
                               ({"objective": "ftf", "rates": "none"}, 40720)):
            with self.subTest(planner=planner):
                found = self.run_jobs(jobs, {"fill": "least", **planner}, groups, replay="gavel", round="360 s")
                np.testing.assert_allclose(found["end"], [first, 9560, 42000], atol=1e-6)
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            self.run_jobs(jobs, {"objective": "max_min", "rates": "one"}, groups)
        self.assertIn("rates: one is for objective: ftf", refused.exception.stderr)

    def test_pairs_share_a_gpu(self):
        """Two jobs of 3,600 steps on one V100, which make 10 steps/s alone and 9 each beside the other."""
        kind = "ResNet-18 (batch size 64)"
        key = f"('{kind}', 1)"
        measured = {"v100": {key: {"null": 10.0, key: [9.0, 9.0]}}, "k80": {key: {"null": 0.0}}}
        folder = Path(self.folder.name)
        (folder / "throughputs.json").write_text(json.dumps(measured), encoding="utf-8")
        row = "\t".join([kind, "command", "--num", "1", "3600", "0", "1"])
        (folder / "jobs.trace").write_text(f"{row}\n{row}\n", encoding="utf-8")
        document = {"schema": 1, "name": "pairs", "policy": "gavel-packed",
                    "cluster": {"groups": [{"nodes": 1, "gpus_per_node": 1, "gpu": "V100"}]},
                    "workload": {"source": "gavel", "path": str(folder / "jobs.trace"), "also_on": ["k80"],
                                 "throughputs": str(folder / "throughputs.json")},
                    "engine": {"kind": "virtual", "step_time": "duration", "replay": "gavel", "round": "360 s"}}
        # A round has 3,240 steps of each. The other 360 take 40 s. One after the other they end at 360 and 720 s.
        found = jobs_of(self.folder.run(document)[0])
        np.testing.assert_allclose(found["end"], [400, 400], atol=1e-6)
        document["policy"] = "gavel-max-min"
        found = jobs_of(self.folder.run(document, name="alone")[0])
        np.testing.assert_allclose(np.sort(found["end"]), [360, 720], atol=1e-6)
        for number, planner in enumerate(({"fill": "interior"}, {"objective": "gandiva"})):
            document["policy"] = {"preset": "gavel-packed", "planner": planner}
            found = jobs_of(self.folder.run(document, name=f"pairs{number}")[0])
            np.testing.assert_allclose(found["end"], [400, 400], atol=1e-6)
        for preset, planner, why in (("gavel-packed", {"rates": "none"}, "must be 1 without rates: by_type"),
                                     ("gavel-packed", {"objective": "fifo"}, "must be 1 with objective: allox, equal"),
                                     ("gavel-max-min", {"objective": "gandiva"}, "must be 2 with objective: gandiva")):
            document["policy"] = {"preset": preset, "planner": planner}
            path = folder / "refused.yaml"
            path.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([properties_test.MIMUS, "validate", str(path)], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("residents: " + why, done.stderr)

    def test_rates_that_cannot_hold_are_refused(self):
        job = {"run_time": "500 s", "arrival": "0 s", "rates": "V100:10"}
        for change, steps, why in (({"gpu_types": ["V100", "K80"]}, "duration", "may use GPU type K80"),
                                   ({"model": "resnet50"}, "analytic", "set that"),
                                   ({"rates": "V100"}, "duration", "V100:32.35;K80:4.8"),
                                   ({"rates": "T4:3"}, "duration", "may use GPUs of type T4 only, but the cluster has V100, K80")):
            document = {"schema": 1, "name": "refused", "workload": {"source": "jobs", "jobs": [{**job, **change}]},
                        "cluster": {"groups": [{"nodes": 1, "gpus_per_node": 1, "gpu": gpu} for gpu in ("V100", "K80")]},
                        "engine": {"kind": "virtual", "step_time": steps}}
            path = Path(self.folder.name) / "refused.yaml"
            path.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([properties_test.MIMUS, "validate", str(path)], capture_output=True, text=True)
            with self.subTest(change=change):
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(why, done.stderr)

    def test_types_without_a_rate_are_never_used(self):
        jobs = [{"run_time": "500 s", "arrival": "0 s", "rates": "V100:10"} for _ in range(3)]
        groups = [{"nodes": 1, "gpus_per_node": 1, "gpu": gpu} for gpu in ("V100", "K80")]
        found = self.run_jobs(jobs, {}, groups, replay="gavel", round="360 s")
        self.assertAlmostEqual(found["end"].max(), 1500, delta=1e-6)

    def test_jobs_with_models_have_the_speed_that_is_believed(self):
        """The one that gains most by the V100 has it."""
        document = {"schema": 1, "name": "models",
                    "cluster": {"groups": [{"nodes": 1, "gpus_per_node": 1, "gpu": gpu} for gpu in ("T4", "V100")]},
                    "workload": {"source": "jobs", "duration_on": "V100", "jobs": [
                        {"model": model, "duration": "5 min", "arrival": "0 s"} for model in ("neumf", "bert-base")]},
                    "policy": "gavel-max-sum", "engine": {"kind": "virtual"}}
        path = self.folder.run(document)[0]
        attempts = properties_test.tables(path)["attempts"]
        types = {int(row["job"]): row["gpu_type"].decode() for row in attempts}
        self.assertEqual(set(types.values()), {"T4", "V100"})
        again = properties_test.tables(self.folder.run(document, name="again")[0])["attempts"]
        np.testing.assert_array_equal(attempts, again)


if __name__ == "__main__":
    properties_test.MIMUS = sys.argv.pop(1)
    unittest.main()
