# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A node that sleeps and boots, and modelled energy: the live run against the virtual one.

Usage: ces_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

CES = pathlib.Path(__file__).resolve().parent / "ces.yaml"


class SleepingNode(live_run.LiveRun):
    def run_engine(self, kind):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(CES), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}"],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return {name: file[name][:] for name in ("jobs", "node_states", "nodes", "energy")}

    def test_live_and_virtual_jobs_wait_alike_for_a_node_to_boot(self):
        live, expected = self.run_engine("live"), self.run_engine("virtual")

        for found in (live, expected):
            self.assertEqual([job["outcome"] for job in found["jobs"]], [b"finished"] * 3)
            waits = {job["job"]: job["wait_boot"] for job in found["jobs"]}
            self.assertEqual([waits[0], waits[1]], [0, 0])
            self.assertAlmostEqual(waits[2], 30, delta=0.5)
            states = [row["state"] for row in found["node_states"]]
            self.assertEqual(states[:2], [b"asleep", b"booting"])
            self.assertAlmostEqual(found["node_states"][1]["begin"], 150, delta=0.5)
            self.assertEqual(set(found["energy"]["source"]), {b"modelled"})
        for what in (lambda run: run["jobs"]["jct"].mean(),
                     lambda run: run["energy"]["joules"].sum() + run["nodes"]["joules"].sum()):
            self.assertLess(abs(what(live) / what(expected) - 1), 0.03)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
