#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Files that `mimus new` writes are valid and work: new_test.py MIMUS [unittest args]."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MIMUS = None
CAMPAIGN = """
schema: 1
name: uses-them
base: policy.yaml
models: [model.yaml]
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: jobs, jobs: [{model: my-model, gang: 2, batch: 128, samples: 100000}]}
engine: {kind: virtual}
"""
PLANNED = "policy: {planner: {name: python, file: planner.py, class: MyPlanner, arguments: {round: 30}}}\n"


class New(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def mimus(self, *arguments, code=0):
        done = subprocess.run([MIMUS, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def run_campaign(self, text):
        (self.folder / "mine.yaml").write_text(text)
        return self.mimus("run", "mine.yaml", "-o", "out").stdout

    def test_a_campaign_is_valid_without_a_warning(self):
        said = self.mimus("new", "campaign")
        self.assertEqual(said.stdout, "campaign.yaml: next, mimus validate campaign.yaml\n")

        checked = self.mimus("validate", "campaign.yaml")

        self.assertEqual(checked.stderr, "")
        self.assertIn("valid: 12 cells", checked.stdout)

    def test_a_policy_and_a_model_run_in_a_campaign(self):
        self.mimus("new", "policy")
        self.mimus("new", "model")

        self.assertIn("1/1", self.run_campaign(CAMPAIGN))

    def test_a_planner_runs_in_a_campaign(self):
        if not (Path(MIMUS).resolve().parent / "libmimus_python.so").exists():
            self.skipTest("built without planners in Python")
        self.mimus("new", "planner")
        self.mimus("new", "model")

        self.assertIn("1/1", self.run_campaign(CAMPAIGN.replace("base: policy.yaml\n", "") + PLANNED))

    def test_a_file_that_is_there_stays_as_it_is(self):
        (self.folder / "mine.yaml").write_text("mine\n")

        said = self.mimus("new", "campaign", "mine.yaml", code=2)

        self.assertIn("mine.yaml exists and is left as it is", said.stderr)
        self.assertEqual((self.folder / "mine.yaml").read_text(), "mine\n")

    def test_another_kind_is_refused_with_the_nearest(self):
        said = self.mimus("new", "planer", code=2)

        self.assertIn('did you mean "planner"? allowed: campaign, policy, model, planner', said.stderr)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
