# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""mimus calibrate with real ranks: two models and their pairs, a virtual campaign from the profile,
links, a machine type from the profile, and a calibration that is stopped and goes on.

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
# Short and not precise, because the test is about the use of the figures.
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
policy: {{order: fifo, sharing: {{name: tenants, per_gpu: 2}}, batch: {batch}}}
engine:
  kind: virtual
  profile: "{profile}"
  step_time: {step_time}
  interference: {{name: pairs, profile: "{profile}"}}
  report_every: 10 s
"""


ON_MACHINE = """
schema: 1
name: on-machine
gpus: [{file}]
cluster: {{nodes: 1, gpus_per_node: 1, gpu: made, network: 25 Gbit/s}}
workload:
  source: jobs
  jobs: [{{model: resnet18, gang: 1, batch: {batch}, arrival: 0 s, duration: 60 s}}]
policy: {{order: fifo}}
engine: {{kind: virtual}}
"""


def yaml_of_t4():
    """The built-in entry in a separate file."""
    table = (pathlib.Path(__file__).resolve().parents[2] / "kernels" / "gpus.yaml").read_text()
    entries = table[table.index("gpus:\n") + len("gpus:\n"):].split("  - name: ")
    entry, = (entry for entry in entries if entry.startswith("T4\n"))
    return f"schema: 1\ngpus:\n  - name: {entry}"


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

        path = self.run_virtual("measured", batch="fixed", step_time=(
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

        path = self.run_virtual("believed", batch="goodput", step_time="analytic")

        with h5py.File(path, "r") as file:
            self.assertEqual(text(file.attrs["step_time"]), "analytic")
            self.assertIn("measured(profile.h5)", text(file.attrs["throughput_estimate"]))

    def test_the_links_of_this_host_are_measured(self):
        done = subprocess.run([MIMUS, "calibrate", "--links", "--models", "none", "--set",
                               "cluster.gpus_per_node=3", "-o", str(self.profile), "--json"],
                              capture_output=True, text=True, timeout=RUN_LIMIT_S)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("are those of MPI on", done.stderr)
        self.assertIn("not those of an emulated T4", done.stderr)
        with h5py.File(self.profile, "r") as file:
            self.assertEqual(len(file["profile"]), 0)
            rows = file["profile_links"][:]
        sizes = [4096 << k for k in range(15)]  # 4 KiB to 64 MiB
        self.assertEqual([(text(row["shape"]), row["bytes"]) for row in rows],
                         [(shape, size) for shape in ("2", "3") for size in sizes])
        for row in rows:
            self.assertEqual((text(row["link"]), text(row["device"]), row["hosts"]),
                             ("node", "cpu", 1))
            self.assertGreaterEqual(row["operations"], 5)
            self.assertLessEqual(row["seconds_min"], row["seconds_median"])
            ranks = row["ranks"]
            bus = row["bytes"] / row["seconds_median"] * 2 * (ranks - 1) / ranks
            # Times are whole nanoseconds. Their median may end in half a nanosecond.
            self.assertAlmostEqual(row["bus_bandwidth"] / bus, 1.0, delta=5e-4)
        # A message that is 16,384 times as large takes longer.
        self.assertGreater(rows[14]["seconds_min"], rows[0]["seconds_min"])
        effective, = json.loads(done.stdout)["effective_links"]
        plateau = sorted(row["bus_bandwidth"] for row in rows[-3:])
        self.assertAlmostEqual(effective["bytes_per_s"], plateau[1], delta=1)

    def test_a_machine_type_gives_back_the_machine_that_was_emulated(self):
        """Steps of an emulated type whose host differs from a T4's; what a type like T4 with fitted
        host times makes of them, and a virtual run on it."""
        mine = self.folder / "slow.yaml"
        emulated = yaml_of_t4()
        mine.write_text(emulated.replace("name: T4", "name: slow") +
                        "    models: {resnet18: {host: {per_step: 50 ms, per_sample: 900 us}, "
                        "efficiency: {compute: 0.81, memory: 0.75}}}\n")  # kernels as on T4
        bed = self.folder / "bed.yaml"
        bed.write_text(f"gpus: [{mine}]\n"
                       "cluster: {nodes: 1, gpus_per_node: 1, gpu: slow, network: 25 Gbit/s}\n")
        made = self.folder / "made.yaml"
        done = subprocess.run(
            [MIMUS, "calibrate", str(bed), "--models", "resnet18", "--batches", "32,64,128,256",
             "--min-steps", "8", "--max-steps", "12", "--time-scale", "10", "-o",
             str(self.profile)], capture_output=True, text=True, timeout=RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)

        done = subprocess.run([MIMUS, "machine", str(self.profile), "--name", "made", "--like",
                               "T4", "-o", str(made), "--json"], capture_output=True, text=True,
                              timeout=RUN_LIMIT_S)

        self.assertEqual(done.returncode, 0, done.stderr)
        fit, = json.loads(done.stdout)["models"]
        self.assertAlmostEqual(fit["per_step_s"], 0.050, delta=0.002)
        self.assertAlmostEqual(fit["per_sample_s"], 900e-6, delta=20e-6)
        self.assertLess(fit["error_worst"], 0.01)
        self.assertGreater(fit["error_of_base"], 0.2)
        for batch in (32, 128):
            campaign = self.folder / "on-made.yaml"
            campaign.write_text(ON_MACHINE.format(file=made, batch=batch))
            out = self.folder / f"on-made-{batch}"
            done = subprocess.run([MIMUS, "run", str(campaign), "-o", str(out)],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            path, = out.glob("*.h5")
            with h5py.File(path, "r") as file:
                step = file["steps"][0]["step_mean"]
            measured = self.steps()["resnet18", batch]["step_mean"]
            self.assertAlmostEqual(step / measured, 1.0, delta=0.01)

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
