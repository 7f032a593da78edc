# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""tests/gpu/run.sh with stand-ins for the driver, the program and the tests: which parts it runs, and
what it makes of those that fail.

Usage: run_script_test.py [unittest arguments]
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parent / "run.sh"


def one_gpu(name):
    return f'if [ "$1" = -L ]; then echo "GPU 0"; else echo "{name}"; fi'


class RunScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.calls = self.folder / "calls"
        self.stand_in("bin/nvidia-smi", one_gpu("NVIDIA H100 80GB HBM3"))

    def stand_in(self, name, body):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def records(self, name, fails=""):
        """Records its arguments, and fails if `fails` is one of them."""
        self.stand_in(name, f'echo "{name} $*" >>{self.calls}\n'
                            f'case "$*" in *"{fails or "nothing like it"}"*) exit 5 ;; esac')

    def run_steps(self, steps):
        done = subprocess.run(
            ["bash", str(RUN), "--build", str(self.folder), "--out", str(self.folder / "out"),
             "--only", steps], capture_output=True, text=True, timeout=60,
            env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return done.returncode, calls, done.stdout + done.stderr

    def test_pairs_are_measured_under_mps_also_where_one_failed_before(self):
        self.records("mimus", fails="sharing=time_slice")

        code, calls, text = self.run_steps("pairs")

        self.assertEqual(code, 1, text)
        self.assertIn("| pairs | failed (5) |", text)
        self.assertEqual([call.partition("engine.cuda.sharing=")[2].split()[0] for call in calls],
                         ["time_slice", "mps"])

    def test_nccl_runs_its_part_of_the_quickstart_also_where_the_ring_failed(self):
        self.records("mimus", fails="collective=ring")

        code, calls, text = self.run_steps("quickstart")

        self.assertEqual(code, 1, text)
        self.assertEqual([call.rpartition("/")[2] for call in calls],
                         ["quickstart", "quickstart-nccl-eager", "quickstart-nccl-graph"])

    def test_two_processes_are_tested_also_where_one_test_of_one_failed(self):
        self.stand_in("tests/gpu/test_gpu", f"echo alone >>{self.calls}; exit 1")
        self.stand_in("bin/mpirun", f"echo two >>{self.calls}")

        code, calls, text = self.run_steps("tests")

        self.assertEqual((code, calls), (1, ["alone", "two"]), text)

    def test_the_datasheet_is_that_of_the_card(self):
        for name, type_name in (("NVIDIA H100 80GB HBM3", "H100"), ("Tesla T4", "T4"),
                                ("NVIDIA A100-SXM4-40GB", "A100"),
                                ("NVIDIA A100-SXM4-80GB", "A100-80")):
            with self.subTest(name=name):
                self.stand_in("bin/nvidia-smi", one_gpu(name))
                self.records("mimus")
                self.assertIn(f"--gpu {type_name} ", self.run_steps("pairs")[1][-1])

    def test_what_succeeds_is_said_to_have_run(self):
        self.records("mimus")

        code, _, text = self.run_steps("pairs,split,elastic")

        self.assertEqual(code, 0, text)
        for step in ("pairs", "split", "elastic"):
            self.assertIn(f"| {step} | ran |", text)

    def test_without_a_device_or_with_an_unknown_step_nothing_is_run(self):
        self.records("mimus")
        self.assertEqual(self.run_steps("pair")[:2], (2, []))
        self.stand_in("bin/nvidia-smi", "exit 9")
        self.assertEqual(self.run_steps("pairs")[:2], (4, []))


if __name__ == "__main__":
    unittest.main()
