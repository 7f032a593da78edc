# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What jobs measure while they run, batches that follow fits to it, and what slows the input of jobs are the same in
both engines.

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
    def run_cell(self, engine, *options):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "-o", folder, "--engine", engine, *options],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(pathlib.Path(folder).glob("*.h5")), "r") as file:
                tables = {name: file[name][:] for name in ("jobs", "attempts", "steps")}
                tables["believed"] = file.attrs["throughput_estimate"]
                return tables

    def test_input_pipelines_slow_each_other_or_do_not_in_both_engines(self):
        jobs = ("[{model: yolov3, batch: 8, samples: 6000}, {model: deepspeech2, batch: 20, samples: 8000}, "
                "{model: deepspeech2, gang: 2, batch: 40, samples: 16000}]")
        mean = {}
        for shares in ("true", "false"):
            options = ["--set", "policy=fifo", "--set", f"workload.jobs={jobs}", "--set",
                       "cluster={nodes: 1, gpus_per_node: 4, gpu: V100}", "--set",
                       f"engine.step_time={{name: analytic, shares_hosts: {shares}}}"]
            live, virtual = (np.sort(self.run_cell(engine, *options)["jobs"], order="job")["jct"]
                             for engine in ("live", "virtual"))
            np.testing.assert_allclose(live, virtual, rtol=0.01)
            mean[shares] = live.mean()
        self.assertGreater(mean["true"], 1.1 * mean["false"])

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
