# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Trials that a live search submits and stops, against the virtual run.

Usage: search_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

CONFIG = pathlib.Path(__file__).resolve().parents[2] / "configs/hyperparameter-search-twin.yaml"
SHORTER = ("workload.fraction=0.04", "workload.trials=4", "engine.report_every=5 s")


class Search(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        options = [option for key in (f"engine.kind={kind}", *SHORTER) for option in ("--set", key)]
        done = subprocess.run([live_run.MIMUS, "run", str(CONFIG), "-q", "-o", str(out), "--only", "001",
                               *options], capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return file["jobs"][:], file["trials"][:]

    def test_the_same_trials_are_stopped_at_the_same_rungs(self):
        jobs, trials = self.run_engine("live")
        expected, virtual_trials = self.run_engine("virtual")

        outcomes = {job["job"]: job["outcome"] for job in jobs}
        self.assertEqual(sorted(outcomes), list(range(16)))
        self.assertEqual(set(outcomes.values()), {b"finished", b"killed"})
        self.assertEqual(outcomes, {job["job"]: job["outcome"] for job in expected})
        found = [sorted((row["job"], row["rung"], row["loss"], row["goes_on"]) for row in rows)
                 for rows in (trials, virtual_trials)]
        self.assertEqual(found[0], found[1])
        spent = [sum(job["gpu_seconds"] for job in rows) for rows in (jobs, expected)]
        self.assertAlmostEqual(spent[0] / spent[1], 1, delta=0.05)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
