# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""GPUs of two types in one live cluster, each at its own pace, against the virtual run.

Usage: groups_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

GROUPS = pathlib.Path(__file__).resolve().parent / "groups.yaml"


class Groups(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(GROUPS), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return file["jobs"][:], file["attempts"][:], file["gpus"][:]

    def test_every_gpu_keeps_the_pace_of_its_type(self):
        jobs, attempts, gpus = self.run_engine("live")
        expected, virtual_attempts, virtual_gpus = self.run_engine("virtual")

        self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 4)
        types = {row["job"]: row["gpu_type"] for row in attempts}
        self.assertEqual(types, {row["job"]: row["gpu_type"] for row in virtual_attempts})
        self.assertEqual(types, {0: b"V100", 1: b"T4", 2: b"V100", 3: b"T4"})
        self.assertEqual(list(gpus["type"]), [b"V100", b"V100", b"T4", b"T4"])
        self.assertEqual(list(gpus["type"]), list(virtual_gpus["type"]))
        by_job = {job["job"]: job["jct"] for job in expected}
        for job in jobs:
            self.assertAlmostEqual(job["jct"] / by_job[job["job"]], 1, delta=0.03)
        for live, virtual in zip(gpus, virtual_gpus):
            self.assertAlmostEqual(live["busy"] / virtual["busy"], 1, delta=0.03)

    def call(self, *arguments):
        return subprocess.run([live_run.MIMUS, *arguments], capture_output=True, text=True, timeout=60)

    def test_a_batch_job_has_the_ranks_of_its_nodes(self):
        """Nodes of 2, 1 and 1 GPUs on a host each, and rank 0 on the first."""
        done = self.call("submit", str(GROUPS), "--dry-run", "--set", "resources.nodes=3")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("--nodes=3", "--ntasks-per-node=3", "MIMUS_RANKS=5", "MIMUS_HOST_RANKS='3 1 1'"):
            self.assertIn(line, done.stdout)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
