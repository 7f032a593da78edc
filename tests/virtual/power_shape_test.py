#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Modelled power beside Zeus' measurements: power_shape_test.py MIMUS [unittest args].

You, Chung and Chowdhury, Zeus, NSDI'23: mean power of a GPU while it trains a model with a batch. Idle and busy
draw of each board are the ends of these measurements; what is tested is how power grows in between.
"""

import csv
import json
import os
import sys
import unittest
from collections import defaultdict
from pathlib import Path

import numpy as np

import properties_test
from properties_test import Folder, tables

SHARED = Path(os.environ.get("MIMUS_SHARED", "../shared")) / "data" / "zeus"
MODELS = {"resnet50": "resnet50", "bert_base_uncased": "bert-base", "ncf": "neumf", "deepspeech2": "deepspeech2"}
# Type, draw [W] of the measured board when the model hardly uses it and when it is always busy, its limit.
BOARDS = {"v100": ("V100", 38, 225, 250), "p100": ("P100", 33, 170, 250), "rtx6000": ("RTX6000", 56, 240, 260)}


@unittest.skipUnless(SHARED.is_dir(), "skipped: no shared data")
class PowerShape(unittest.TestCase):
    def errors(self, board):
        """Modelled / measured - 1 by network, for every batch at the board's highest limit."""
        gpu, idle, busy, limit = BOARDS[board]
        with open(SHARED / f"summary_power_{board}.csv", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file)
                    if float(row["power_limit"]) == limit and row["network"] in MODELS]
        jobs = [{"model": MODELS[row["network"]], "gang": 1, "batch": int(row["batch_size"]),
                 "duration": "30 min", "arrival": f"{i} d"} for i, row in enumerate(rows)]
        found = tables(self.folder.run(
            {"schema": 1, "name": "zeus", "record": "full", "workload": {"source": "jobs", "jobs": jobs},
             "cluster": {"nodes": 1, "gpus_per_node": 1, "gpu": gpu}, "policy": "fifo",
             "engine": {"kind": "virtual", "costs": {"start": "0 s"}}}, name=board)[0])
        self.assertEqual(len(found["jobs"]), len(rows))
        errors = defaultdict(list)
        for number, row in enumerate(rows):
            steps = found["steps"][found["steps"]["job"] == number]
            use = np.sum(steps["device_busy"] * steps["steps"]) / np.sum(steps["step_mean"] * steps["steps"])
            errors[row["network"]].append((idle + use * (busy - idle)) / float(row["average_power"]) - 1)
        return errors

    def test_power_grows_with_use_as_measured(self):
        self.folder = Folder(prefix="mimus-zeus-")
        self.addCleanup(self.folder.cleanup)
        found = {board: self.errors(board) for board in BOARDS}
        for board, errors in found.items():
            for network, values in errors.items():
                print(f"{board:8} {network:18} n {len(values):2}  mean {np.mean(values):+7.1%}  "
                      f"mean of absolute values {np.mean(np.abs(values)):6.1%}")
        everything = np.abs(np.concatenate([v for errors in found.values() for v in errors.values()]))
        print(f"all {len(everything)}: {np.mean(everything):.1%}, worst {np.max(everything):.1%}")
        self.assertGreater(len(everything), 100)
        self.assertLess(np.mean(everything), 0.18)
        # What keeps the GPU busy or waiting all the time hits the ends.
        for network in ("resnet50", "bert_base_uncased"):
            self.assertLess(np.mean(np.abs(found["v100"][network])), 0.03)


if __name__ == "__main__":
    properties_test.MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
