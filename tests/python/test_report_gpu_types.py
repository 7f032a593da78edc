# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The table of GPU types: means over repetitions, and no figure where none is known."""

import re
import unittest

import pandas as pd

from mimus_results import Campaign, step_times
from mimus_results.figures import timeline
from mimus_results.report import build
from mimus_results.report.sections.timeline import timeline_of
from test_report_page import cell_of, counted
from test_results_figures import drawn


def typed(label, number, held, **energy):
    """A cell with four V100s and two T4s; only V100s ran jobs: four, which waited for 480 s."""
    tables = counted()
    by_type = {("type_gpus", "V100"): 4, ("type_held_seconds", "V100"): 3600 * held,
               ("type_busy_seconds", "V100"): 1800, ("type_jobs", "V100"): 4,
               ("type_queueing", "V100"): 1920, ("type_gpus", "T4"): 2, ("type_held_seconds", "T4"): 0,
               ("type_busy_seconds", "T4"): 0, ("type_jobs", "T4"): 0, ("type_queueing", "T4"): 0,
               **{("type_energy", name): joules for name, joules in energy.items()}}
    rows = pd.DataFrame([(metric, name, float(value)) for (metric, name), value in by_type.items()],
                        columns=tables["totals"].columns)
    return cell_of(label, number, **{**tables, "totals": pd.concat([tables["totals"], rows])})


def rows_of(page):
    part = re.search('<section id="gpu-types".*?</section>', page, re.DOTALL).group(0)
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)]
            for row in rows if "<td" in row]


class GpuTypes(unittest.TestCase):
    def test_each_type_has_a_row_of_means_over_repetitions(self):
        page = build(Campaign([typed("a", 0, held=2, V100=3.6e6), typed("a", 1, held=4, V100=7.2e6)]))
        self.assertEqual(rows_of(page), [["a", "V100", "4", "3", "0.5", "1.5", "4", "480"],
                                         ["a", "T4", "2", "0", "0", "–", "0", "–"]])
        self.assertIn("mean wait [s]", page)

    def test_steps_of_a_model_are_compared_between_types(self):
        cell = cell_of(
            "a", jobs=pd.DataFrame({"job": [0, 1], "model": "resnet50", "gang": [2, 1]}),
            attempts=pd.DataFrame({"attempt": [0, 1], "job": [0, 1], "replicas": [2, 1],
                                   "gpu_type": ["V100", "T4"]}),
            steps=pd.DataFrame({"attempt": [0, 0, 1], "job": [0, 0, 1], "steps": [10, 30, 5],
                                "step_mean": [0.1, 0.2, 0.8], "total_batch": [64, 128, 32]}))

        times = step_times.by_type(cell)

        self.assertEqual(times["gpu_type"].tolist(), ["T4", "V100"])
        self.assertEqual(times["step_time"].tolist(), [0.8, 0.175])  # (10 x 0.1 + 30 x 0.2) / 40
        self.assertEqual(times["samples_per_gpu"].round(6).tolist(),
                         [40.0, 320.0])  # (10 x 64 + 30 x 128) / 14 GPU s

    def test_timelines_name_the_type_of_each_gpu(self):
        gpus = pd.DataFrame({"gpu": [0, 1, 2], "node": [0, 0, 1], "type": ["V100", "V100", "T4"]})
        placements = pd.DataFrame({"attempt": [0], "job": [0], "node": [1], "gpu": [2], "lane": [2],
                                   "begin": [0.0], "end": [9.0]})
        cell = cell_of("a", gpus=gpus, placements=placements)
        fig, _ = drawn(timeline.draw, [cell])

        self.assertEqual([tick.get_text() for tick in fig.axes[0].get_yticklabels()],
                         ["V100 · node 0 · GPU 0", "V100 · node 0 · GPU 1", "T4 · node 1 · GPU 2"])
        self.assertEqual(timeline_of(cell, [])["type"], ["V100", "V100", "T4"])
        alike = cell_of("a", gpus=gpus.assign(type="T4"), placements=placements)
        self.assertEqual(timeline_of(alike, [])["type"], [])

    def test_a_campaign_on_one_type_says_so(self):
        page = build(Campaign([cell_of("a", **counted())]))
        self.assertIn("No complete cell has GPUs of several types.", page)


if __name__ == "__main__":
    unittest.main()
