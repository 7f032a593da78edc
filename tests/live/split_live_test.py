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

    def test_slabs_of_a_grid_take_the_modelled_time_in_both_engines(self):
        job = ("--set", "workload.jobs=[{name: slabs, model: claire@n64t4, gang: 4, samples: 800}]")
        live_jobs, live_steps = self.run_with(*job)
        virtual_jobs, virtual_steps = self.run_with(*job, "--engine", "virtual")

        self.assertEqual(live_jobs["outcome"][0].decode(), "finished")
        self.assertAlmostEqual(live_steps["step_modelled"][0], virtual_steps["step_mean"][0],
                               places=9)
        self.assertAlmostEqual(live_jobs["jct"][0] / virtual_jobs["jct"][0], 1.0, delta=0.03)
        exposed = live_steps["exposed_communication"][0]
        self.assertAlmostEqual(exposed / virtual_steps["exposed_communication"][0], 1.0, delta=0.03)

    def test_a_gang_has_as_many_gpus_as_slabs(self):
        done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "--set",
                               "workload.jobs=[{model: claire@n64t4, gang: 2, samples: 100}]"],
                              capture_output=True, text=True, timeout=RUN_LIMIT_S)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("asks for 2 GPUs, but claire@n64t4 has 4 slab(s), one for each GPU; name the "
                      "model claire@n64t2, or request 4", done.stderr)

    def test_a_gang_of_broken_replicas_is_refused_before_any_rank_starts(self):
        done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "--set",
                               "workload.jobs=[{model: gpt@t2p2, gang: 2, samples: 100}]"],
                              capture_output=True, text=True, timeout=RUN_LIMIT_S)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("asks for 2 GPUs, but a replica of gpt@t2p2 takes 4", done.stderr)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
