# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes that are on over time, and their price."""

import unittest
from pathlib import Path

import pandas as pd

from mimus_results import frames, nodes, read
from in_memory import with_counts


def cell(states, prices=(1.0, 1.0, 2.0, 2.0, 4.0, 4.0)):
    """Three nodes of two GPUs over 100 s; states: (node, state, begin, end)."""
    spans = pd.DataFrame(states, columns=["node", "state", "begin", "end"])
    lengths = spans["end"] - spans["begin"]
    of = {state: lengths[spans["state"] == state].groupby(spans["node"]).sum().reindex(range(3)).fillna(0.0)
          for state in ("asleep", "booting")}
    whole = pd.DataFrame({"node": range(3), "on": 100.0 - of["asleep"] - of["booting"],
                          "booting": of["booting"], "asleep": of["asleep"]})
    gpus = pd.DataFrame({"node": [0, 0, 1, 1, 2, 2], "price": prices[:6]})
    return read.Cell(Path("a.h5"), {"label": "a", "status": "complete"},
                     with_counts({"node_states": spans, "nodes": whole, "gpus": gpus}))


class Nodes(unittest.TestCase):
    def test_counts_and_prices_follow_the_states(self):
        found = nodes.counts(cell([(1, "asleep", 10.0, 60.0), (2, "asleep", 20.0, 100.0),
                                   (1, "booting", 60.0, 70.0)]))
        self.assertEqual(found["begin"].tolist(), [0, 10, 20, 60, 70])
        self.assertEqual(found["end"].tolist(), [10, 20, 60, 70, 100])
        self.assertEqual(found["on"].tolist(), [3, 2, 1, 1, 2])
        self.assertEqual(found["booting"].tolist(), [0, 0, 0, 1, 0])
        self.assertEqual(found["asleep"].tolist(), [0, 1, 2, 1, 1])
        self.assertEqual(found["price"].tolist(), [14, 10, 2, 6, 6])

    def test_nodes_that_never_sleep_are_one_span(self):
        found = nodes.counts(cell([]))
        self.assertEqual(found.to_dict("records"), [{"begin": 0, "end": 100, "on": 3, "booting": 0,
                                                     "asleep": 0, "price": 14}])

    def test_a_price_that_is_not_stated_is_not_known(self):
        found = nodes.counts(cell([(1, "asleep", 10.0, 60.0)], prices=(-1.0,) * 6))
        self.assertTrue(found["price"].isna().all())
        self.assertEqual(found["asleep"].tolist(), [0, 1, 0])

    def test_the_frame_has_units_and_leaves_out_cells_without_the_table(self):
        empty = read.Cell(Path("e.h5"), {"label": "e", "status": "complete"}, with_counts({}))
        frame = frames.nodes_of([cell([(0, "asleep", 5.0, 6.0)]), empty])
        self.assertEqual(frame.attrs["units"]["price"], "1/h")
        self.assertEqual(set(frame["label"]), {"a"})


if __name__ == "__main__":
    unittest.main()
