# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of the program on pretended CUDA devices, and what can be observed."""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

HERE = pathlib.Path(__file__).resolve().parent
LIVE = HERE.parent.parent / "live"
CAMPAIGN = HERE / "host_side.yaml"
MPS = HERE / "mps"
RUN_LIMIT_S = 100
ON_CUDA = ("--set", "engine.device=cuda")


class Outcome:
    """Of one run: what the tables of its cells and the attributes of the last one say, and how often
    the host called what."""

    def __init__(self, folder):
        tables = collections.defaultdict(list)
        for path in sorted(folder.glob("*.h5")):
            with h5py.File(path, "r") as file:
                self.attributes = dict(file.attrs)
                for name in ("jobs", "attempts", "steps", "collectives", "baselines", "suspensions",
                             "limits"):
                    tables[name] += list(file[name][:])
        self.jobs, self.attempts = tables["jobs"], tables["attempts"]
        self.steps, self.collectives = tables["steps"], tables["collectives"]
        self.baselines, self.suspensions = tables["baselines"], tables["suspensions"]
        self.limits = tables["limits"]
        self.calls = collections.Counter()
        for path in folder.glob("calls.*"):
            for line in path.read_text().splitlines():
                count, _, name = line.partition(" ")
                self.calls[name] += int(count)

    def outcomes(self):
        return {int(row["job"]): row["outcome"].decode() for row in self.jobs}

    def reasons(self):
        return collections.Counter(row["reason"].decode() for row in self.attempts)

    def kinds(self):
        return {row["kind"].decode() for row in self.collectives}

    def operations(self):
        return {row["op"].decode() for row in self.collectives}

    def launches(self, before=""):
        """Kernels of steps, without those that fill memory at the beginning of an attempt."""
        return sum(count for name, count in self.calls.items()
                   if name.startswith((before + "kernel", before + "product",
                                       before + "convolution")) and "fill_random" not in name)


class OnFakeDevices(unittest.TestCase):
    mimus = ""
    """The program and the module to test."""
    module = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def environment(self, **fake):
        return {**os.environ, "MIMUS_CUDA_MODULE": self.module, **fake}

    def with_mps(self):
        """Variables of a host whose driver has the stand-in for MPS."""
        return {"PATH": f"{MPS}:{os.environ['PATH']}", "TMPDIR": str(self.folder),
                "MIMUS_FAKE_MPS_LOG": str(self.folder / "mps.log")}

    def mps_log(self):
        return (self.folder / "mps.log").read_text()

    def call(self, *arguments, **fake):
        done = subprocess.run([self.mimus, *arguments], capture_output=True, text=True,
                              timeout=RUN_LIMIT_S, env=self.environment(**fake))
        self.assertNotIn("fake CUDA:", done.stderr)
        return done

    def run_campaign(self, *settings, campaign=CAMPAIGN, device=ON_CUDA, **fake):
        """A run that succeeds, and in which the host uses CUDA correctly."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            options = [part for setting in settings for part in ("--set", setting)]
            done = self.call("run", str(campaign), "-o", name, *device, *options,
                             MIMUS_FAKE_CUDA_REPORT=name + "/calls", **fake)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(list(pathlib.Path("/dev/shm").glob("mimus-fake-nccl-*")), [])
            return Outcome(pathlib.Path(name))

    def assert_finished(self, outcome, jobs=4):
        self.assertEqual(outcome.outcomes(), dict.fromkeys(range(jobs), "finished"))


def main():
    """Runs the tests of the started module: MIMUS_BINARY FAKE_MODULE [arguments]."""
    OnFakeDevices.mimus = str(pathlib.Path(sys.argv.pop(1)).resolve())
    OnFakeDevices.module = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
