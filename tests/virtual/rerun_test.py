#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What runs again, and how it comes out: rerun_test.py MIMUS [unittest args].

A cell whose inputs have changed is not taken for done; a campaign that is stopped leaves cells to go
on with; a cell written out as a campaign of its own comes out the same.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py

from campaign_test import mark_failed
from properties_test import jobs_of, tables

MIMUS = None
MODELS = Path(__file__).resolve().parents[2] / "workloads" / "models"
LIMIT_S = 200


def campaign(**more):
    return {"schema": 1, "name": "again", "seed": 3, "record": "full",
            "cluster": {"nodes": 1, "gpus_per_node": 2, "gpu": "T4", "network": "25 Gbit/s"},
            "workload": {"source": "jobs", "jobs": [{"model": "resnet18", "samples": 1000000}]},
            "engine": {"kind": "virtual"}, **more}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-rerun-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, document, name="again"):
        path = self.folder / f"{name}.yaml"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def mimus(self, *arguments, code=0):
        done = subprocess.run([MIMUS, *map(str, arguments)], capture_output=True, text=True,
                              timeout=LIMIT_S, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def results(self, file, out, *options):
        """The results of a campaign that is run into a folder."""
        self.mimus("run", file, "-q", "-o", out, *options)
        return sorted((self.folder / out).glob("*.h5"))

    def states(self, file, out):
        status = json.loads(self.mimus("campaign", "status", file, "-o", out, "--json").stdout)
        return [cell["state"] for cell in status["cells"]]


class ChangedInputs(Folder):
    def measure_on(self, gpu):
        """A result whose steps take the place of measured ones of a T4."""
        [result] = self.results(self.write(campaign(), "measure"), f"measured-{gpu}",
                                "--set", f"cluster.gpu={gpu}")
        (self.folder / "steps.h5").write_bytes(result.read_bytes())
        with h5py.File(self.folder / "steps.h5", "r+") as steps:
            steps.attrs["gpu"] = "T4"

    def test_a_replaced_profile_makes_results_stale(self):
        self.measure_on("T4")
        measured = {"name": "measured", "profile": "steps.h5"}
        file = self.write(campaign(engine={"kind": "virtual", "step_time": measured}))
        [slow] = self.results(file, "out")
        self.assertEqual(self.states(file, "out"), ["done"])

        self.measure_on("V100")

        self.assertEqual(self.states(file, "out"), ["stale"])
        self.assertEqual(self.mimus("run", file, "-o", "out", "--dry-run").stdout.count("001-"), 1)
        [fast] = set(self.results(file, "out")) - {slow}
        self.assertLess(jobs_of(fast)["end"][0], jobs_of(slow)["end"][0])
        self.assertEqual(self.states(file, "out"), ["done"])


class Stopped(Folder):
    def stop_after_the_first_cell(self, jobs):
        """Many cells with fewer events each than there are between two looks at the clock."""
        poisson = {"source": "poisson", "jobs": 100, "mean_interarrival": "20 s",
                   "mix": {"resnet50": 1}}
        file = self.write(campaign(workload=poisson, repetitions=500, record="jobs"))
        out = f"out-{jobs}"
        run = subprocess.Popen([MIMUS, "run", str(file), "-o", out, "--jobs", str(jobs)],
                               cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        deadline = time.monotonic() + LIMIT_S
        while not list((self.folder / out).glob("*.h5")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, stderr = run.communicate(timeout=LIMIT_S)

        self.assertEqual(run.returncode, 75, stderr)
        self.assertIn("stopped by SIGINT (Ctrl-C); run the same command again", stderr)
        states = self.states(file, out)
        self.assertIn("waiting", states)
        self.assertNotIn("running", states)

    def test_between_small_cells(self):
        self.stop_after_the_first_cell(1)

    def test_between_small_cells_side_by_side(self):
        self.stop_after_the_first_cell(2)


class FailedElsewhere(Folder):
    def test_a_cell_that_another_run_has_failed_in_meanwhile_is_left_alone(self):
        poisson = {"source": "poisson", "jobs": 20000, "mean_interarrival": "20 s",
                   "mix": {"resnet18": 1}}
        file = self.write(campaign(workload=poisson, repetitions=3, record="jobs"))
        out = self.folder / "out"
        first = subprocess.Popen([MIMUS, "run", str(file), "-o", str(out), "--jobs", "1"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(first.kill)
        deadline = time.monotonic() + LIMIT_S
        while not list(out.glob("*-r0.h5.part")):
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(first.poll(), "it ended before it was seen running")
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)
        cells = [cell["id"] for cell in json.loads(
            self.mimus("campaign", "status", file, "-o", out, "--json").stdout)["cells"]]
        self.mimus("run", file, "-q", "-o", out, "--only", cells[1])
        mark_failed(out / f"{cells[1]}.h5", "the disk is full")

        first.send_signal(signal.SIGCONT)
        _, stderr = first.communicate(timeout=LIMIT_S)

        self.assertEqual(first.returncode, 1, stderr)
        self.assertIn(f"{cells[1]}: skipped, because it has failed in another run: the disk is full", stderr)
        self.assertIn(f"failed in another run and were skipped; {cells[1]}", stderr)
        self.assertEqual(self.states(file, out), ["done", "failed", "done"])


class ChosenCells(Folder):
    def test_a_swept_value_that_is_set_does_not_run_its_cells_again(self):
        file = self.write(campaign(sweep={"grid": {"policy.order": ["fifo", "las", "sjf"]}}))
        everything = self.results(file, "out")

        chosen = self.mimus("run", file, "-o", "out", "--set", "policy.order=las")

        self.assertIn("all 1 cells are complete", chosen.stderr)
        self.assertEqual(self.results(file, "out"), everything)


class WrittenOut(Folder):
    def assert_same(self, file, ending="", same_hash=True):
        """Asserts that a cell gives the same result as a separate campaign in another folder."""
        [result] = [path for path in self.results(file, "all") if path.stem.endswith(ending)]
        text = self.mimus("validate", file, "--resolved", "--cell", result.stem).stdout
        elsewhere = self.folder / "elsewhere" / "one.yaml"
        elsewhere.parent.mkdir()
        elsewhere.write_text(text, encoding="utf-8")

        [own] = self.results(elsewhere, "one")

        # The number and the label of the cell belong to the campaign, everything else to the cell.
        if same_hash:
            self.assertEqual(own.stem.split("-")[2:], result.stem.split("-")[2:])
        expected, actual = tables(result), tables(own)
        self.assertEqual(actual.keys(), expected.keys())
        for name, rows in expected.items():
            self.assertEqual(actual[name].tobytes(), rows.tobytes(), name)

    def test_a_repetition(self):
        poisson = {"source": "poisson", "jobs": 20, "mean_interarrival": "20 s",
                   "mix": {"resnet50": 1}}
        self.assert_same(self.write(campaign(workload=poisson, repetitions=3)), "-r2")

    def test_a_cell_with_a_model_of_the_campaign(self):
        model = (MODELS / "resnet18.yaml").read_text(encoding="utf-8")
        (self.folder / "models").mkdir()
        (self.folder / "models" / "own.yaml").write_text(
            model.replace("name: resnet18", "name: own"), encoding="utf-8")
        jobs = {"source": "jobs", "jobs": [{"model": "own", "samples": 1000000}]}
        self.assert_same(self.write(campaign(workload=jobs, models=["models/own.yaml"])))

    def test_a_cell_with_a_trace_beside_the_campaign(self):
        (self.folder / "jobs.csv").write_text("arrival,gang,run_time\n0,1,60\n5,2,30\n",
                                              encoding="utf-8")
        self.assert_same(self.write(campaign(
            workload={"source": "csv", "path": "jobs.csv"},
            engine={"kind": "virtual", "step_time": "duration", "interference": "none"})),
                         same_hash=False)  # the path is written in full there


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
