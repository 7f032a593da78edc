# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that may use a share of their GPUs' time or memory: the live run against the virtual one.

Usage: limits_live_test.py MIMUS_BINARY [unittest arguments]. Exit code 77 without planners in Python.
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

LIMITS = pathlib.Path(__file__).resolve().parent / "limits.yaml"
ALONE = {0: 1.0, 1: 0.75, 2: 0.5, 3: 0.25}
SPILLED = 8  # like job 0, with half of its memory
HOST_LINK = 12e9  # of a T4 [B/s]
SAME = 0.03


class Limits(live_run.LiveRun):
    def run_engine(self, kind, *options):
        return subprocess.run([live_run.MIMUS, "run", str(LIMITS), "-q", "-o", str(self.folder / kind),
                               "--set", f"engine.kind={kind}", *options],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)

    def steps_of(self, kind):
        """Mean step and device time of each job [s]."""
        done = self.run_engine(kind)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = (self.folder / kind).glob("*.h5")
        with h5py.File(path, "r") as file:
            steps, attempts = file["steps"][:], file["attempts"][:]
            self.solo = {(row["model"], row["per_gpu_batch"]): row["step_solo"]
                         for row in file["baselines"]}
        self.assertEqual(sorted(attempts["cap"])[:7], [0.25, 0.25, 0.3, 0.5, 0.5, 0.6, 0.75])
        self.spilled, = attempts["memory_limit"][attempts["job"] == SPILLED]  # as much as is kept
        means = {}
        for job in sorted(set(steps["job"])):
            rows = steps[steps["job"] == job]
            means[int(job)] = tuple((rows[name] * rows["steps"]).sum() / rows["steps"].sum()
                                    for name in ("step_mean", "device_busy"))
        return means

    def test_jobs_get_their_share_of_the_device(self):
        live = self.steps_of("live")
        self.assertLess(abs(self.solo[b"bert-base", 12] / live[0][0] - 1), SAME)  # without limits
        virtual = self.steps_of("virtual")

        for job, (step, busy) in live.items():
            with self.subTest(job=job):
                self.assertLess(abs(step / virtual[job][0] - 1), SAME, (step, virtual[job][0]))
                if job in ALONE:
                    self.assertLess(abs(busy / step / ALONE[job] - 1), SAME)
                    self.assertLess(abs(live[0][0] / step / ALONE[job] - 1), SAME)  # its speed

        growth = live[SPILLED][0] - live[0][0]
        self.assertLess(abs(growth / (self.spilled / HOST_LINK) - 1), SAME)

    def test_devices_that_are_not_paced_refuse_caps(self):
        done = self.run_engine("live", "--set", "engine.pace=none", "--set", "engine.interference=slices")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the planner limits the device time of a job", done.stderr)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    live_run.skip_without_python_planners(LIMITS)
    unittest.main()
