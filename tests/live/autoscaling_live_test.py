# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A job, and a cluster, that get more nodes while these are productive: the live run against the
virtual one.

Usage: autoscaling_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

TESTS = pathlib.Path(__file__).resolve().parent
TWIN = TESTS.parents[1] / "configs" / "autoscale-twin.yaml"


class AutoScaling(live_run.LiveRun):
    def run_engine(self, kind, campaign, *options):
        """Jobs, attempts and figures of its only cell."""
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(campaign), "-q", "-o", str(out), "--set",
                               f"engine.kind={kind}", "--set", "engine.time_scale=max", *options],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            figures = {row["metric"].decode(): float(row["value"]) for row in file["figures"][:]}
            return file["jobs"][:], file["attempts"][:], figures

    def assert_close(self, live, virtual, *figures):
        for figure in figures:
            with self.subTest(figure=figure):
                self.assertAlmostEqual(live[figure] / virtual[figure], 1, delta=0.03)

    def test_a_job_gets_nodes_as_its_goodput_grows(self):
        (jobs, attempts, figures), (_, expected, virtual_figures) = (
            self.run_engine(kind, TESTS / "autoscaling.yaml") for kind in ("live", "virtual"))

        self.assertEqual(jobs["outcome"][0], b"finished")
        self.assertEqual(list(attempts["replicas"]), list(expected["replicas"]))
        self.assertEqual((attempts["replicas"][0], attempts["replicas"][-1]), (2, 8))
        self.assertEqual(list(attempts["reason"][:-1]), [b"resized"] * (len(attempts) - 1))
        self.assert_close(figures, virtual_figures, "jct_mean", "cost_held")

    def test_a_cluster_is_as_large_as_its_jobs_can_use(self):
        (jobs, _, figures), (_, _, virtual_figures) = (
            self.run_engine(kind, TWIN, "--only", "002") for kind in ("live", "virtual"))

        self.assertEqual(set(jobs["outcome"]), {b"finished"})
        self.assertLess(virtual_figures["node_hours"], 0.9 * 4 * virtual_figures["makespan"] / 3600)
        self.assert_close(figures, virtual_figures, "jct_mean", "node_hours", "cost_powered")


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
