# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A file that `mimus campaign merge` writes gives the same results as its cells."""

import math
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import pandas as pd

import mimus_results
from mimus_results import metrics, totals
from mimus_results.report.sections import queueing

MIMUS = os.environ.get("MIMUS")
ROUNDS = """
schema: 1
name: rounds
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 24, mean_interarrival: 20 s, duration: 2 min, gangs: {1: 1, 4: 1},
           mix: {resnet50: 1, bert-base: 1}}
policy: {order: las, preemption: checkpoint, sharing: {name: tenants, per_gpu: 2}}
engine: {kind: virtual, mode: rounds, round: 60 s}
sweep: {grid: {policy.placement: [pack, spread]}}
"""


def merged(folder, campaign, *options):
    """Runs and merges a campaign. Returns the path of the merged file."""
    file = folder / "campaign.yaml"
    file.write_text(campaign, encoding="utf-8")
    results = folder / "results"
    subprocess.run([MIMUS, "run", file, "-o", results], check=True, capture_output=True)
    subprocess.run([MIMUS, "campaign", "merge", file, "-o", results, *options], check=True,
                   capture_output=True)
    return results / "campaign.h5"


@unittest.skipUnless(MIMUS, "MIMUS does not name the program")
class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = merged(Path(folder), ROUNDS)
            cls.program = pd.read_csv(path.with_name("metrics.csv")).dropna(subset=["value"])
            cls.package = mimus_results.load(path).metrics()

    def test_waits_of_all_causes_add_up_to_the_queueing(self):
        for label, rows in self.program.groupby("label"):
            value = rows.set_index("metric")["value"]
            of_causes = sum(value[f"queueing_{cause}_mean"] for cause in totals.CAUSES)
            self.assertGreater(value["queueing_round_mean"], 0)
            self.assertAlmostEqual(of_causes / value["queueing_mean"], 1, places=9, msg=label)

    def test_the_package_has_every_metric_of_the_program_with_its_unit(self):
        units = self.program.fillna({"unit": ""}).drop_duplicates("metric").set_index("metric")
        for name, unit in units["unit"].items():
            self.assertIn(name, metrics.METRICS)
            self.assertEqual(metrics.METRICS[name].unit, unit, name)

    def test_their_values_are_the_same(self):
        values = self.package.set_index(["cell", "metric"])["value"]
        for row in self.program.itertuples():
            self.assertTrue(math.isclose(values[row.cell, row.metric], row.value, rel_tol=1e-9,
                                         abs_tol=1e-12), row)


@unittest.skipUnless(MIMUS, "MIMUS does not name the program")
class LongLabels(unittest.TestCase):
    def test_cells_of_a_copy_stay_apart(self):
        limits = ", ".join(f"{10 * k} min" for k in range(1, 41))
        campaign = ROUNDS.replace("{grid: {", "{grid: {policy.order: [{name: las, limits: ["
                                  f"{limits}]}}], ")
        with tempfile.TemporaryDirectory() as folder:
            path = merged(Path(folder), campaign, "--copy")
            whole = mimus_results.load(path.parent).labels
            alone = shutil.copy(path, folder)
            self.assertEqual(mimus_results.load(alone).labels, whole)
        self.assertEqual([label.split(" / ")[-1] for label in whole], ["pack", "spread"])
        self.assertGreater(len(whole[0]), 256)


class Names(unittest.TestCase):
    def test_metrics_that_no_virtual_cell_has_are_known_too(self):
        text = (Path(__file__).resolve().parents[2] / "docs" / "results.md").read_text("utf-8")
        rows = text.split("| metric | unit | better | what | formula |")[1].strip().split("\n")[1:]
        names = [row.split("`")[1] for row in rows if row.startswith("| `")]
        self.assertGreater(len(names), 30)
        self.assertEqual(names, list(metrics.METRICS))

    def test_every_cause_of_waiting_has_words(self):
        self.assertEqual(set(queueing._WORDS), set(totals.CAUSES))


if __name__ == "__main__":
    unittest.main()
