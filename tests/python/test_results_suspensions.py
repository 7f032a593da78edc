# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Two gangs of 300 s that take turns of 60 s on one node: what results, report and exports say."""

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
CAMPAIGN = """
schema: 1
name: turns
cluster: {nodes: 1, gpus_per_node: 2, gpu: T4, network: 25 Gbit/s}
workload: {source: csv, path: jobs.csv}
policy: {planner: {name: gandiva, slice: 60 s, pack: false, migrate: false}}
engine: {kind: virtual, step_time: duration}
"""
JOBS = "arrival,gang,run_time\n0,2,300\n0,2,300\n"


@unittest.skipUnless(MIMUS, "MIMUS is not set")
class Suspensions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = Path(cls.folder.name)
        (folder / "turns.yaml").write_text(CAMPAIGN)
        (folder / "jobs.csv").write_text(JOBS)
        subprocess.run([MIMUS, "run", "turns.yaml", "-q", "-o", "out"], cwd=folder, check=True,
                       capture_output=True)
        cls.path, = (folder / "out").glob("*.h5")
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
        seconds = sum(shown["paused"]["length"]) * shown["tick"]
        self.assertAlmostEqual(seconds, 2 * 2 * 240, delta=0.1)  # jobs x GPUs
        self.assertEqual([round(head * shown["tick"]) for head in shown["head"]], [60, 60, 60, 60])
        self.assertEqual(len(timeline.pauses(self.cell)), 16)

    def test_perfetto_has_slices(self):
        out = Path(self.folder.name) / "trace.json"
        export.perfetto.write(self.cell, out)
        events = json.loads(out.read_text())["traceEvents"]
        slices = [event for event in events if event.get("name") == "suspended"]
        self.assertEqual(len(slices), 16)
        self.assertEqual({event["dur"] for event in slices}, {60e6})


if __name__ == "__main__":
    unittest.main()
