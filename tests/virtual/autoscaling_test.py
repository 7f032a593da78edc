#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Pollux' experiments beside its workloads: autoscaling_test.py MIMUS [unittest args].

Qiao et al., OSDI'21, section 5.4, on the measured trainings of its artifact. Auto-scaling, by goodput
against by throughput: up to 16 nodes of 4 T4, changes cost nothing, nodes are paid for while they are
held. Hyper-parameter search, against fixed gangs and batches.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy

MIMUS = None
LIMIT_S = 200
PRICE = 0.5  # of a GPU hour
POLLUX = Path(os.environ.get("MIMUS_SHARED",
                             Path(__file__).resolve().parents[2] / ".." / "shared")) / "data/pollux"
CONFIGS = Path(__file__).resolve().parents[2] / "configs"
FREE = {key: "0 s" for key in ("start", "checkpoint", "restore", "migrate", "resize")}


@unittest.skipUnless(POLLUX.is_dir(), f"skipped: {POLLUX} is not there")
class AutoScaling(unittest.TestCase):
    def run_job(self, by):
        """(hours, node hours) of 90 epochs."""
        planner = {"name": "node_scaling", "by": by, "round": "60 s", "resize": "in_place"}
        document = {
            "schema": 1, "name": "autoscaling", "record": "jobs",
            "cluster": {"nodes": 16, "gpus_per_node": 4, "gpu": "T4", "network": "50 Gbit/s",
                        "price_per_gpu_hour": {"T4": PRICE}},
            "workload": {"source": "jobs", "jobs": [
                {"model": "resnet50", "gang": 4, "batch": 200, "samples": 115305119}]},
            "policy": {"planner": planner, "placement": "most_free", "estimate": "profile",
                       "batch": {"name": "goodput", "first": "reference", "gain": 1,
                                 "interval": "60 s"}},
            "engine": {"kind": "virtual", "costs": FREE, "report_every": "60 s",
                       "step_time": {"name": "measured", "path": str(POLLUX)}}}
        with tempfile.TemporaryDirectory(prefix="mimus-autoscaling-") as name:
            file = Path(name) / "autoscaling.yaml"
            file.write_text(json.dumps(document), encoding="utf-8")
            done = subprocess.run([MIMUS, "run", str(file), "-o", f"{name}/out"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(next(Path(f"{name}/out").glob("*.h5"))) as result:
                attempts, jobs = result["attempts"][:], result["jobs"][:]
                figures = dict(zip(result["figures"]["metric"], result["figures"]["value"]))
        self.assertEqual(jobs["outcome"][0], b"finished")
        self.nodes = [int(gpus) // 4 for gpus in attempts["replicas"]]
        held = ((attempts["end"] - attempts["begin"]) * attempts["replicas"]).sum()
        self.assertAlmostEqual(figures[b"cost_held"], PRICE * float(held) / 3600, places=6)
        return float(jobs["jct"][0]) / 3600, float(held) / 4 / 3600

    def test_goodput_costs_a_fifth_less_than_throughput_and_takes_a_little_longer(self):
        hours, node_hours = self.run_job("goodput")
        self.assertEqual(self.nodes, sorted(self.nodes))
        self.assertEqual(self.nodes[0], 1)
        self.assertEqual(self.nodes[-1], 16)
        faster, dearer = self.run_job("throughput")
        self.assertEqual(self.nodes[-1], 16)
        print(self.nodes, f"{hours:.3f} h, {node_hours:.2f} node h; {faster:.3f} h, {dearer:.2f} node h")
        self.assertAlmostEqual(node_hours / dearer, 0.813, delta=0.02)
        self.assertAlmostEqual(hours / faster, 1.049, delta=0.02)


class ClusterAutoScaling(unittest.TestCase):
    """configs/autoscale-twin.yaml: a cluster of four nodes with two GPUs each, and one that grows and shrinks."""

    def test_nodes_that_are_not_in_use_cost_nothing_and_hold_no_job(self):
        with tempfile.TemporaryDirectory(prefix="mimus-cluster-") as name:
            done = subprocess.run([MIMUS, "run", str(CONFIGS / "autoscale-twin.yaml"), "-o", name, "--engine",
                                   "virtual", "--set", "record=full"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            fixed, scaled = (self.read(path) for path in sorted(Path(name).glob("*.h5")))
        self.assertTrue(numpy.isnan(fixed["figures"]["node_hours"]))
        figures, nodes, states = scaled["figures"], scaled["nodes"], scaled["node_states"]
        awake = float((nodes["on"] + nodes["booting"]).sum()) / 3600
        self.assertAlmostEqual(figures["node_hours"], awake, places=6)
        self.assertAlmostEqual(figures["cost_powered"], awake * 2 * 0.35, places=6)
        self.assertLess(figures["cost_powered"], fixed["figures"]["cost_powered"])
        self.assertGreater(figures["jct_mean"], fixed["figures"]["jct_mean"])
        # After the first job has come one node is in use, then more and fewer; node 0 never sleeps.
        self.assertEqual(set(states["node"]), {1, 2, 3})
        asleep = states[states["state"] == b"asleep"]
        self.assertGreater(len(asleep), 3)
        boots = states[states["state"] == b"booting"]
        numpy.testing.assert_allclose(boots["end"] - boots["begin"], 90)
        for row in asleep:
            there = scaled["placements"][scaled["placements"]["node"] == row["node"]]
            overlap = (there["begin"] < row["end"] - 1e-6) & (there["end"] > row["begin"] + 1e-6)
            self.assertFalse(overlap.any(), row)

    @staticmethod
    def read(path):
        with h5py.File(path) as result:
            found = {table: result[table][:] for table in ("nodes", "node_states", "placements", "jobs", "attempts")}
            found["figures"] = {name.decode(): value for name, value, *_ in result["figures"][:]}
        return found


@unittest.skipUnless(POLLUX.is_dir(), f"skipped: {POLLUX} is not there")
class HyperParameterSearch(unittest.TestCase):
    """100 trials, four at a time. A trial alone takes 37.9 minutes on 4 GPUs with 128 images, 18.3
    with batches by goodput, without start-up and waits for a round, by another program.
    """

    def test_pollux_is_a_fifth_faster_than_fixed_gangs(self):
        with tempfile.TemporaryDirectory(prefix="mimus-search-") as name:
            done = subprocess.run([MIMUS, "run", str(CONFIGS / "pollux-hpo.yaml"), "-o", name, "--set",
                                   "repetitions=1"], capture_output=True, text=True, timeout=LIMIT_S,
                                  env={**os.environ, "MIMUS_SHARED": str(POLLUX.parents[1])})
            self.assertEqual(done.returncode, 0, done.stderr)
            hours = {}
            for path in Path(name).glob("*.h5"):
                with h5py.File(path) as result:
                    jobs = result["jobs"][:]
                    hours[result.attrs["label"]] = jobs["end"].max() / 3600
                self.assertEqual({row["outcome"] for row in jobs}, {b"finished"})
                for arrival in numpy.unique(jobs["arrival"]):
                    present = (jobs["arrival"] <= arrival) & (jobs["end"] > arrival)
                    self.assertLessEqual(present.sum(), 4)
        fixed = hours["fifo"]
        self.assertAlmostEqual(fixed, 25 * 37.9 / 60, delta=0.05 * fixed)
        self.assertLess(hours["pollux"], 0.8 * fixed)
        self.assertGreater(hours["pollux"], 25 * 18.3 / 60)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
