# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Split models train with real ranks, and are timed by the model of the virtual engine.

Usage: split_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "split.yaml"
MIMUS = ""
RUN_LIMIT_S = 200


class SplitModels(unittest.TestCase):
    def run_with(self, *arguments):
        """Jobs by name and steps by job of the only cell."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "-o", folder, *arguments],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            path, = pathlib.Path(folder).glob("*.h5")
            with h5py.File(path, "r") as file:
                return file["jobs"][:], file["steps"][:]

    def test_both_engines_train_every_split_to_its_end(self):
        live_jobs, live_steps = self.run_with()
        virtual_jobs, virtual_steps = self.run_with("--engine", "virtual")
        for live, virtual in zip(live_jobs, virtual_jobs, strict=True):
            with self.subTest(job=live["name"].decode()):
                self.assertEqual(live["name"], virtual["name"])
                self.assertEqual(live["outcome"].decode(), "finished")
                self.assertGreaterEqual(live["progress_samples"], 600 - 1e-6)
                steps = live_steps[live_steps["job"] == live["job"]]
                modelled = virtual_steps[virtual_steps["job"] == live["job"]]
                self.assertEqual(set(steps["total_batch"]), {32})
                # Without co-tenants the virtual step is exactly the one to which the live step is
                # paced.
                self.assertAlmostEqual(steps["step_modelled"][0], modelled["step_mean"][0],
                                       places=9)
                self.assertGreater(steps["step_mean"].min(), 0.0)

    def test_a_gang_of_broken_replicas_is_refused_before_any_rank_starts(self):
        done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "--set",
                               "workload.jobs=[{model: gpt@t2p2, gang: 2, samples: 100}]"],
                              capture_output=True, text=True, timeout=RUN_LIMIT_S)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("asks for 2 GPUs, but a replica of gpt@t2p2 takes 4", done.stderr)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
