#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Failures by wall time, nodes that fail by chance, and quarantine: failures_test.py MIMUS [unittest arguments]."""

import sys
import unittest

import h5py
import numpy as np

import properties_test
from properties_test import Folder

DAY = 86400.0


def campaign(jobs, cluster=None, recovery=None, **engine):
    return {"schema": 1, "name": "failures", "record": "full", "seed": 3,
            "cluster": {"nodes": 2, "gpus_per_node": 2, "gpu": "T4", **(cluster or {})},
            "workload": {"source": "jobs", "jobs": jobs},
            "policy": {"recovery": recovery or {"name": "retry", "retries": 1000}},
            "engine": {"kind": "virtual", "step_time": "duration", "interference": "none", **engine}}


class Failures(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-failures-")
        self.addCleanup(self.folder.cleanup)

    def run_one(self, document, *arguments, name="run"):
        path, = self.folder.run(document, *arguments, name=name)
        with h5py.File(path, "r") as file:
            return {table: file[table][:] for table in ("jobs", "attempts", "events")}

    def ends_of(self, tables):
        rows = sorted(tables["attempts"], key=lambda row: row["begin"])
        return [(row["reason"].decode(), round(float(row["end"] - row["begin"]), 6)) for row in rows]

    def test_a_share_of_the_work_comes_sooner_on_a_faster_gpu_and_a_time_does_not(self):
        """CPU out of memory after 13.45 min of 60 min, on a GPU that is twice as fast."""
        job = {"run_time": "60 min", "gpu_types": ["V100"], "rates": "K80:1;V100:2"}
        groups = {"groups": [{"nodes": 1, "gpus_per_node": 1, "gpu": "K80"},
                             {"nodes": 1, "gpus_per_node": 1, "gpu": "V100"}]}
        for name, strikes, minutes in (("share", {"at": 13.45 / 60}, 6.725), ("time", {"after": "13.45 min"}, 13.45)):
            document = campaign([{**job, "failures": [strikes]}])
            document["cluster"] = groups
            ends = self.ends_of(self.run_one(document, name=name))
            self.assertEqual(ends, [("failed", round(minutes * 60, 6)), ("finished", 1800.0)])

    def test_a_time_that_recurs_is_drawn_for_every_attempt(self):
        """An attempt of 300 s gets through with probability exp(-3) where the mean time to failure is 100 s."""
        jobs = [{"run_time": "300 s", "failures": [{"after": "100 s", "recurs": True, "reason": "MPI error"}]}] * 60
        document = campaign(jobs, {"nodes": 1, "gpus_per_node": 64})
        tables = self.run_one(document)
        ends = self.ends_of(tables)
        failed = [span for reason, span in ends if reason == "failed"]
        self.assertEqual([reason for reason, _ in ends].count("finished"), 60)
        self.assertLess(max(failed), 300.0)
        self.assertGreater(len(set(failed)), 0.99 * len(failed))
        self.assertLess(abs(np.log(len(ends) / 60) - 3), 0.35)  # of 60 geometric draws: 0.13
        self.assertEqual(ends, self.ends_of(self.run_one(document, name="again")))

    def test_a_share_that_recurs_ends_the_job_when_retries_do(self):
        jobs = [{"run_time": "100 s", "failures": [{"at": 0.25, "recurs": True}]}]
        tables = self.run_one(campaign(jobs, recovery={"name": "retry", "retries": 3}))
        self.assertEqual(self.ends_of(tables), [("failed", 25.0)] * 4)
        self.assertEqual(tables["jobs"]["outcome"][0], b"failed")

    def test_nodes_fail_as_often_as_stated(self):
        cluster = {"nodes": 50, "gpus_per_node": 1,
                   "node_failures": {"mean_time_between": "9 d", "repair": "1 d"}}
        tables = self.run_one(campaign([{"run_time": "400 d", "gang": 1}], cluster, until="400 d"))
        downs = [row for row in tables["events"] if row["kind"] == b"node_down"]
        ups = [row for row in tables["events"] if row["kind"] == b"node_up"]
        self.assertLess(abs(len(downs) / (50 * 400 / 10) - 1), 0.06)
        self.assertLessEqual(len(downs) - len(ups), 50)
        lost = [row for row in tables["attempts"] if row["reason"] == b"node_down"]
        self.assertGreater(len(lost), 20)  # by one in nine days
        self.assertEqual({row["detail"] for row in lost} & {b""}, set())

    def test_quarantine_takes_out_nodes_with_faults(self):
        tables = {}
        for name, keys in (("off", {}), ("on", {"quarantine": {"after": 2, "within": "1 h", "for": "1 d"}})):
            cluster = {"nodes": 10, "gpus_per_node": 1,
                       "node_failures": {"mean_time_between": "20 d", "repair": "1 d", "faulty": 1,
                                         "faults_every": "10 min"}}
            jobs = [{"run_time": "2 h", "arrival": f"{i} h"} for i in range(1000)]
            tables[name] = self.run_one(campaign(jobs, cluster, {"name": "retry", "retries": 1000, **keys}), name=name)
        failed = {name: sum(row["reason"] == b"failed" for row in rows["attempts"]) for name, rows in tables.items()}
        kinds = {name: [row["kind"] for row in rows["events"]] for name, rows in tables.items()}
        self.assertEqual(kinds["off"].count(b"node_quarantined"), 0)
        self.assertEqual(kinds["off"].count(b"node_fault"), failed["off"])
        self.assertGreater(kinds["on"].count(b"node_quarantined"), 3)
        self.assertLess(failed["on"], 0.1 * failed["off"], failed)
        self.assertLess(tables["on"]["jobs"]["jct"].mean(), tables["off"]["jobs"]["jct"].mean())
        # Nothing begins on a node while it is out.
        out = {}
        for row in tables["on"]["events"]:
            node = row["detail"].decode().rpartition(" ")[2]
            if row["kind"] == b"node_quarantined":
                out[node] = row["time"]
            elif row["kind"] == b"node_released":
                self.assertAlmostEqual(row["time"] - out.pop(node), DAY, places=3)
            elif row["kind"] == b"attempt_granted":
                self.assertNotIn(node, out)

    def test_failures_fall_back_to_checkpoints_written_while_training(self):
        """60 min in pieces of 10 min with checkpoints of 30 s; the failure at 25 min loses 180 s of the third piece."""
        document = campaign([{"run_time": "60 min", "failures": [{"after": "25 min"}]}],
                            costs={"start": "60 s", "checkpoint": "30 s", "restore": "20 s"})
        document["workload"]["checkpoint_every"] = "10 min"
        tables = self.run_one(document)
        written = [row["time"] for row in tables["events"] if row["kind"] == b"checkpoint_written"]
        self.assertEqual(written, [690, 1320] + [1580 + piece * 630 for piece in (1, 2, 3)])
        self.assertEqual(self.ends_of(tables), [("failed", 1500), ("finished", 80 + 2400 + 3 * 30)])

    def test_completion_times_are_those_of_dalys_model(self):
        """Failures at exponential times, checkpoints at fixed ones (Daly, FGCS 2006): the mean of 500 jobs is within
        four standard errors."""
        to_failure, piece, pieces, checkpoint, start, restore = 1800.0, 600.0, 6, 60.0, 90.0, 30.0
        jobs = [{"run_time": f"{piece * pieces} s", "failures": [{"after": f"{to_failure} s", "recurs": True}]}] * 500
        document = campaign(jobs, {"nodes": 8, "gpus_per_node": 64}, costs={
            "start": f"{start} s", "checkpoint": f"{checkpoint} s", "restore": f"{restore} s"})
        document["workload"]["checkpoint_every"] = f"{piece} s"
        ran = self.run_one(document)["jobs"]
        jct = ran["jct"]
        np.testing.assert_allclose(ran["progress_samples"] - ran["lost_samples"], piece * pieces)
        np.testing.assert_allclose(ran["lost_seconds"], ran["lost_samples"])

        from_checkpoint = from_start = 0.0  # expected time to the end, with so many pieces left
        for left in range(1, pieces + 1):
            length = piece + (checkpoint if left > 1 else 0.0)
            survives = np.exp(-(length + start + (restore if left < pieces else 0.0)) / to_failure)
            from_start = to_failure * (1 / survives - 1) + from_checkpoint
            survives = np.exp(-length / to_failure)
            from_checkpoint = (1 - survives) * (to_failure + from_start) + survives * from_checkpoint
        self.assertLess(abs(jct.mean() - from_start), 4 * jct.std() / np.sqrt(len(jct)), (jct.mean(), from_start))


if __name__ == "__main__":
    properties_test.MIMUS = sys.argv.pop(1)
    unittest.main()
