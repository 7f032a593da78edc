# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""mimus calibrate with real ranks: two models and their pairs, a virtual campaign from the profile,
and a calibration that is stopped and goes on.

Usage: calibrate_test.py MIMUS_BINARY [unittest arguments]
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

MIMUS = ""
RUN_LIMIT_S = 100
# Short rather than tight: what is tested is what becomes of the figures.
QUICK = ["--models", "resnet18,neumf", "--batches", "128", "--pairs", "--time-scale", "60",
         "--min-steps", "8", "--max-steps", "12"]
POINTS = {("resnet18", 128), ("neumf", 128), ("neumf", 256)}  # 128 and 256 are the references
MATRIX = {("resnet18", "resnet18"), ("resnet18", "neumf"), ("neumf", "resnet18"),
          ("neumf", "neumf")}

CAMPAIGN = """
schema: 1
name: from-profile
cluster: {{nodes: 1, gpus_per_node: 1, gpu: T4, network: 25 Gbit/s}}
workload:
  source: jobs
  jobs:
    - {{model: resnet18, gang: 1, batch: 128, arrival: 0 s, duration: 300 s}}
    - {{model: neumf, gang: 1, batch: 256, arrival: 100 s, duration: 100 s}}
policy: {{order: fifo, sharing: {{name: tenants, per_gpu: 2}}, sizing: {sizing}}}
engine:
  kind: virtual
  profile: "{profile}"
  step_time: {step_time}
  interference: {{name: pairs, profile: "{profile}"}}
  report_every: 10 s
"""


def text(value):
    return (value.decode() if isinstance(value, bytes) else value).rstrip("\0")


class Calibration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.profile = self.folder / "profile.h5"

    def command(self, *arguments):
        return [MIMUS, "calibrate", *QUICK, "-o", str(self.profile), *arguments]

    def calibrate(self, *arguments):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True,
                              timeout=RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def steps(self):
        with h5py.File(self.profile, "r") as file:
            return {(text(row["model"]), row["per_gpu_batch"]): row for row in file["profile"][:]}

    def slowdowns(self):
        with h5py.File(self.profile, "r") as file:
            return {(text(row["model"]), text(row["co_model"])): row
                    for row in file["profile_pairs"][:]}

    def run_virtual(self, name, **settings):
        campaign = self.folder / f"{name}.yaml"
        campaign.write_text(CAMPAIGN.format(profile=self.profile, **settings))
        out = self.folder / name
        done = subprocess.run([MIMUS, "run", str(campaign), "-o", str(out)], capture_output=True,
                              text=True, timeout=RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        return path

    def test_a_virtual_campaign_runs_on_what_was_measured(self):
        printed = json.loads(self.calibrate("--json").stdout)
        steps, slowdowns = self.steps(), self.slowdowns()
        self.assertEqual(set(steps), POINTS)
        self.assertEqual(set(slowdowns), MATRIX)
        self.assertEqual(len(printed["profile"]), len(POINTS))
        for row in steps.values():
            self.assertGreater(row["step_mean"], 0)
            self.assertLessEqual(row["step_low"], row["step_mean"])
            self.assertGreaterEqual(row["steps"], 8)
            self.assertGreater(row["memory_peak"], 1e9)
        for (model, _), row in slowdowns.items():
            self.assertAlmostEqual(row["slowdown"], row["step_shared"] / row["step_solo"])
            self.assertEqual(row["step_solo"], steps[model, row["per_gpu_batch"]]["step_mean"])

        path = self.run_virtual("measured", sizing="fixed", step_time=(
            f'{{name: measured, profile: "{self.profile}"}}'))

        with h5py.File(path, "r") as file:
            self.assertEqual(text(file.attrs["step_time"]), "measured(profile.h5)")
            self.assertEqual(set(file["jobs"]["outcome"]), {b"finished"})
            windows = file["steps"][:]
        resnet = [row for row in windows if row["job"] == 0]
        # neumf trains beside it from about 105 s to 205 s.
        alone = [row["step_mean"] for row in resnet if row["end"] < 95]
        beside = [row["step_mean"] for row in resnet if row["begin"] > 120 and row["end"] < 180]
        expected = steps["resnet18", 128]["step_mean"]
        factor = max(1.0, slowdowns["resnet18", "neumf"]["slowdown"])
        self.assertAlmostEqual(alone[0] / expected, 1.0, delta=1e-3)
        self.assertAlmostEqual(beside[0] / (factor * expected), 1.0, delta=1e-3)

    def test_policies_believe_the_profile(self):
        self.calibrate()

        path = self.run_virtual("believed", sizing="goodput", step_time="analytic")

        with h5py.File(path, "r") as file:
            self.assertEqual(text(file.attrs["step_time"]), "analytic")
            self.assertIn("measured(profile.h5)", text(file.attrs["throughput_estimate"]))

    def test_what_was_measured_before_a_stop_is_kept(self):
        process = subprocess.Popen(self.command("--interval", "0.0001%"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        first = self.wait_for_a_row(process)
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 75, stderr)
        self.assertIn("run the same command again to resume", stderr)
        self.assertFalse(self.profile.exists())

        again = self.calibrate("--interval", "0.0001%")

        self.assertIn("are measured already", again.stderr)
        self.assertEqual(set(self.steps()), POINTS)
        kept = self.steps()[text(first["model"]), first["per_gpu_batch"]]
        self.assertEqual(kept, first)
        unchanged = self.profile.stat().st_mtime_ns
        self.assertIn("every measurement is there",
                      self.calibrate("--interval", "0.0001%").stderr)
        self.assertEqual(self.profile.stat().st_mtime_ns, unchanged)

    def wait_for_a_row(self, process):
        part = pathlib.Path(f"{self.profile}.part")
        for _ in range(RUN_LIMIT_S * 20):
            try:
                with h5py.File(part, "r") as file:
                    if file["profile"].attrs["rows"] > 0:
                        return file["profile"][0]
            except (OSError, KeyError):
                pass
            self.assertIsNone(process.poll(), "the calibration ended before it measured anything")
            time.sleep(0.05)
        self.fail("nothing measured within the limit")

    def test_a_second_writer_of_one_profile_is_refused(self):
        process = subprocess.Popen(self.command("--warm-up", "2000"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        for _ in range(RUN_LIMIT_S * 20):
            if pathlib.Path(f"{self.profile}.part").exists():
                break
            self.assertIsNone(process.poll())
            time.sleep(0.05)

        second = subprocess.run(self.command(), capture_output=True, text=True,
                                timeout=RUN_LIMIT_S)

        self.assertNotEqual(second.returncode, 0)
        self.assertIn("is being written by another process", second.stderr)


if __name__ == "__main__":
    MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
