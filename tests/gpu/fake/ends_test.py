# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Runs on pretended CUDA devices that are ended from outside.

Usage: ends_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
import os
import signal
import subprocess
import sys
import time

import h5py

from fake_devices import CAMPAIGN, LIVE, ON_CUDA, RUN_LIMIT_S, OnFakeDevices, main

sys.path.insert(0, str(LIVE))
from live_run import ranks_of  # noqa: E402


class Ends(OnFakeDevices):
    def start(self, *settings, **variables):
        """A run whose long job has trained."""
        out = self.folder / "out"
        options = [part for setting in settings for part in ("--set", setting)]
        process = subprocess.Popen(
            [self.mimus, "run", str(CAMPAIGN), "-o", str(out), *ON_CUDA, *options, "--set",
             "workload.jobs=[{model: resnet18, gang: 2, batch: 256, samples: 9000000}]"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment(**variables))
        self.addCleanup(process.kill)
        for _ in range(RUN_LIMIT_S * 10):
            time.sleep(0.1)
            try:
                part, = out.glob("*.h5.part")
                with h5py.File(part, "r") as file:
                    if len(file["steps"]) > 0:
                        return process
            except (OSError, KeyError, ValueError):
                pass
        self.fail("no training within the limit")

    def assert_daemon_ends(self):
        """If a rank leaves without its destructors, its guardian ends the daemon soon afterwards."""
        for _ in range(RUN_LIMIT_S * 10):
            if not list(self.folder.glob("mimus-mps-*/pipe")):
                break
            time.sleep(0.1)

        self.assertEqual(self.mps_log(), "quit\n")
        self.assertEqual(list(self.folder.glob("mimus-mps-*/pipe")), [])

    def test_a_killed_worker_ends_the_run_with_its_name(self):
        process = self.start("engine.on_lost_rank=stop")
        os.kill(ranks_of(process.pid)[1], signal.SIGKILL)

        _, stderr = process.communicate(timeout=30)

        self.assertNotIn(process.returncode, (0, 75))
        self.assertRegex(stderr, r"rank 1 on host \S+ \(.*\) has died")
        self.assertNotIn("fake CUDA:", stderr)

    def test_a_run_goes_on_without_the_gpu_of_a_killed_worker(self):
        process = self.start()
        os.kill(ranks_of(process.pid)[1], signal.SIGKILL)

        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 0, stderr)
        self.assertRegex(stderr, r"rank 1 on host \S+ \(.*\) has died \(process \d+\); "
                                 "the cell goes on without GPU 0")
        self.assertNotIn("fake CUDA:", stderr)
        finished, = (self.folder / "out").glob("*.h5")
        with h5py.File(finished, "r") as file:
            self.assertEqual(list(file["attempts"]["reason"])[0], b"worker_lost")

    def test_a_daemon_ends_with_a_run_whose_workers_do_not_wind_down(self):
        process = self.start("engine.cuda.sharing=mps", **self.with_mps())
        os.kill(ranks_of(process.pid)[1], signal.SIGSTOP)
        process.send_signal(signal.SIGINT)

        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 75, stderr)
        self.assert_daemon_ends()

    def test_a_daemon_ends_with_a_rank_that_is_killed(self):
        """As on other hosts when rank 0 aborts the world."""
        process = self.start("engine.cuda.sharing=mps", **self.with_mps())
        os.kill(ranks_of(process.pid)[0], signal.SIGKILL)
        process.communicate(timeout=RUN_LIMIT_S)

        self.assert_daemon_ends()

    def test_an_interrupted_run_leaves_in_good_order(self):
        process = self.start()
        process.send_signal(signal.SIGINT)

        _, stderr = process.communicate(timeout=30)

        self.assertEqual(process.returncode, 75, stderr)
        self.assertNotIn("fake CUDA:", stderr)


if __name__ == "__main__":
    main()
