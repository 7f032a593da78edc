#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes that sleep, and modelled energy, in virtual runs by hand: ces_test.py MIMUS [unittest args]."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, tables

# Each step of 10 min may switch off what the one before used and this one does not.
EAGER = {"name": "ces", "step": "10 min", "boot": "5 min", "history": 1, "future": 1, "drop": 0.1,
         "future_drop": 0, "least": 1, "buffer": 0, "keep": 0, "warm_up": 1, "forecast": "flat"}
# Jobs of 2 GPUs on nodes of 2. The second comes when nodes 1 and 2 sleep, and waits for 5 min.
JOBS = [{"model": "resnet50", "gang": 2, "duration": "40 min", "arrival": "0 s"},
        {"model": "resnet50", "gang": 2, "duration": "20 min", "arrival": "15 min"}]


class SleepingNodes(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-ces-")
        self.addCleanup(self.folder.cleanup)

    def run_jobs(self, power="never", name="run", **more):
        engine = {"kind": "virtual", "costs": {"start": "0 s"}}
        document = {"schema": 1, "name": "ces", "record": "full", "cluster": {"nodes": 3, "gpus_per_node": 2, "gpu": "T4"},
                    "workload": {"source": "jobs", "jobs": JOBS}, "policy": {"power": power},
                    "engine": engine, **more}
        self.path = self.folder.run(document, name=name)[0]
        return tables(self.path)

    def figures(self):
        """Of the last run, as mimus summary prints them."""
        done = subprocess.run([properties_test.MIMUS, "summary", str(self.path), "--json"], check=True,
                              capture_output=True, text=True)
        return json.loads(done.stdout)["cells"][0]

    def test_a_job_waits_for_the_node_that_it_wakes(self):
        found = self.run_jobs(EAGER)

        first, second = np.sort(found["jobs"], order="job")
        self.assertEqual(first["queueing"], 0)
        self.assertEqual(second["first_start"], 1200)
        self.assertEqual(second["wait_boot"], 300)
        self.assertEqual(second["queueing"], 300)
        spans = [(row["node"], row["state"].decode(), row["begin"], row["end"])
                 for row in np.sort(found["node_states"], order=["node", "begin"])]
        end = found["jobs"]["end"].max()
        self.assertEqual(spans[:2], [(1, "asleep", 600, 900), (1, "booting", 900, 1200)])
        self.assertEqual([span[:3] for span in spans if span[0] == 2], [(2, "asleep", 600)])
        self.assertAlmostEqual(end, 2400, delta=10)
        delays = [row for row in found["queue_delay"] if row["cause"] == b"boot"]
        self.assertEqual([(row["job"], row["begin"], row["end"]) for row in delays], [(1, 900, 1200)])
        self.assertIn(b"node_booting", found["events"]["kind"])

    def test_nodes_sum_up_how_they_spent_the_time(self):
        found = self.run_jobs(EAGER)

        end = found["jobs"]["end"].max()
        np.testing.assert_allclose(found["nodes"]["on"] + found["nodes"]["booting"]
                                   + found["nodes"]["asleep"], end)
        self.assertEqual(list(found["nodes"]["boots"]), [0, 1, 0])
        self.assertAlmostEqual(found["nodes"]["used"][2], 0)
        figures = self.figures()
        self.assertEqual(figures["jobs_boot_delayed"], 1)
        self.assertAlmostEqual(figures["wake_ups_per_day"], 86400 / end, places=6)
        asleep = found["nodes"]["asleep"].sum()
        self.assertAlmostEqual(figures["nodes_asleep"], asleep / end, places=6)
        self.assertAlmostEqual(figures["nodes_used_fraction"],
                               found["nodes"]["used"].sum() / (3 * end - asleep), places=6)

    def test_nodes_that_boot_at_once_delay_nobody(self):
        """Whatever sleeps wakes as soon as a job needs it, so jobs run as if all nodes were on."""
        jobs = properties_test.random_jobs(150, seed=5)
        for policy in ({"order": {"name": "fifo", "skip": True}, "placement": "consolidated"},
                       {"order": "sjf", "estimate": "oracle", "admission": {"name": "quota", "gpus": {"a": 8}}}):
            found = []
            for power in ("never", {**EAGER, "boot": "0 s"}):
                document = properties_test.campaign(jobs, {**policy, "power": power}, nodes=6)
                name = f"at-once-{len(policy)}-{power == 'never'}"
                self.path = self.folder.run(document, name=name)[0]
                found.append(tables(self.path))
            np.testing.assert_array_equal(found[0]["jobs"], found[1]["jobs"])
            self.assertGreater(found[1]["nodes"]["asleep"].sum(), 0)
            self.assertEqual(found[0]["nodes"]["asleep"].sum(), 0)
            self.assertEqual(set(found[1]["energy"]["source"]), {b"modelled_held"})

    def test_energy_is_that_of_idle_and_busy_time(self):
        """Of a T4 10 W idle and 63 W busy, and of its server 200 W and 15 W when it sleeps."""
        for power in ("never", EAGER):
            with self.subTest(power=power):
                found = self.run_jobs(power, name="asleep" if power == EAGER else "on")

                end = found["jobs"]["end"].max()
                asleep = np.repeat(found["nodes"]["asleep"], 2)
                np.testing.assert_allclose(found["energy"]["joules"], 10 * (end - asleep)
                                           + 53 * found["gpus"]["busy"])
                np.testing.assert_allclose(found["nodes"]["joules"],
                                           200 * (end - found["nodes"]["asleep"])
                                           + 15 * found["nodes"]["asleep"])
                self.assertEqual(set(found["energy"]["source"]), {b"modelled"})
                figures = self.figures()
                self.assertAlmostEqual(figures["energy_joules"], found["energy"]["joules"].sum()
                                       + found["nodes"]["joules"].sum(), delta=1e-3)
                self.assertEqual(figures["energy_modelled_fraction"], 1)


if __name__ == "__main__":
    properties_test.MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
