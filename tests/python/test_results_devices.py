# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What physical devices measured: frames, energy per job, and the section of the report."""

import unittest

import numpy as np
import pandas as pd

from mimus_results import Campaign, devices, energy, load, metrics
from mimus_results.report import build
from mimus_results.report.facts import Facts
from mimus_results.report.sections import devices as section

from in_memory import figures_of
from test_report_page import Outline, cell_of, counted
from test_results_analysis import WithResults


def energy_table(*joules):
    table = pd.DataFrame({"gpu": np.arange(len(joules)), "node": 0, "span": 10.0,
                          "joules": list(joules), "mean_power": np.array(joules) / 10})
    table.attrs["units"] = {"gpu": "", "node": "", "span": "s", "joules": "J", "mean_power": "W"}
    return table


JOBS = pd.DataFrame({"job": [0, 1, 2], "model": ["a", "b", "c"], "gpu_seconds": [30.0, 10, 60],
                     "outcome": ["finished", "finished", "failed"]})


class Energy(unittest.TestCase):
    def test_jobs_share_the_energy_by_their_gpu_time(self):
        found = energy.of_jobs(cell_of("a", jobs=JOBS, figures=figures_of(jobs=3, energy=800)))
        self.assertEqual(found["job"].tolist(), [0, 1])
        np.testing.assert_allclose(found["share"], [0.3, 0.1])  # of 100 GPU seconds
        np.testing.assert_allclose(found["joules"], [240, 80])

    def test_a_sum_without_one_device_would_be_too_small(self):
        cell = cell_of("a", jobs=JOBS, energy=energy_table(500.0, -1.0), **counted())
        self.assertTrue(energy.of_jobs(cell).empty)
        self.assertEqual(energy.energy(cell)["joules"].notna().tolist(), [True, False])

    def test_modelled_energy_is_told_from_measured(self):
        table = energy_table(3.6e6, 7.2e6, 5.0).assign(source=["modelled", "modelled_held", "counter"])
        table.attrs["units"] = {"node": "", "joules": "J", "mean_power": "W"}
        nodes = pd.DataFrame({"node": [0], "joules": [1.8e6], "source": ["modelled"]})
        nodes.attrs["units"] = {"node": "", "joules": "J"}
        cell = cell_of("a", energy=table, nodes=nodes, **counted())
        self.assertEqual(energy.modelled(cell).to_dict(), {"energy": 10.8e6, "nodes": 1.8e6})
        self.assertTrue(energy.modelled(cell_of("b", energy=energy_table(1.0), **counted())).empty)

        body = section.section(Facts(Campaign([cell]))).body

        self.assertIn('<td data-head="GPUs [kWh]" data-key="3.0" class=num>3</td>', body)
        self.assertIn('<td data-head="servers without GPUs [kWh]" data-key="0.5" class=num>0.5</td>', body)
        self.assertIn("Modelled, not measured", body)

    def test_energy_per_finished_job_is_a_metric(self):
        cell = cell_of("a", **counted(jobs=4, energy=800, energy_per_job=200))
        self.assertEqual(Facts(Campaign([cell])).values("energy_per_job")["a"][0], 200)


class Samples(WithResults):
    def test_what_a_device_does_not_give_is_not_a_number(self):
        rows = devices.samples(self.cells[1])
        self.assertEqual(len(rows), 402)
        self.assertTrue(rows.loc[rows["gpu"] == 4, "sm_activity"].isna().all())
        self.assertTrue(rows["sm_occupancy"].isna().all())
        self.assertTrue(devices.samples(self.cells[0]).empty)

    def test_means_are_per_device(self):
        found = load(self.folder).devices().set_index("gpu")
        self.assertEqual(found.index.tolist(), [0, 4])
        self.assertEqual(found["label"].tolist(), ["pack / shared"] * 2)
        self.assertAlmostEqual(found.loc[0, "sm_activity"], (101 * 40 + 100 * 60) / 201)
        self.assertEqual(found["power"].tolist(), [300, 100])
        self.assertEqual(found["samples"].tolist(), [201, 201])
        self.assertAlmostEqual(found.loc[0, "joules"], 300 * found.loc[0, "span"])
        self.assertTrue(np.isnan(found.loc[4, "joules"]))

    def test_bins_hold_the_mean_of_their_samples(self):
        found = devices.course(np.array([0.0, 1, 4]), np.array([2.0, 4, np.nan]),
                               np.array([0.0, 2, 5]))
        self.assertEqual(found[0], 3)
        self.assertTrue(np.isnan(found[1]))

    def test_the_report_has_a_curve_per_device_and_value(self):
        body = section.section(Facts(Campaign(self.cells))).body
        self.assertEqual(body.count("<figcaption>"), 4)  # utilisation, SMs, DRAM, power
        self.assertEqual(body.count("<title>GPU 0: machine, device 0</title>"), 4)
        self.assertEqual(body.count("<title>GPU 4: machine, device 1</title>"), 2)
        self.assertIn('<td data-head="power [W]" data-key="300.0" class=num>300</td>', body)

    def test_the_report_lists_jobs_only_where_all_energy_is_known(self):
        self.assertNotIn("Energy of finished jobs",
                         section.section(Facts(Campaign(self.cells))).body)
        samples = self.cells[1].table("device_samples")
        cell = cell_of("a", device_samples=samples[samples["gpu"] == 0], jobs=JOBS.assign(
            arrival=0.0, end=10.0, running=5.0, gang=1, jct=10.0, user="", virtual_cluster=""),
            energy=energy_table(800.0), **counted(energy=800))
        page = build(Campaign([cell]))
        self.assertIn("Energy of finished jobs: 160 J on average", page)  # (240 + 80) ÷ 2
        self.assertIn("30.0 %", page)
        self.assertEqual(Outline(page).problems, [])

    def test_the_report_says_why_there_are_no_samples(self):
        cell = cell_of("a", attributes={"device_samples_missing": "no <driver>"})
        self.assertIn("No physical device was sampled: no &lt;driver&gt;",
                      build(Campaign([cell])))


if __name__ == "__main__":
    unittest.main()
