# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes, types and batches by what jobs have measured: the live run against the virtual one.

Usage: sia_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

SIA = pathlib.Path(__file__).resolve().parent / "sia.yaml"


class Sia(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(SIA), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return file["jobs"][:], file["attempts"][:]

    def test_live_and_virtual_jobs_have_the_same_configurations(self):
        jobs, attempts = self.run_engine("live")
        expected, virtual_attempts = self.run_engine("virtual")

        self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 3)
        courses = [{job: [(row["gpu_type"], int(row["replicas"])) for row in table if row["job"] == job]
                    for job in range(3)} for table in (attempts, virtual_attempts)]
        self.assertEqual(*courses)
        self.assertEqual({gpu for course in courses[0].values() for gpu, _ in course}, {b"T4", b"V100"})
        self.assertGreater(max(gpus for course in courses[0].values() for _, gpus in course), 1)
        mean, expected_mean = jobs["jct"].mean(), expected["jct"].mean()
        self.assertLess(abs(mean / expected_mean - 1), 0.03, f"{mean} s live, {expected_mean} s virtual")


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
