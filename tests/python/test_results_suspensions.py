# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Gangs that take turns, and tenants with caps: what results, report and exports say of them."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from mimus_results import export, load_cell
from mimus_results.figures import timeline
from mimus_results.report.sections.timeline import timeline_of

MIMUS = os.environ.get("MIMUS")
# Two gangs of 300 s that take turns of 60 s on one node.
TURNS = """
schema: 1
name: turns
cluster: {nodes: 1, gpus_per_node: 2, gpu: T4, network: 25 Gbit/s}
workload: {source: csv, path: jobs.csv}
policy: {planner: {name: gandiva, slice: 60 s, pack: false, migrate: false}}
engine: {kind: virtual, step_time: duration}
"""
JOBS_IN_TURNS = "arrival,gang,run_time\n0,2,300\n0,2,300\n"
CAPS = """
schema: 1
name: caps
cluster: {nodes: 1, gpus_per_node: 1, gpu: T4, network: 25 Gbit/s}
workload: {source: csv, path: jobs.csv}
policy: {preset: mps, sharing: {per_gpu: 4}}
engine: {kind: virtual, interference: mps}
"""
CAPPED_JOBS = ("arrival,gang,model,samples,gpu_share\n"
               "0,1,resnet18,20000,0.25\n0,1,resnet18,20000,0.75\n")


def run(folder, campaign, jobs):
    """Path of the result of the campaign's one cell."""
    (folder / "campaign.yaml").write_text(campaign)
    (folder / "jobs.csv").write_text(jobs)
    subprocess.run([MIMUS, "run", "campaign.yaml", "-q", "-o", "out"], cwd=folder, check=True,
                   capture_output=True)
    path, = (folder / "out").glob("*.h5")
    return path


@unittest.skipUnless(MIMUS, "MIMUS is not set")
class Suspensions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = run(Path(cls.folder.name), TURNS, JOBS_IN_TURNS)
        cls.cell = load_cell(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_job_is_waiting_running_or_suspended(self):
        jobs = self.cell.table("jobs").sort_values("job")
        self.assertEqual(list(jobs["jct"]), [540, 600])
        self.assertEqual(list(jobs["running"]), [300, 300])
        self.assertEqual(list(jobs["suspended"]), [240, 240])
        self.assertEqual(list(jobs["queueing"]), [0, 60])
        self.assertEqual(list(jobs["gpu_seconds"]), [600, 600])
        self.assertEqual(list(jobs["attempts"]), [1, 1])

    def test_each_suspension_is_a_row(self):
        found = self.cell.table("suspensions").sort_values(["job", "begin"])
        self.assertEqual([(row.job, row.begin, row.end) for row in found.itertuples()],
                         [(0, begin, begin + 60) for begin in (60, 180, 300, 420)]
                         + [(1, begin, begin + 60) for begin in (120, 240, 360, 480)])

    def test_the_summary_has_the_mean(self):
        printed = subprocess.run([MIMUS, "summary", "--json", self.path], check=True,
                                 capture_output=True, text=True).stdout
        cell, = json.loads(printed)["cells"]
        self.assertEqual(cell["suspended_mean_s"], 240)
        self.assertEqual(cell["gpu_allocated_fraction"], 1)

    def test_gpus_are_shared_by_nobody(self):
        self.assertEqual(list(self.cell.table("gpus")["held"]), [600, 600])
        self.assertEqual(list(self.cell.table("gpus")["shared"]), [0, 0])
        self.assertTrue(self.cell.table("pairs").empty)

    def test_timelines_pale_them(self):
        shown = timeline_of(self.cell, [])
        seconds = sum(shown["pale"]["length"]) * shown["tick"]
        self.assertAlmostEqual(seconds, 2 * 2 * 240, delta=0.1)  # jobs x GPUs
        self.assertEqual(set(shown["pale"]["share"]), {100})
        self.assertEqual([round(head * shown["tick"]) for head in shown["head"]], [60, 60, 60, 60])
        self.assertEqual(len(timeline.pauses(self.cell)), 16)

    def test_perfetto_has_slices(self):
        out = Path(self.folder.name) / "trace.json"
        export.perfetto.write(self.cell, out)
        events = json.loads(out.read_text())["traceEvents"]
        slices = [event for event in events if event.get("name") == "suspended"]
        self.assertEqual(len(slices), 16)
        self.assertEqual({event["dur"] for event in slices}, {60e6})


@unittest.skipUnless(MIMUS, "MIMUS is not set")
class Caps(unittest.TestCase):
    def test_a_capped_tenant_is_as_high_as_its_share(self):
        with tempfile.TemporaryDirectory() as folder:
            cell = load_cell(run(Path(folder), CAPS, CAPPED_JOBS))
            shown = timeline_of(cell, [])
            ends = {row.job: row.end for row in cell.table("placements").itertuples()}
        pale = shown["pale"]
        self.assertEqual(dict(zip(pale["row"], pale["share"])), {0: 75, 1: 25})
        for row, length in zip(pale["row"], pale["length"]):
            self.assertAlmostEqual(length * shown["tick"], ends[shown["job"][shown["row"].index(row)]],
                                   delta=shown["tick"])


if __name__ == "__main__":
    unittest.main()
