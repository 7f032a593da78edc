# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that are profiled first and packed later: the live run against the virtual one.

Usage: lucid_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

LUCID = pathlib.Path(__file__).resolve().parent / "lucid.yaml"


class Lucid(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(LUCID), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return [file[name][:] for name in ("jobs", "attempts", "steps")]

    def test_live_and_virtual_jobs_are_profiled_and_packed_alike(self):
        jobs, attempts, steps = self.run_engine("live")
        expected, virtual_attempts, virtual_steps = self.run_engine("virtual")

        self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 4)
        for table in (attempts, virtual_attempts):
            counts = [list(table["job"]).count(job) for job in range(4)]
            self.assertEqual(counts, [2, 2, 1, 2])  # job 2 ends on the profiler
        for table in (steps, virtual_steps):
            packed = {row["job"] for row in table if row["co_tenants"] > 0}
            self.assertEqual(len(packed), 2)
        mean, expected_mean = jobs["jct"].mean(), expected["jct"].mean()
        self.assertLess(abs(mean / expected_mean - 1), 0.03, f"{mean} s live, {expected_mean} s virtual")


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
