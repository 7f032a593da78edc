# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that wait for samples, with and without a cache: the live run against the virtual one.

Usage: reading_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

READING = pathlib.Path(__file__).resolve().parent / "reading.yaml"


class Reading(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(READING), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        cells = []
        for path in sorted(out.glob("*.h5")):
            with h5py.File(path, "r") as file:
                figures = {row["metric"].decode(): row["value"] for row in file["figures"][:]}
                cells.append((file["jobs"][:], file["tenants"][:], figures))
        return cells

    def test_every_cache_does_the_same_in_both_engines(self):
        live = self.run_engine("live")
        virtual = self.run_engine("virtual")

        self.assertEqual((len(live), len(virtual)), (3, 3))
        for (jobs, tenants, figures), (expected, as_expected, virtual_figures) in zip(live, virtual):
            self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 4)
            self.assertAlmostEqual(figures["jct_mean"] / virtual_figures["jct_mean"], 1, delta=0.03)
            by_job = {job["job"]: job["jct"] for job in expected}
            for job in jobs:
                self.assertAlmostEqual(job["jct"] / by_job[job["job"]], 1, delta=0.06)
            self.assertAlmostEqual(figures["cache_hit_ratio"], virtual_figures["cache_hit_ratio"],
                                   delta=0.05)
            for own, other in zip(tenants, as_expected):
                self.assertEqual(own["tenant"], other["tenant"])
                self.assertAlmostEqual(own["read"] / other["read"], 1, delta=0.05)
        none, lru, _ = (figures for _, _, figures in virtual)
        self.assertEqual(none["cache_hit_ratio"], 0)
        self.assertLess(lru["jct_mean"], 0.9 * none["jct_mean"])


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
