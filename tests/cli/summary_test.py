# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""`mimus summary` of folders: summary_test.py MIMUS [unittest args]."""

import json
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


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
