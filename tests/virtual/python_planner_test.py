#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Planners in Python from the command line: python_planner_test.py MIMUS [unittest args].

The example of docs/write-a-policy.md and what users get wrong. Exit code 77 without planners in Python.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

MIMUS = None
EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
CAMPAIGN = "weighted_share.yaml"
SCRIPT = "weighted_share.py"


def run(*arguments, **environment):
    return subprocess.run([MIMUS, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment})


class PythonPlanner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in (CAMPAIGN, SCRIPT):
            shutil.copy(EXAMPLES / name, self.folder)
        self.campaign = self.folder / CAMPAIGN
        self.script = self.folder / SCRIPT

    def cells(self):
        return sorted((self.folder / "out").glob("*.h5"))

    def run_campaign(self, *more, **environment):
        return run("run", self.campaign, "-o", self.folder / "out", "--no-summary", *more, **environment)

    def replace(self, before, after):
        text = self.script.read_text()
        self.assertIn(before, text)
        self.script.write_text(text.replace(before, after))

    def test_the_example_of_turns_suspends_jobs(self):
        for name in ("turns.yaml", "turns.py"):
            shutil.copy(EXAMPLES / name, self.folder)
        self.campaign = self.folder / "turns.yaml"
        done = self.run_campaign()
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = self.cells()
        with h5py.File(path) as file:
            jobs, pauses = file["jobs"][:], file["suspensions"][:]
            self.assertEqual(list(file["attempts"]["reason"]), [b"finished"] * 2)
        self.assertEqual(list(jobs["outcome"]), [b"finished"] * 2)
        self.assertGreaterEqual(len(pauses), 8)
        for pause in pauses[:4]:  # 60 s and what is left of the last step, or a start-up besides
            self.assertLess(abs(pause["end"] - pause["begin"] - 63), 4)

    def test_a_gpu_for_more_jobs_than_stated_is_refused(self):
        self.script.write_text("""
import mimus

class All:
    wakes = ("arrivals",)

    def plan(self, query):
        return [mimus.Target(job, [0], suspended=False) for job in query.jobs]
""")
        self.campaign.write_text("""
schema: 1
name: all
cluster: {nodes: 1, gpus_per_node: 4, gpu: T4}
workload: {source: poisson, jobs: 3, mean_interarrival: 30 s, duration: 20 min, mix: {resnet18: 1}}
policy: {planner: {name: python, file: weighted_share.py, class: All, residents: 2}}
engine: {kind: virtual}
""")
        done = self.run_campaign()
        self.assertIn("GPU 0 is given to 2 other jobs as well, and 2 may hold it", done.stderr)
        self.replace("suspended=False", "cap=0")
        done = self.run_campaign()
        self.assertIn("is to use 0 of its GPUs' time; allowed: above 0 to 1", done.stderr)
        self.replace("cap=0", "suspended=True")
        done = self.run_campaign()
        self.assertIn("is to be suspended on GPUs that it does not hold", done.stderr)
        self.replace("suspended=True", 'keeps="half"')
        done = self.run_campaign()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('keeps: "half"; allowed: all, state, nothing', done.stderr)

    def test_a_plan_outside_the_range_of_a_gang_is_refused(self):
        """The policy never plans anything else, so that the run would not end."""
        self.script.write_text("""
import mimus

class TooFew:
    every = 60.0
    keeps_gangs = False

    def plan(self, query):
        assert [job.gang_max for job in query.jobs] == [4, None]
        return [mimus.Target(job, job.gang_min - 1) for job in query.jobs]
""")
        self.campaign.write_text("""
schema: 1
name: few
cluster: {nodes: 1, gpus_per_node: 4, gpu: T4}
workload:
  source: jobs
  jobs:
    - {model: resnet18, gang: 2, gang_min: 2, gang_max: 4, samples: 1e6}
    - {model: resnet18, gang: 3, gang_min: 3, samples: 1e6}
policy: {planner: {name: python, file: weighted_share.py, class: TooFew}}
engine: {kind: virtual}
""")
        done = self.run_campaign()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("2 jobs wait, none runs or is to come, and the policy has started none", done.stderr)
        self.assertIn("job 0: is to have 1 GPUs, but it needs at least 2", done.stderr)

    def test_a_planner_may_ask_for_believed_losses(self):
        self.script.write_text("""
import mimus

class LossFirst:
    every = 60.0
    wakes = ("arrivals", "ends")
    keeps_gangs = True

    def plan(self, query):
        for job in query.jobs:
            assert job.target_loss > 0, job
            if query.loss(job) is None:
                continue
            left = query.samples_left(job)
            at_end = query.loss(job, job.samples_done + left)
            assert query.loss(job) > at_end > 0, (job, at_end)
            print("believed", job.id, flush=True)
        return [mimus.Target(job, job.gang) for job in query.jobs if query.give(job, job.gang)]
""")
        self.campaign.write_text("""
schema: 1
name: losses
cluster: {nodes: 1, gpus_per_node: 4, gpu: T4}
workload: {source: poisson, jobs: 3, mean_interarrival: 30 s, duration: 20 min, mix: {resnet18: 1}}
policy:
  planner: {name: python, file: weighted_share.py, class: LossFirst}
  estimate: {name: fitted, loss: optimus}
engine: {kind: virtual}
""")

        done = self.run_campaign()

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("believed 0", done.stdout + done.stderr)

    # At 0 s jobs 0 and 1 share eight GPUs 2 to 1, which is 5 and 3. Job 2, also of the second
    # cluster, requests two GPUs from 90 s on. At 120 s, shares of 4, 2 and 2 are all 2 per unit of
    # weight.
    def test_the_example_shares_by_weight(self):
        done = self.run_campaign()

        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.cells()[0], "r") as file:
            attempts = file["attempts"][:]
            self.assertEqual({row["outcome"] for row in file["jobs"]}, {b"finished"})
        first = {row["job"]: row["replicas"] for row in attempts if row["begin"] == 0}
        self.assertEqual(first, {0: 5, 1: 3})
        after = {row["job"]: row["replicas"] for row in attempts if 120 <= row["begin"] < 150}
        self.assertEqual(after, {0: 4, 1: 2, 2: 2})

    def test_equal_runs_are_equal_and_results_hold_the_script(self):
        for out in ("one", "other"):
            done = run("run", self.campaign, "-o", self.folder / out, "--no-summary")
            self.assertEqual(done.returncode, 0, done.stderr)
        one, other = (next((self.folder / out).glob("*.h5")) for out in ("one", "other"))
        with h5py.File(one, "r") as first, h5py.File(other, "r") as second:
            for table in ("jobs", "attempts", "events"):
                self.assertEqual(first[table][:].tobytes(), second[table][:].tobytes(), table)
            config = str(first["provenance/config_yaml"][()])
        self.assertIn("class WeightedShare", config)

    def test_another_text_of_the_script_is_another_cell(self):
        self.assertEqual(self.run_campaign().returncode, 0)
        again = self.run_campaign()
        self.assertEqual(len(self.cells()), 1, again.stderr)
        self.replace("every = 60.0 ", "every = 30.0 ")

        done = self.run_campaign()

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.cells()), 2)

    def test_an_exception_ends_the_cell_as_failed_with_its_traceback(self):
        self.replace("gpus = {job.id: 0 for job in query.jobs}", "gpus = query.gpu")

        done = self.run_campaign()

        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("planner WeightedShare of weighted_share.py: Traceback", done.stderr)
        self.assertIn("gpus = query.gpu", done.stderr)
        self.assertIn("AttributeError", done.stderr)
        left, = (self.folder / "out").glob("*.part")
        with h5py.File(left, "r") as file:
            self.assertEqual(file.attrs["status"], b"failed")
            self.assertIn(b"AttributeError", file.attrs["status_reason"])

    def test_an_impossible_plan_is_recorded_and_the_cell_goes_on(self):
        self.replace("return [mimus.Target(job, n)",
                     "return [mimus.Target(job, n + (100 if query.now == 60 else 0))")

        done = self.run_campaign()

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the plan of 60 s is refused", done.stderr)
        with h5py.File(self.cells()[0], "r") as file:
            refused = [row for row in file["events"] if row["kind"] == b"plan_refused"]
        self.assertEqual(len(refused), 1)

    def test_what_cannot_be_loaded_is_found_before_the_run(self):
        self.replace("def plan(self, query):", "def plan(self, query:")

        done = run("validate", self.campaign)

        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"weighted_share.yaml:\d+:\d+: policy.planner: ")
        self.assertIn("SyntaxError", done.stderr)

    def test_a_file_that_is_not_there_is_named_where_it_stands(self):
        self.script.unlink()

        done = run("validate", self.campaign)

        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"weighted_share.yaml:\d+:\d+: policy.planner.file: \"")

    def test_a_build_without_python_says_so(self):
        done = self.run_campaign(MIMUS_PYTHON_MODULE="/nowhere/libmimus_python.so")

        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("MIMUS_WITH_PYTHON", done.stderr)

    def test_an_interpreter_that_does_not_start_is_named(self):
        done = self.run_campaign(MIMUS_PYTHON="/nowhere/python3")

        self.assertIn(done.returncode, (0, 3), done.stderr)  # its library may still be found
        if done.returncode != 0:
            self.assertIn("/nowhere/python3", done.stderr)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    if not (Path(MIMUS).resolve().parent / "libmimus_python.so").exists():
        print("skipped: built without planners in Python")
        sys.exit(77)
    unittest.main()
