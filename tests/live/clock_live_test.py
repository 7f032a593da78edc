# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The emulated clock waits for the host: what happens to a run's processes changes how long it
takes, and not what comes out of it.

Usage: clock_live_test.py MIMUS_BINARY [unittest arguments]
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

import busy_host
import live_run

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
STOPPED_S = 3
SAME = 0.01  # of completion times
EXACTLY = 1e-9


class ClockThatWaits(live_run.LiveRun):
    def completion_times(self):
        path, = self.results()
        with h5py.File(path, "r") as file:
            self.held_s = float(file.attrs.get("clock_held_seconds", "nan"))
            self.reached = float(file.attrs["time_scale_reached"])
            jobs = numpy.sort(file["jobs"][:], order="job")
        path.unlink()
        return jobs["end"] - jobs["arrival"]

    def run_cell(self, cell, disturb, *options):
        command = self.command("--only", cell, *options)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for_training(process)
        disturb(live_run.ranks_of(process.pid))
        _, stderr = process.communicate(timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(process.returncode, 0, stderr)
        return self.completion_times()

    def assert_same(self, times, reference):
        self.assertLess(numpy.max(numpy.abs(times / reference - 1)), SAME, (times, reference))

    def test_a_stopped_worker_holds_the_clock(self):
        def stop(ranks):
            os.kill(ranks[1], signal.SIGSTOP)  # it trains the first job
            time.sleep(STOPPED_S)
            os.kill(ranks[1], signal.SIGCONT)

        alone = self.run_cell("002", lambda ranks: None)  # beside a tenant of its GPU

        # Which tenant asks first for a turn affects single jobs by one or two percent.
        self.assert_same(self.run_cell("002", stop).mean(), alone.mean())
        self.assertGreater(self.held_s, STOPPED_S - 0.1)

    def test_as_fast_as_the_host_can_comes_to_the_same(self):
        for cell in ("001", "002"):
            timed = self.run_cell(cell, lambda ranks: None)
            self.assertLess(self.reached, 120)  # what it asks for

            fast = self.completion_times_of("--only", cell, "--set", "engine.clock=unbound")

            self.assertLess(numpy.max(numpy.abs(fast / timed - 1)), EXACTLY, (cell, fast, timed))

    def completion_times_of(self, *options):
        done = self.run_mimus(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.completion_times()

    def test_a_stopped_scheduler_holds_the_clock(self):
        def stop(ranks):
            os.kill(ranks[0], signal.SIGSTOP)
            time.sleep(STOPPED_S)
            os.kill(ranks[0], signal.SIGCONT)

        alone = self.run_cell("001", lambda ranks: None)

        self.assert_same(self.run_cell("001", stop), alone)

    def test_other_work_on_the_host_changes_nothing(self):
        alone = self.run_cell("001", lambda ranks: None)
        with busy_host.busy(2 * len(os.sched_getaffinity(0))):
            beside = self.run_cell("001", lambda ranks: None)

        self.assert_same(beside, alone)


class GangsThatChange(unittest.TestCase):
    """Gangs that grow and shrink every few seconds share the uplinks of two nodes."""

    def attempts(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [live_run.MIMUS, "run", str(CONFIGS / "presets-twin.yaml"), "-q", "-o", folder,
                 "--set", "policy=ones", "--set", "workload.jobs=5", "--set", "engine.clock=unbound"],
                capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            path, = pathlib.Path(folder).glob("*.h5")
            with h5py.File(path, "r") as file:
                return file["attempts"][:]

    def test_other_work_on_the_host_changes_nothing(self):
        alone = self.attempts()
        with busy_host.busy(2 * len(os.sched_getaffinity(0))):
            beside = self.attempts()

        self.assertGreater(numpy.count_nonzero(alone["reason"] == b"resized"), 5)
        for column in ("attempt", "begin", "first_step", "end", "samples_processed"):
            numpy.testing.assert_array_equal(beside[column], alone[column], column)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
