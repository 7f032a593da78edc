# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""An opportunistic job that is throttled beside a guaranteed one: the live run against the virtual one.

Usage: antman_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

ANTMAN = pathlib.Path(__file__).resolve().parent / "antman.yaml"


class AntMan(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(ANTMAN), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            figures = {row["metric"].decode(): row["value"] for row in file["figures"][:]}
            return file["jobs"][:], file["limits"][:], figures

    def test_the_guaranteed_job_is_hardly_slowed_in_either_engine(self):
        jobs, limits, figures = self.run_engine("live")
        expected, virtual_limits, virtual_figures = self.run_engine("virtual")

        self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 2)
        for of_engine in (figures, virtual_figures):
            self.assertLess(of_engine["slowdown_guaranteed"], 1.05)
        for rows in (limits, virtual_limits):
            caps = [row["cap"] for row in rows[rows["begin"].argsort()]]
            self.assertGreater(len(caps), 5)
            self.assertLess(min(caps), 0.5)
        by_job = {job["job"]: job["jct"] for job in expected}
        for job in jobs:
            self.assertAlmostEqual(job["jct"] / by_job[job["job"]], 1, delta=0.05)
        self.assertAlmostEqual(figures["jct_mean"] / virtual_figures["jct_mean"], 1, delta=0.03)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
