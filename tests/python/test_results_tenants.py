# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What tenants read, and what the cache was worth to them."""

import unittest
from pathlib import Path

import pandas as pd

from mimus_results import frames, read
from in_memory import with_counts


class Tenants(unittest.TestCase):
    def test_each_has_its_hit_ratio_speed_up_and_share(self):
        table = pd.DataFrame([("a", 1.0, 30.0, 20.0, 5.0, 10.0, 8.0, 4.0),
                              ("idle", 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)],
                             columns=["tenant", "weight", "read", "hit", "worth", "worth_alone", "speed",
                                      "speed_uncached"])
        cell = read.Cell(Path("a.h5"), {"label": "a", "status": "complete"},
                         with_counts({"tenants": table}))

        rows = frames.tenants([cell]).set_index("tenant")

        self.assertAlmostEqual(rows.loc["a", "hit_ratio"], 2 / 3)
        self.assertEqual(rows.loc["a", "speedup"], 2)
        self.assertEqual(rows.loc["a", "share"], 0.5)
        self.assertTrue(rows.loc["idle", ["hit_ratio", "speedup", "share"]].isna().all())
        self.assertEqual(frames.tenants([cell]).attrs["units"]["read"], "B")

    def test_cells_without_the_table_have_none(self):
        empty = read.Cell(Path("e.h5"), {"label": "e"}, with_counts({}))
        self.assertTrue(frames.tenants([empty]).empty)


if __name__ == "__main__":
    unittest.main()
