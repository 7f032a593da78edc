# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Campaigns and result folders with hostile names, through the scripts as sbatch runs them.

tests/cli/hostile_names_test.py has all the names, in scripts that bash runs without a Slurm.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from cluster import LIMIT_S, record, wait_for_end

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from hostile_words import CONTROL, WORDS

CAMPAIGN = """schema: 1
name: hostile
cluster: {nodes: 1, gpus_per_node: 2, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 2, mean_interarrival: 20 s, duration: 1 min}
engine: {kind: virtual}
"""
# A substitution, an end of a command, quotes, options, sbatch's own patterns and directives.
CHOSEN = ["$(touch injected)", "; touch injected", "'; touch injected; '", '"; touch injected; "', "--help",
          "%x-%A_%a", "#SBATCH --wrap=x", "数据"]


class HostileNames(unittest.TestCase):
    mimus = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-hostile-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def submit(self, name):
        file = self.folder / (name + ".yaml")
        file.write_text(CAMPAIGN, encoding="utf-8")
        return subprocess.run([self.mimus, "submit", f"--output=r{name}", "--", file.name],
                              cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S)

    def assert_harmless(self):
        self.assertEqual(list(self.folder.rglob("injected")), [])

    def test_sbatch_runs_the_campaigns_as_they_are_called(self):
        self.assertLessEqual(set(CHOSEN), set(WORDS))
        jobs = {}
        for word in CHOSEN:
            done = self.submit(word)
            self.assertEqual(done.returncode, 0, done.stderr)
            jobs[word] = done.stdout.split()
        wait_for_end(*sum(jobs.values(), []))

        self.assert_harmless()
        for word, (run, aggregate) in jobs.items():
            with self.subTest(word=word):
                results = self.folder / f"r{word}"
                logs = "".join(log.read_text() for log in (results / "slurm").glob("*.out"))
                for job in (run, aggregate):
                    self.assertEqual(record(job)["JobState"], "COMPLETED", logs)
                self.assertEqual(len(list(results.glob("[0-9]*.h5"))), 1, logs)
                self.assertTrue((results / "campaign.h5").exists(), logs)

    def test_control_characters_reach_no_script(self):
        for word in CONTROL:
            with self.subTest(word=word):
                done = self.submit(word)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn("control character", done.stderr)
        self.assert_harmless()
