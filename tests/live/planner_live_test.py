# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A planner in Python decides the same in both engines: planner_live_test.py MIMUS [unittest args].

Exit code 77 without planners in Python.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

CAMPAIGN = pathlib.Path(__file__).resolve().parents[2] / "docs/examples/weighted_share.yaml"
MIMUS = ""
RUN_LIMIT_S = 200


class SameDecisions(unittest.TestCase):
    def attempts(self, engine):
        """By job: the numbers of GPUs that it had, in sequence, and its end [s]."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "--engine", engine, "--time-scale", "60",
                                   "-o", folder, "--no-summary"],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            cell, = pathlib.Path(folder).glob("*.h5")
            with h5py.File(cell, "r") as file:
                rows = sorted(file["attempts"][:], key=lambda row: row["begin"])
        gangs, ends = {}, {}
        for row in rows:
            gangs.setdefault(int(row["job"]), []).append(int(row["replicas"]))
            ends[int(row["job"])] = float(row["end"])
        return gangs, ends

    def test_the_example(self):
        gangs, ends = self.attempts("virtual")

        live_gangs, live_ends = self.attempts("live")

        self.assertEqual(live_gangs, gangs)
        for job, end in ends.items():
            self.assertLess(abs(live_ends[job] / end - 1), 0.03, f"job {job}: {live_ends[job]}, {end}")


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    if not (pathlib.Path(MIMUS).resolve().parent / "libmimus_python.so").exists():
        print("skipped: built without planners in Python")
        sys.exit(77)
    unittest.main()
