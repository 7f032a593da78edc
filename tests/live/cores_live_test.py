# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that ask for more cores than their node has slow each other's input pipelines, as in the virtual run.

Usage: cores_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

CORES = pathlib.Path(__file__).resolve().parent / "cores.yaml"


class Cores(live_run.LiveRun):
    def jcts(self, kind, **settings):
        out = self.folder / f"{kind}-{len(settings)}"
        changes = [f"--set={key}={value}" for key, value in ({"engine.kind": kind} | settings).items()]
        done = subprocess.run([live_run.MIMUS, "run", str(CORES), "-q", "-o", str(out), *changes],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return {row["job"]: row["jct"] for row in file["jobs"][:]}

    def test_live_jobs_are_slowed_as_virtual_ones(self):
        live, virtual = self.jcts("live"), self.jcts("virtual")
        ample = self.jcts("virtual", **{"cluster.cores": 8})
        for job, jct in virtual.items():
            self.assertAlmostEqual(live[job] / jct, 1, delta=0.01)
        self.assertGreater(virtual[0] / ample[0], 1.1)
        self.assertGreater(virtual[1] / ample[1], 1.1)
        self.assertEqual(virtual[2], ample[2])


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
