# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Gangs that share uplinks all the time end at the same emulated instants, however busy the host is.

Usage: links_live_test.py MIMUS_BINARY [unittest arguments]
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy

import live_run

CAMPAIGN = live_run.CAMPAIGN.with_name("uplinks.yaml")
STOPPED_S = 1
SAME_S = 0.7  # emulated; rank 0 may hear of two ends in another order
VIRTUAL_ERROR = 0.1  # of a completion time; the virtual engine knows no phases of transfers


class SharedUplinks(live_run.LiveRun):
    def completion_times(self, disturb, *options):
        command = [live_run.MIMUS, "run", str(CAMPAIGN), "-o", str(self.folder / "out"), *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        if disturb:
            self.wait_for_training(process)
            disturb(live_run.ranks_of(process.pid))
        _, stderr = process.communicate(timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(process.returncode, 0, stderr)
        path, = self.results()
        with h5py.File(path, "r") as file:
            jobs = numpy.sort(file["jobs"][:], order="job")
        path.unlink()
        return jobs["end"] - jobs["arrival"]

    def test_they_end_at_the_same_instants(self):
        def stop(ranks):
            os.kill(ranks[1], signal.SIGSTOP)
            time.sleep(STOPPED_S)
            os.kill(ranks[1], signal.SIGCONT)

        alone = self.completion_times(None)
        stopped = self.completion_times(stop)
        fast = self.completion_times(None, "--time-scale", "max")

        for other in (stopped, fast):
            self.assertLess(numpy.max(numpy.abs(other - alone)), SAME_S, (other, alone))

        virtual = self.completion_times(None, "--engine", "virtual")
        self.assertLess(numpy.max(numpy.abs(virtual / alone - 1)), VIRTUAL_ERROR, (virtual, alone))


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
