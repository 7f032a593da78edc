# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Common parts of the tests on Slurm."""
import pathlib
import subprocess
import tempfile
import unittest

import h5py

from cluster import LIMIT_S, slurm, wait_for_end, wait_until

HERE = pathlib.Path(__file__).resolve().parent
LIVE = HERE / "two_hosts.yaml"
VIRTUAL = HERE / "virtual.yaml"
ONE_CELL = ("--set", "policy.placement=pack")
MIMUS = ""  # the test's main program fills it in


def attribute(file, name):
    value = file.attrs[name]
    return (value.decode() if isinstance(value, bytes) else value).rstrip("\0")


class OnSlurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "out"
        self.addCleanup(self.end_jobs)

    def end_jobs(self):
        jobs = slurm("squeue", "--noheader", "--format=%A").split()
        if jobs:
            slurm("scancel", *jobs)
            wait_for_end(*jobs)

    def submit(self, campaign, *options, out=None):
        """`mimus submit`; returns the ids of its jobs."""
        done = subprocess.run([MIMUS, "submit", campaign, "-o", out or self.out, *options],
                              capture_output=True, text=True, timeout=2 * LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr + self.logs())
        return done.stdout.split()

    def logs(self):
        return "".join(f"\n== {log.name}\n{log.read_text()}"
                       for log in sorted((self.out / "slurm").glob("*.out")))

    def files(self):
        """Files of the cells. The job that follows them writes campaign.h5 beside them."""
        return sorted(self.out.glob("[0-9]*.h5"))

    def assert_complete(self, count):
        self.assertEqual(len(self.files()), count, self.logs())
        for path in self.files():
            with h5py.File(path, "r") as file:
                self.assertEqual(attribute(file, "status"), "complete")
                self.assertEqual(set(file["jobs"]["outcome"]), {b"finished"})

    def wait_for_training(self):
        """Waits until a cell is running. Returns its file."""
        def started():
            for part in self.out.glob("*.h5.part"):
                try:
                    with h5py.File(part, "r") as file:
                        if len(file["attempts"]) + len(file["steps"]) > 0:
                            return part
                except (OSError, KeyError):
                    pass
            return None
        return wait_until("training", started)

    def table(self, out):
        done = subprocess.run([MIMUS, "summary", out], capture_output=True, text=True,
                              timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout
