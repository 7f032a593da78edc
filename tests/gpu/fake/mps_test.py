# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Runs on pretended CUDA devices beside a stand-in for the MPS daemon.

Usage: mps_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
import subprocess

from fake_devices import CAMPAIGN, MPS, ON_CUDA, OnFakeDevices, main


class Mps(OnFakeDevices):
    def serve_the_site(self):
        """The variables of a host whose own daemon is running."""
        variables = {**self.with_mps(), "CUDA_MPS_PIPE_DIRECTORY": str(self.folder)}
        control = [str(MPS / "nvidia-cuda-mps-control")]
        subprocess.run([*control, "-d"], env=variables, check=True)
        self.addCleanup(subprocess.run, control, env=variables, input="quit\n", text=True)
        return variables

    def test_a_daemon_of_the_site_is_not_taken_for_time_slices(self):
        site = self.serve_the_site()
        run = self.call("run", str(CAMPAIGN), "-o", str(self.folder / "out"), *ON_CUDA, **site)
        calibration = self.call("calibrate", "--device", "cuda", "--gpu", "H100", "--models",
                                "neumf", "-o", str(self.folder / "profile.h5"), **site)

        for refused in (run, calibration):
            self.assertEqual(refused.returncode, 4, refused.stderr)
            self.assertIn("engine.cuda.sharing is time_slice, but an MPS daemon", refused.stderr)

    def test_a_daemon_of_the_run_is_seen_and_ended(self):
        outcome = self.run_campaign("workload.jobs=[{model: neumf, gang: 1, samples: 5000}]",
                                    "engine.cuda.sharing=mps", **self.with_mps())

        self.assertEqual(outcome.attributes["mps_active"], b"true")
        self.assertEqual(self.mps_log(), "quit\n")
        self.assertEqual(list(self.folder.glob("mimus-mps-*")), [])


if __name__ == "__main__":
    main()
