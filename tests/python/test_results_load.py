# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures over a swept load: coordinates of labels, marks, sizes for papers."""

import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import matplotlib.image

from mimus_results import figures, metrics, read
from mimus_results.figures import grid, load, style
from mimus_results.report.sections import load as section
from in_memory import figures_of, with_counts


def cell_of(at, policy, repetition=0, late=0.0):
    """A live cell with two jobs whose mean JCT is ten times the load, plus one second per run."""
    jct = 10 * at + repetition
    figures = figures_of(jobs=2, jobs_finished=2, jct_mean=jct, queueing_mean=1, gpu_allocated=0.5,
                         makespan=20, goodput_normalised=0.5, late_share=late)
    attributes = {"cell": f"{at}-{policy}", "label": f"load={at} / {policy}", "seed": repetition,
                  "repetition": repetition, "status": "complete", "engine": "live",
                  "swept": json.dumps({"workload.load": str(at), "policy": policy})}
    return read.Cell(Path(f"{at}-{policy}-{repetition}.h5"), attributes,
                     with_counts({"figures": figures}))


def sweep(**late):
    return [cell_of(at, policy, k, late.get(policy, 0.0)) for at in (0.5, 0.7, 0.9)
            for policy in ("fifo", "las") for k in range(3)]


class Load(unittest.TestCase):
    def draw(self, cells, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return figures.draw(cells, Path(folder.name), ["load"], ["png"], **options)["load"]

    def test_policies_are_curves_over_the_load(self):
        found = load.sweep_of(sweep())
        self.assertEqual((found.path, found.curves), ("workload.load", ["fifo", "las"]))
        rows = figures.load.compare.intervals(metrics.frame(sweep()))
        points = load.points(rows[rows["metric"] == "jct_mean"], found, "las")
        self.assertEqual(points["at"].tolist(), [0.5, 0.7, 0.9])
        self.assertEqual(points["mean"].tolist(), [6.0, 8.0, 10.0])
        self.assertAlmostEqual(points["half_width"].iloc[0], 2.484138, places=6)

    def test_the_report_draws_a_curve_and_a_band_per_policy(self):
        facts = SimpleNamespace(complete=sweep(), metrics=metrics.frame(sweep()))
        body = section.section(facts).body
        charts = body.split("<figcaption>")[1:]
        self.assertEqual(charts[0][:8], "mean JCT")
        self.assertEqual([charts[0].count(f'<path class="{kind}') for kind in ("line", "band")],
                         [2, 2])

    def test_a_curve_through_a_late_cell_is_marked(self):
        cells = sweep(las=0.02)
        facts = SimpleNamespace(complete=cells, metrics=metrics.frame(cells))
        with style.drawn_with(style.Settings(late={"load=0.7 / las"})):
            body = section.section(facts).body
            found = load.sweep_of(cells)
            self.assertEqual([found.marked(name) for name in found.curves], ["fifo", "las (late)"])
        self.assertIn("las (late)", body)
        self.assertNotIn("fifo (late)", body)

    def test_two_values_are_no_curve(self):
        drawing = self.draw([cell for cell in sweep() if "load=0.9" not in cell.label])
        self.assertEqual(drawing.files, [])
        self.assertIn("No number was swept with 3 values", drawing.notes[0])

    def test_figures_have_the_width_that_is_asked_for(self):
        for width in (3.4, 7.0):
            file, = self.draw(sweep(), width=width, font_size=7).files
            self.assertAlmostEqual(matplotlib.image.imread(file).shape[1] / 150, width, delta=0.02)

    def test_late_labels_are_named_and_marked(self):
        self.assertIn("Late, as the host could not keep the pace: load=0.5 / las, load=0.7 / las, "
                      "load=0.9 / las.", self.draw(sweep(las=0.02)).notes)
        self.assertFalse(any("Late" in note for note in self.draw(sweep(las=0.01)).notes))
        with style.drawn_with(style.Settings(late=["load=0.5 / las"])):
            self.assertEqual(style.marked("load=0.5 / las"), "load=0.5 / las (late)")
            self.assertEqual(style.marked("load=0.5 / fifo"), "load=0.5 / fifo")

    def test_timelines_of_many_cells_are_drawn_on_request_only(self):
        with tempfile.TemporaryDirectory() as folder:
            cells = sweep()
            drawing = figures._drawn("timeline", cells, Path(folder), False, [])
            self.assertIn("18 cells: --only timeline", drawing.notes[0])
            asked = figures._drawn("timeline", cells, Path(folder), True, [])
            self.assertIn("no placements were recorded", asked.notes[0])


class Panels(unittest.TestCase):
    def test_no_panel_stands_alone_in_its_row(self):
        for count in range(1, 25):
            columns = style.columns_for(count, 3)
            self.assertTrue(count <= 3 or count % columns != 1, (count, columns))

    def test_loads_are_panels_and_policies_curves_whichever_are_more(self):
        labels = [f"load={at / 10} / {policy}" for at in range(1, 6) for policy in ("a", "b", "c")]
        found = grid.panels(labels)
        self.assertEqual([panel.title for panel in found], [f"load={at / 10}" for at in range(1, 6)])
        self.assertEqual(list(found[0].curves), ["a", "b", "c"])

    def test_lines_and_bars_differ_in_black_and_white(self):
        names = [f"policy {k}" for k in range(24)]
        for looks, key in ((style.lines(names), "linestyle"),
                           (style.ordered_fills(names), "hatch")):
            colour = "color" if key == "linestyle" else "facecolor"
            self.assertEqual(len({(look[colour], look[key]) for look in looks.values()}), 24)
            self.assertEqual(len({look[key] for look in list(looks.values())[:4]}), 4)


if __name__ == "__main__":
    unittest.main()
