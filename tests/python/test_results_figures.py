# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of figures: cells, their names, and units."""

import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import pandas as pd

from mimus_results import read, slowdowns
from mimus_results.figures import goodput, interference, repetitions, style, timeline, utilisation
from mimus_results.report import svg
from mimus_results.report.sections import timeline as page_timeline
from in_memory import with_counts


def cell_of(label="c", repetition=0, status="complete", **tables):
    return read.Cell(Path(f"{label}-r{repetition}.h5"),
                     {"label": label, "repetition": repetition, "status": status},
                     with_counts(tables))


def drawn(draw, cells):
    """The figure that `draw` saves, and its notes."""
    kept = []

    def save(fig, folder, name, notes=()):
        kept.append(fig)
        return style.Drawing([], list(notes))
    with mock.patch.object(style, "save", save), tempfile.TemporaryDirectory() as folder:
        notes = draw(cells, Path(folder)).notes
    return kept[0], notes


def texts(fig):
    """The names in its legends."""
    legends = fig.legends + [axes.get_legend() for axes in fig.axes if axes.get_legend()]
    return [text.get_text() for legend in legends for text in legend.get_texts()]


def trained(label, repetition, status="complete"):
    steps = pd.DataFrame({"attempt": [0], "job": [0], "begin": [0.0], "end": [9.0 + repetition],
                          "steps": [10], "total_batch": [8], "step_modelled": [0.5],
                          "samples": [100.0], "progress_samples": [80.0]})
    spans = pd.DataFrame({"begin": [0.0], "end": [9.0 + repetition], "gpus": [2],
                          "gpus_held": [1], "gpus_allocated": [1.0]})
    return cell_of(label, repetition, status, steps=steps, utilisation=spans,
                   gpus=pd.DataFrame({"gpu": [0, 1], "node": [0, 0]}))


class CoursesOverTime(unittest.TestCase):
    CELLS = [trained("a", 0, "running"), trained("a", 1), trained("a", 2), trained("b", 0)]

    def test_the_first_complete_repetition_of_each_label_is_drawn_and_the_title_says_so(self):
        first = repetitions.first_of_label(self.CELLS)
        self.assertEqual([(label, cell.repetition) for label, cell in first.items()],
                         [("a", 1), ("b", 0)])
        for draw in (goodput.draw, utilisation.draw):
            fig, _ = drawn(draw, self.CELLS)
            self.assertEqual(texts(fig), ["a", "b"])
            self.assertIn(", first repetition", fig._suptitle.get_text())

    def test_without_repetitions_no_title_speaks_of_them(self):
        for draw in (goodput.draw, utilisation.draw):
            self.assertNotIn("repetition", drawn(draw, self.CELLS[2:])[0]._suptitle.get_text())


class JobsWithoutAModel(unittest.TestCase):
    CELL = cell_of("c", 3, jobs=pd.DataFrame({"job": [0], "model": [""]}),
                   totals=pd.DataFrame({"metric": ["jobs"], "group": ["all"], "value": [1.0]}),
                   gpus=pd.DataFrame({"gpu": [0], "node": [0]}),
                   placements=pd.DataFrame({"attempt": [0], "job": [0], "replica": [0],
                                            "node": [0], "gpu": [0], "lane": [0],
                                            "begin": [0.0], "end": [5.0]}))

    def test_have_a_name_in_timelines_which_name_their_repetition(self):
        fig, _ = drawn(timeline.draw, [self.CELL])
        self.assertEqual(texts(fig), ["run time"])
        self.assertIn("c (repetition 3)", fig.axes[0].get_title(loc="left"))
        models = []
        page_timeline.timeline_of(self.CELL, models)
        self.assertEqual(models, ["run time"])


class CoTenants(unittest.TestCase):
    def test_are_named_once_with_their_number(self):
        self.assertEqual(slowdowns.shorter("bert-base+bert-base+neumf"), "2 × bert-base + neumf")
        self.assertEqual(slowdowns.shorter("run time"), "run time")

    def test_of_many_sets_those_together_for_the_longest_are_drawn(self):
        groups = [f"bert-base beside {'+'.join(['neumf'] * count)}" for count in range(1, 21)]
        rows = [(metric, group, value) for at, group in enumerate(groups)
                for metric, value in (("pair_periods", 1.0), ("pair_seconds", 100.0 - at),
                                      ("slowdown_seconds", 150.0))]
        cell = cell_of(totals=pd.DataFrame(rows, columns=["metric", "group", "value"]))
        fig, notes = drawn(interference.draw, [cell])
        names = [text.get_text() for text in fig.axes[0].get_xticklabels()]
        self.assertEqual(len(names), interference.MOST_COLUMNS)
        self.assertIn("10 × neumf", names)
        self.assertIn("10 of 20 sets of co-tenants are drawn: those together with others for the "
                      "longest.", notes)


class Axes(unittest.TestCase):
    def test_no_number_stands_over_another_nor_beyond_the_picture(self):
        for high in (60_000, 99_000, 161_956, 1_000_001, 5e9):
            chart = svg.Chart(svg.log_ratios(0.02, high, "ρ"), svg.linear(0, 1, "share of jobs"))
            ticks = re.findall(r'<text class="tick" x="([0-9.]+)" y="222" '
                               r'text-anchor="(\w+)">(.*?)</text>', chart.drawn())
            # Letters are 7.4 units wide.
            spans = [(float(x) - 7.4 * len(label) * {"middle": 0.5, "end": 1}[anchor],
                      float(x) + 7.4 * len(label) * {"middle": 0.5, "end": 0}[anchor])
                     for x, anchor, label in ticks]
            self.assertGreater(len(spans), 4)
            self.assertLessEqual(spans[-1][1], svg.WIDTH)
            for (_, end), (begin, _) in zip(spans, spans[1:]):
                self.assertGreaterEqual(begin, end)


if __name__ == "__main__":
    unittest.main()
