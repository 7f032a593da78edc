# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What jobs measure while they run, and batches that follow fits to it, are the same in both engines.

Usage: estimate_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "estimate.yaml"
MIMUS = ""
RUN_LIMIT_S = 200


class LearningWhileJobsRun(unittest.TestCase):
    def run_cell(self, engine):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "-o", folder, "--engine", engine],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(pathlib.Path(folder).glob("*.h5")), "r") as file:
                tables = {name: file[name][:] for name in ("jobs", "attempts", "steps")}
                tables["believed"] = file.attrs["throughput_estimate"]
                return tables

    def measured(self, cell):
        """(step, sync) [s] as the median window has it, by job and total batch. Without the first
        windows of attempts: live, the first input of a training is not copied in advance."""
        job_of = dict(zip(cell["attempts"]["attempt"], cell["attempts"]["job"]))
        seen, windows = set(), {}
        for row in cell["steps"]:
            if row["attempt"] not in seen:
                seen.add(row["attempt"])
                continue
            windows.setdefault((job_of[row["attempt"]], row["total_batch"]), []).append(
                (row["step_mean"], row["exposed_communication"]))
        return {key: np.median(values, axis=0) for key, values in windows.items()}

    def test_both_engines_measure_and_choose_alike(self):
        live, virtual = self.run_cell("live"), self.run_cell("virtual")
        for cell in (live, virtual):
            self.assertEqual(cell["believed"], "fitted")
            self.assertEqual(set(cell["jobs"]["outcome"]), {b"finished"})
            self.assertGreaterEqual(cell["attempts"]["retunes"].min(), 1)
        one, other = self.measured(live), self.measured(virtual)
        both = one.keys() & other.keys()
        self.assertGreaterEqual(len(both), 4, (one, other))
        for key in both:
            step, sync = other[key]
            self.assertAlmostEqual(one[key][0] / step, 1.0, delta=0.03, msg=key)
            self.assertAlmostEqual((one[key][1] - sync) / step, 0.0, delta=0.03, msg=key)
        ends = [cell["jobs"][np.argsort(cell["jobs"]["job"])]["jct"] for cell in (live, virtual)]
        np.testing.assert_allclose(*ends, rtol=0.06)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
