# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes that take no jobs, in timelines."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import pandas as pd

from mimus_results import load_cell
from mimus_results.figures import node_states, style, timeline
from mimus_results.report.sections.timeline import timeline_of
from test_report_page import cell_of
from test_results_figures import drawn

MIMUS = os.environ.get("MIMUS")
CAMPAIGN = """
schema: 1
name: outages
cluster: {nodes: 2, gpus_per_node: 1, gpu: T4, outages: [{node: 0, down: 100 s, up: 160 s}]}
workload: {source: jobs, jobs: [{run_time: 300 s}, {run_time: 600 s}]}
policy: {recovery: {name: retry, retries: 5, quarantine: {after: 1, for: 200 s}}}
engine: {kind: virtual, step_time: duration}
record: jobs
"""
PLACEMENTS = pd.DataFrame([(0, 0, 0, 0, 0, 0, 0.0, 100.0), (1, 1, 0, 1, 2, 2, 0.0, 50.0)],
                          columns=["attempt", "job", "replica", "node", "gpu", "lane", "begin", "end"])
GPUS = pd.DataFrame({"gpu": [0, 1, 2], "node": [0, 0, 1]})
STATES = pd.DataFrame([(0, "down", 80.0, 90.0), (1, "asleep", 50.0, 70.0), (1, "booting", 70.0, 80.0)],
                      columns=node_states.COLUMNS)


def cell():
    return cell_of("a", placements=PLACEMENTS, gpus=GPUS, node_states=STATES)


class Timelines(unittest.TestCase):
    def test_the_page_gets_the_spans_and_the_names_of_states(self):
        shown = timeline_of(cell(), [])

        nodes, tick = shown["nodes"], shown["tick"]
        names = list(node_states.NAMES)
        found = [(node, names[state], round(begin * tick), round(length * tick)) for node, state, begin, length
                 in zip(nodes["node"], nodes["state"], nodes["begin"], nodes["length"])]
        self.assertEqual(found, [(1, "asleep", 50, 20), (1, "booting", 70, 10), (0, "down", 80, 10)])

    def test_the_figure_draws_them_over_all_gpus_of_the_node_and_names_them(self):
        fig, _ = drawn(timeline.draw, [cell()])
        axes = fig.axes[0]

        legend = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(legend[-3:], ["node asleep", "node booting", "node down"])
        boxes = [path.get_extents() for collection in axes.collections for path in collection.get_paths()]
        self.assertIn((80, 90, -0.5, 1.5), [(box.x0, box.x1, box.y0, box.y1) for box in boxes])

    def test_cells_of_nodes_that_are_always_on_have_none(self):
        found = cell_of("a", placements=PLACEMENTS, gpus=GPUS)

        self.assertEqual(timeline_of(found, [])["nodes"], {"node": [], "state": [], "begin": [], "length": []})
        fig, _ = drawn(timeline.draw, [found])
        self.assertEqual(len(fig.axes[0].get_legend().get_texts()), 1)

    @unittest.skipUnless(MIMUS, "MIMUS is not set")
    def test_files_have_them_when_jobs_are_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "outages.yaml").write_text(CAMPAIGN)
            subprocess.run([MIMUS, "run", "outages.yaml", "-q", "-o", "out"], cwd=folder, check=True,
                           capture_output=True)
            path, = (Path(folder) / "out").glob("*.h5")
            found = node_states.spans(load_cell(path))
            rows = [tuple(row) for row in found.itertuples(index=False)]

        self.assertEqual(rows, [(0, "quarantined", 100, 300), (0, "down", 100, 160)])


class Units(unittest.TestCase):
    def test_energies_have_units_in_which_they_are_short(self):
        for joules, unit in ((500, "J"), (5e5, "kJ"), (3.6e7, "kWh"), (7.2e10, "MWh")):
            divisor, found = style.energy_unit(joules)
            self.assertEqual(found, unit)
            self.assertLess(joules / divisor, 1000)


if __name__ == "__main__":
    unittest.main()
