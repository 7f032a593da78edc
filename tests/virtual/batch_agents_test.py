#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Batches and learning rates that a job's agent sets: batch_agents_test.py MIMUS [unittest args].

Samples, steps and time until the same progress, against the user's own batch. The expected signs
follow from p = x(2 - z0 x/r)/(2 - z0), the progress of a step (docs/virtual-engine.md).
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

MIMUS = None
LIMIT_S = 100


def document(batch, job, training):
    return {"schema": 1, "name": "agents", "seed": 3,
            "cluster": {"nodes": 1, "gpus_per_node": 4, "gpu": "T4", "network": "25 Gbit/s"},
            "workload": {"source": "jobs", "jobs": [job], "training": training},
            "policy": {"batch": batch, "recovery": {"name": "retry", "retries": 1}},
            "engine": {"kind": "virtual"}}


class BatchAgents(unittest.TestCase):
    def run_job(self, batch, training=None, **changes):
        """(samples, steps, time to the end of the job [s], outcome, attributes) of one ResNet-18 on
        CIFAR-10: M0 = 128, its noise scale grows from 80 to thousands."""
        job = {"model": "resnet18", "gang": 4, "batch": 128, "samples": 2000000, **changes}
        with tempfile.TemporaryDirectory(prefix="mimus-agents-") as name:
            file = Path(name) / "agents.yaml"
            file.write_text(json.dumps(document(batch, job, training or {})), encoding="utf-8")
            done = subprocess.run([MIMUS, "run", str(file), "-o", f"{name}/out"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                steps, jobs = result["steps"][:], result["jobs"][:]
                self.events = result["events"][:]
                self.attributes = dict(result.attrs)
                self.totals, self.steps = steps["total_batch"], steps
                return (steps["samples"].sum(), steps["steps"].sum(), float(jobs["jct"][0]),
                        jobs["outcome"][0].decode())

    def compare(self, batch, training=None):
        """Of a batch choice over those of the user's batch."""
        user, agent = self.run_job("fixed", training), self.run_job(batch, training)
        self.assertEqual(agent[3], "finished")
        return np.array(agent[:3]) / np.array(user[:3])

    def test_adabatch_takes_fewer_steps_and_more_samples(self):
        samples, steps, _ = self.compare({"name": "adabatch", "every": 8}, {"learning_rate": 0.5})
        self.assertLess(steps, 0.7)
        self.assertGreater(samples, 1.01)
        np.testing.assert_array_equal(np.unique(self.totals)[:3], [128, 256, 512])
        self.assertIn("linear, emulated quadratic truth, z0 = 0.5",
                      self.attributes["learning_rate"])

    # AdaBatch's is that of the batch; a loss of many samples falls from 1 to 0.2 with little noise.
    def test_steps_say_what_the_learning_rate_and_the_loss_were(self):
        self.run_job({"name": "adabatch", "every": 8})
        np.testing.assert_allclose(self.steps["learning_rate"], self.steps["total_batch"] / 128)
        self.assertGreater(self.steps["learning_rate"].max(), 1)
        self.assertGreater(self.steps["loss"][0], 0.5)
        self.assertAlmostEqual(self.steps["loss"][-1], 0.2, delta=0.02)

    # With the user's learning rate a step of any batch makes less than 2/(2 - z0) of his steps: two
    # where it is the best one, 4/3 where it is half of that.
    def test_agents_that_keep_the_learning_rate_gain_a_bounded_factor_of_steps(self):
        for agent, initial, bound in (("cabs", 1.0, 1 / 2), ("noise_scale", 1.0, 1 / 2),
                                      ("noise_scale", 0.5, 3 / 4)):
            with self.subTest(agent=agent, initial=initial):
                samples, steps, _ = self.compare(agent, {"learning_rate": initial})
                self.assertGreater(steps, bound)
                self.assertLess(steps, 0.95)
                self.assertGreater(samples, 1.2)

    def test_the_batch_of_kungfu_follows_the_noise_scale(self):
        self.run_job("noise_scale")
        self.assertGreater(self.totals.max(), 2000)
        self.assertLess(self.totals.min(), 400)
        # Noise of a fifth of a norm in each step hides it little: it averages out over a window.
        exact = np.median(self.totals)
        self.run_job("noise_scale", {"gradient_noise": 0.2})
        self.assertAlmostEqual(np.median(self.totals) / exact, 1.0, delta=0.25)

    # Four times the batch, where every rule but AdaScale's takes another learning rate.
    def test_no_rule_beats_adascale_where_the_users_learning_rate_is_the_best(self):
        def steps(rule, **more):
            return self.compare({"name": "linear", "learning_rate": rule, **more})[1]
        best = steps("adascale")
        self.assertGreater(best, 1 / 4)
        for rule in ("sqrt", "adam", "unchanged"):
            self.assertGreater(steps(rule), 1.001 * best, rule)
        self.assertGreater(steps("legw", warm_up=1000), steps("sqrt"))

    def test_linear_scaling_is_best_where_users_are_careful(self):
        rules = {rule: self.compare({"name": "linear", "learning_rate": rule, "warm_up": 2000},
                                    {"learning_rate": 0.3})
                 for rule in ("linear", "adascale", "sqrt")}
        self.assertLess(rules["linear"][1], rules["adascale"][1])
        self.assertLess(rules["linear"][1], rules["sqrt"][1])
        self.assertLess(rules["linear"][2], 1.0)  # and faster than the user's own batch

    # A noise scale of 80 at the beginning: with four times the learning rate nothing is gained.
    def test_linear_scaling_without_a_warm_up_diverges(self):
        *_, outcome = self.run_job({"name": "linear", "learning_rate": "linear"})
        self.assertEqual(outcome, "failed")
        self.assertTrue(any(b"model diverged" in detail for detail in self.events["detail"]))

    def test_adascales_results_do_not_depend_on_what_learning_rates_are_worth(self):
        for batch in ("fixed", "linear"):
            self.assertEqual(self.run_job(batch), self.run_job(batch, {"learning_rate": 0.25}))


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
