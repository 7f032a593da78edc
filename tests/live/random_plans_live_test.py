# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Random plans lose no job, in both engines.

Usage: random_plans_live_test.py MIMUS_BINARY [unittest arguments]. Exit code 77 without planners in
Python.
"""
import collections
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "random_plans.yaml"
JOBS = 8


class RandomPlans(live_run.LiveRun):
    def run_seed(self, kind, seed):
        out = self.folder / f"{kind}-{seed}"
        done = subprocess.run([live_run.MIMUS, "run", str(CAMPAIGN), "-q", "-o", str(out), "--set",
                               f"engine.kind={kind}", "--set", f"seed={seed}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return {name: file[name][:] for name in ("jobs", "attempts", "suspensions", "limits")}

    def assert_all_ended(self, tables):
        outcomes = collections.Counter(row["outcome"].decode() for row in tables["jobs"])
        self.assertEqual(sum(outcomes.values()), JOBS)
        self.assertEqual(set(outcomes) - {"finished", "failed"}, set())
        for job in tables["jobs"]:
            attempts = sorted((row["begin"], row["end"]) for row in tables["attempts"]
                              if row["job"] == job["job"])
            for (_, end), (begin, _) in zip(attempts, attempts[1:]):
                self.assertLessEqual(end, begin + 1e-6)

    def check(self, kind, seeds):
        seen = collections.Counter()
        for seed in seeds:
            with self.subTest(kind=kind, seed=seed):
                tables = self.run_seed(kind, seed)
                self.assert_all_ended(tables)
                seen.update(row["reason"].decode() for row in tables["attempts"])
                seen.update({"suspended": len(tables["suspensions"]), "limited": len(tables["limits"])})
        for what in ("preempted", "resized", "moved", "node_down", "suspended", "limited"):
            self.assertGreater(seen[what], 0, seen)

    def test_virtual(self):
        self.check("virtual", range(1, 13))

    def test_live(self):
        self.check("live", range(1, 4))


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    live_run.skip_without_python_planners(CAMPAIGN)
    unittest.main()
