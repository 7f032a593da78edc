# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Gangs grow and shrink between two steps, in both engines, and no work is lost.

Usage: elastic_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

import live_run

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "elastic.yaml"
MIMUS = ""
SAMPLES = {0: 900_000, 1: 9_000, 2: 400}


def by_attempt(rows):
    return rows[np.argsort(rows["attempt"])]


class ElasticGangs(unittest.TestCase):
    def run_cells(self, *arguments):
        """Tables of each cell, by the first word of its name."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "-o", folder, *arguments],
                                  capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            cells = {}
            for path in pathlib.Path(folder).glob("*.h5"):
                with h5py.File(path, "r") as file:
                    cells[path.name.split("-")[1]] = {
                        name: file[name][:] for name in ("jobs", "attempts", "placements", "steps")}
        return cells

    def check_work(self, cell):
        for job in cell["jobs"]:
            self.assertEqual(job["outcome"], b"finished")
            # The last step may go beyond the requested work.
            self.assertGreaterEqual(job["progress_samples"], SAMPLES[job["job"]] - 1e-3)
            self.assertLess(job["progress_samples"], SAMPLES[job["job"]] * 1.02 + 12)

    def check_nothing_held_twice(self, cell):
        placements = cell["placements"]
        for gpu in np.unique(placements["gpu"]):
            spans = placements[placements["gpu"] == gpu]
            spans = spans[np.argsort(spans["begin"])]
            self.assertTrue((spans["begin"][1:] >= spans["end"][:-1]).all(), gpu)

    def check_in_place(self, cell):
        """Every attempt of the long job but the last one ends as resized, where the next begins, on
        the same first GPUs."""
        attempts = by_attempt(cell["attempts"][cell["attempts"]["job"] == 0])
        self.assertEqual(set(attempts["reason"][:-1]), {b"resized"})
        np.testing.assert_array_equal(attempts["end"][:-1], attempts["begin"][1:])
        sizes = attempts["replicas"]
        self.assertTrue((np.diff(sizes) < 0).any() and (np.diff(sizes) > 0).any(), sizes)
        gangs = [list(cell["placements"]["gpu"][cell["placements"]["attempt"] == attempt])
                 for attempt in attempts["attempt"]]
        for before, after in zip(gangs, gangs[1:]):
            staying = min(len(before), len(after))
            self.assertEqual(before[:staying], after[:staying])
        self.assertEqual(cell["jobs"]["preemptions"].sum(), 0)

    def check(self, cells):
        self.assertEqual(set(cells), {"in", "restart"})
        for cell in cells.values():
            self.check_work(cell)
            self.check_nothing_held_twice(cell)
        self.check_in_place(cells["in"])
        self.assertGreater(cells["restart"]["jobs"]["preemptions"].sum(), 0)
        self.assertNotIn(b"resized", cells["restart"]["attempts"]["reason"])

    def test_both_engines_pause_the_job_for_as_long(self):
        engines = [self.run_cells("--engine", engine) for engine in ("live", "virtual")]
        for cells in engines:
            self.check(cells)
        for cell in ("in", "restart"):
            live, virtual = (live_run.pauses_of(cells[cell], {b"resized", b"preempted"})
                             for cells in engines)
            self.assertEqual(len(live), 4)
            np.testing.assert_allclose(live, virtual, rtol=1e-3, atol=1e-6)

    def test_a_job_that_ends_first_lets_its_new_members_go(self):
        """The first job ends while the GPUs that it was to get start up; the last one then runs on
        all of them."""
        jobs = ("workload.jobs=[{model: resnet18, gang: 1, batch: 512, samples: 88000}, "
                "{model: neumf, gang: 1, batch: 256, samples: 40000}, "
                "{model: resnet50, gang: 1, batch: 128, samples: 2000, arrival: 85 s}]")
        cells = self.run_cells("--set", jobs, "--only", "001")
        self.assertEqual(set(cells["in"]["jobs"]["outcome"]), {b"finished"})


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
