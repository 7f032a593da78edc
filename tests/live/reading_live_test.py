# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that wait for samples, with and without a cache: the two sides of a twin.

Usage: reading_live_test.py MIMUS_BINARY [unittest arguments]
"""
import json
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

READING = pathlib.Path(__file__).resolve().parent / "reading.yaml"


class Reading(live_run.LiveRun):
    def twins(self):
        """The twin's comparison, and the cells of its live and virtual side."""
        done = subprocess.run([live_run.MIMUS, "twin", str(READING), "-q", "--json",
                               "-o", str(self.folder)],
                              capture_output=True, text=True, timeout=2 * live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["cells"], self.cells("live"), self.cells("virtual")

    def cells(self, side):
        cells = []
        for path in sorted((self.folder / side).glob("*.h5")):
            with h5py.File(path, "r") as file:
                figures = {row["metric"].decode(): row["value"] for row in file["figures"][:]}
                cells.append((file["jobs"][:], file["tenants"][:], figures))
        return cells

    def test_every_cache_does_the_same_in_both_engines(self):
        compared, live, virtual = self.twins()

        self.assertEqual((len(live), len(virtual)), (3, 3))
        for cell in compared:
            with self.subTest(cell=cell["label"]):
                self.assertEqual(cell["jobs"], 4)
                self.assertLess(abs(cell["jct_mean_error"]), 0.03)
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
