# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Allocation and fragmentation over what jobs have asked for."""

import tempfile
import unittest
from pathlib import Path

import pandas as pd

from mimus_results import allocation, frames, read
from mimus_results.figures import allocation as figure
from in_memory import with_counts


def cell(label, rows):
    """Of a cluster of 10 GPUs: rows of requested, allocated and fragmented GPUs."""
    table = pd.DataFrame([(float(at), requested, allocated, fragmented, 10, at, 0)
                          for at, (requested, allocated, fragmented) in enumerate(rows)],
                         columns=["time", "requested", "allocated", "fragmented", "gpus", "arrived",
                                  "rejected"])
    return read.Cell(Path(f"{label}.h5"), {"label": label, "status": "complete"},
                     with_counts({"allocation": table}))


class Allocation(unittest.TestCase):
    def test_shares_are_of_all_and_of_idle_gpus(self):
        rows = allocation.shares(cell("a", [(5.0, 4.0, 3.0), (20.0, 10.0, 0.0)]))
        self.assertEqual(rows["requested_share"].tolist(), [0.5, 2.0])
        self.assertEqual(rows["allocated_share"].tolist(), [0.4, 1.0])
        self.assertEqual(rows["fragmented_share"].tolist(), [0.3, 0.0])
        self.assertEqual(rows["fragmented_of_idle"][0], 0.5)
        self.assertTrue(pd.isna(rows["fragmented_of_idle"][1]))  # no GPU is idle

    def test_means_have_students_interval_over_repetitions(self):
        rows = allocation.means([cell("a", [(5.0, 4.0, 3.0)]), cell("a", [(5.01, 5.0, 3.0)])])
        row = rows.set_index("share").loc["allocated_share"]
        self.assertAlmostEqual(row["requested"], 0.5)
        self.assertAlmostEqual(row["mean"], 0.45)
        self.assertAlmostEqual(row["high"] - row["mean"], 12.7062 * 0.05, places=4)

    def test_cells_without_the_table_are_left_out(self):
        empty = read.Cell(Path("e.h5"), {"label": "e"}, with_counts({}))
        self.assertTrue(allocation.means([empty]).empty)
        self.assertEqual(set(allocation.means([empty, cell("a", [(5.0, 4.0, 3.0)])])["label"]), {"a"})
        with tempfile.TemporaryDirectory() as folder:
            files, notes = figure.draw([empty], Path(folder))
            self.assertFalse(files)
            self.assertTrue(notes)

    def test_the_frame_has_units_and_the_figure_is_drawn(self):
        cells = [cell("a", [(0.0, 0.0, 1.0), (5.0, 4.0, 3.0)]), cell("b", [(5.0, 5.0, 1.0)])]
        frame = frames.allocation_of(cells)
        self.assertEqual(frame.attrs["units"]["requested"], "GPUs")
        self.assertEqual(len(frame), 3)
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(figure.draw(cells, Path(folder)).files)


if __name__ == "__main__":
    unittest.main()
