# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Agents that set batches and learning rates have the same effect on live jobs as on virtual ones.

Usage: batch_agents_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
CAMPAIGN = FOLDER / "batch_agents.yaml"
PLANS = FOLDER / "batch_plans.yaml"
SHORT_JOBS = FOLDER / "short_jobs.yaml"
MIMUS = ""
RUN_LIMIT_S = 250


class BatchTest(unittest.TestCase):
    def run_cells(self, engine, campaign=CAMPAIGN):
        """By label: the tables of a cell, jobs by their ids."""
        cells = {}
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(campaign), "-o", folder, "--engine", engine],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            for path in pathlib.Path(folder).glob("*.h5"):
                with h5py.File(path, "r") as file:
                    tables = {name: file[name][:] for name in ("attempts", "steps", "events")}
                    tables["jobs"] = np.sort(file["jobs"][:], order="job")
                    cells[file.attrs["label"]] = tables
        return cells


class BatchPlans(BatchTest):
    EPOCH = 50_000  # samples, of CIFAR-10

    def course(self, engine):
        """JCTs, the batches of job 0, and the epochs at which it changed them."""
        cell, = self.run_cells(engine, PLANS).values()
        batches, epochs, done = [], [], 0
        for window in cell["steps"][np.lexsort((cell["steps"]["begin"],))]:
            if window["job"] != 0:
                continue
            if not batches or window["total_batch"] != batches[-1]:
                batches.append(int(window["total_batch"]))
                epochs.append(done / self.EPOCH)
            done += window["samples"]
        return cell["jobs"]["jct"], batches, epochs

    def test_jobs_follow_them_in_both_engines(self):
        jct, batches, epochs = self.course("live")
        virtual_jct, virtual_batches, virtual_epochs = self.course("virtual")
        np.testing.assert_allclose(jct, virtual_jct, rtol=0.01)
        for changes in (batches, virtual_batches):
            self.assertEqual(changes, [128, 512, 256])
        # Changes follow the first report in the epoch, and 30 s are 1.2 epochs at most.
        for at in (epochs, virtual_epochs):
            for begin, stated in zip(at, [0, 2, 6.5]):
                self.assertGreaterEqual(begin, stated)
                self.assertLess(begin, stated + 1.3)


class ManyStepsAsOne(BatchTest):
    def test_gain_what_they_gain_one_by_one(self):
        live, = self.run_cells("live", SHORT_JOBS).values()
        virtual, = self.run_cells("virtual", SHORT_JOBS).values()
        for job in live["jobs"]["job"]:
            steps, others = (cell["steps"]["steps"][cell["steps"]["job"] == job]
                             for cell in (live, virtual))
            self.assertEqual(steps.sum(), others.sum())
            self.assertGreater(steps.max(), 10)
        np.testing.assert_allclose(live["jobs"]["jct"], virtual["jobs"]["jct"], rtol=0.03)


class AgentsWhileJobsRun(BatchTest):
    def test_both_engines_train_alike(self):
        live, virtual = self.run_cells("live"), self.run_cells("virtual")
        self.assertEqual(live.keys(), virtual.keys())
        for label in live:
            with self.subTest(label):
                one, other = live[label], virtual[label]
                np.testing.assert_array_equal(one["jobs"]["outcome"], other["jobs"]["outcome"])
                np.testing.assert_allclose(one["jobs"]["jct"].mean(), other["jobs"]["jct"].mean(),
                                           rtol=0.03)
                # An agent of a live job hears of it when the host comes to it.
                for column in ("samples", "steps"):
                    np.testing.assert_allclose(one["steps"][column].sum(),
                                               other["steps"][column].sum(), rtol=0.1)
                # The same work is done at the end, which the noise of the samples hides little.
                for cell in (one, other):
                    last = cell["steps"][np.argsort(cell["steps"]["end"])][-1]
                    if b"failed" not in cell["jobs"]["outcome"]:
                        self.assertAlmostEqual(last["loss"], 0.2, delta=0.1)
                    self.assertGreater(cell["steps"]["learning_rate"].min(), 0)
        for label, cell in live.items():
            if not label.startswith("linear"):
                self.assertGreaterEqual(cell["attempts"]["retunes"].max(), 1, label)

        linear = next(cell for label, cell in live.items() if label.startswith("linear"))
        self.assertEqual(set(linear["jobs"]["outcome"]), {b"failed"})
        self.assertTrue(any(b"model diverged" in event["detail"] for event in linear["events"]))
        first = linear["steps"][linear["steps"]["job"] == 0]
        self.assertEqual(first["steps"].sum(), 100)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
