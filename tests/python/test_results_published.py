# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures beside those that others print: which rows there are, and how far they are apart."""

import json
import unittest
from pathlib import Path
from types import SimpleNamespace

from mimus_results import compare, metrics, published, read
from mimus_results.report.sections import published as section
from in_memory import figures_of, with_counts


def cell_of(policy, repetition, jct, known):
    figures = figures_of(jobs=2, jobs_finished=2, jct_mean=jct, makespan=20)
    attributes = {"cell": policy, "label": policy, "seed": repetition, "repetition": repetition,
                  "status": "complete", "engine": "virtual", "published": known,
                  "swept": json.dumps({"policy": policy})}
    return read.Cell(Path(f"{policy}-{repetition}.h5"), attributes,
                     with_counts({"figures": figures}))


OF_LAS = json.dumps([{"figure": "jct_mean", "value": 100.0, "source": "a paper"},
                     {"figure": "jct_p99", "value": 1.0, "source": "a paper"}])


def cells():
    return [cell_of("fifo", 0, 80, "[]"), cell_of("las", 0, 108, OF_LAS),
            cell_of("las", 1, 112, OF_LAS)]


def beside(found):
    return published.beside(found, compare.intervals(metrics.frame(found)))


class Published(unittest.TestCase):
    def test_a_row_says_mean_and_difference(self):
        row, = beside(cells()).to_dict("records")
        self.assertEqual((row["label"], row["metric"], row["unit"], row["mean"], row["published"],
                          row["repetitions"], row["source"]),
                         ("las", "jct_mean", "s", 110.0, 100.0, 2, "a paper"))
        self.assertAlmostEqual(row["difference"], 0.1)

    def test_the_report_shows_them_side_by_side(self):
        found = cells()
        body = section.section(SimpleNamespace(complete=found, metrics=metrics.frame(found))).body
        self.assertIn("+10.0 %", body)
        self.assertIn("a paper", body)

    def test_without_any_the_report_says_so(self):
        found = cells()[:1]
        body = section.section(SimpleNamespace(complete=found, metrics=metrics.frame(found))).body
        self.assertIn("names no published figures", body)

    def test_a_damaged_attribute_is_as_none(self):
        for text in ("", "[", '{"a": 1}', '[{"figure": "jct_mean"}]'):
            self.assertTrue(beside([cell_of("las", 0, 1, text)]).empty, text)


if __name__ == "__main__":
    unittest.main()
