# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""`mimus summary` of folders: summary_test.py MIMUS [unittest args]."""

import json
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MIMUS = None
CAMPAIGN = {
    "schema": 1, "name": "many", "seed": 3, "repetitions": 12, "record": "summary",
    "cluster": {"nodes": 1, "gpus_per_node": 2, "gpu": "T4", "network": "25 Gbit/s"},
    "workload": {"source": "poisson", "jobs": 5, "mean_interarrival": "20 s",
                 "mix": {"resnet18": 1}},
    "engine": {"kind": "virtual"},
    "sweep": {"grid": {"policy.order": ["sjf", "fifo"]}}}


class Summary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-summary-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def mimus(self, *arguments):
        done = subprocess.run([MIMUS, *map(str, arguments)], capture_output=True, text=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_folder_is_in_the_order_of_cells_and_repetitions(self):
        file = self.folder / "many.yaml"
        file.write_text(json.dumps(CAMPAIGN), encoding="utf-8")
        self.mimus("run", file, "-q", "-o", self.folder / "out")

        cells = json.loads(self.mimus("summary", self.folder / "out", "--json"))["cells"]

        self.assertEqual([(cell["label"], cell["repetition"]) for cell in cells],
                         [(label, k) for label in ("sjf", "fifo") for k in range(12)])

    def test_a_row_is_a_cell_or_each_of_its_runs(self):
        file = self.folder / "many.yaml"
        file.write_text(json.dumps(CAMPAIGN), encoding="utf-8")
        of_run = self.mimus("run", file, "-q", "-o", self.folder / "out")
        of_each_run = self.mimus("run", file, "-q", "-o", self.folder / "out", "--each")
        runs = json.loads(self.mimus("summary", self.folder / "out", "--json"))["cells"]

        rows = self.mimus("summary", self.folder / "out").splitlines()
        each = self.mimus("summary", self.folder / "out", "--each").splitlines()

        self.assertEqual([line.split()[:2] for line in rows[2:]], [["sjf", "12"], ["fifo", "12"]])
        self.assertEqual(len(each), 2 + len(runs))
        for row in rows[2:]:
            mean, half_width = row.split()[3:5]
            values = [run["jct_mean_s"] for run in runs if run["label"] == row.split()[0]]
            self.assertAlmostEqual(float(mean), statistics.fmean(values), delta=0.5)
            # t(0.975; 11) = 2.200985
            expected = 2.200985 * statistics.stdev(values) / 12 ** 0.5
            self.assertAlmostEqual(float(half_width.strip("±*")), expected, delta=0.5)
        self.assertEqual(of_run.splitlines(), rows)
        self.assertEqual(of_each_run.splitlines(), each)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
