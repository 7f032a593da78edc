# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of a live cluster that go down and come back, against the virtual run.

Usage: outages_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run

HERE = pathlib.Path(__file__).resolve().parent
MOST_APART = 0.03  # of a mean completion time


class Outages(live_run.LiveRun):
    def run_engine(self, campaign, kind, *options):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(HERE / campaign), "-q", "-o", str(out),
                               "--set", f"engine.kind={kind}", *options],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            tables = {name: file[name][:] for name in ("jobs", "attempts", "events", "steps")}
            return tables, dict(file.attrs)

    def assert_as_virtual(self, campaign, *options):
        live, attributes = self.run_engine(campaign, "live", *options)
        virtual, _ = self.run_engine(campaign, "virtual", *options)
        self.assertEqual(attributes["gpus_lost"], 0)  # no process has been ended
        for tables in (live, virtual):
            self.assertEqual({row["outcome"] for row in tables["jobs"]}, {b"finished"})
        nodes, expected = ([(row["time"], row["kind"], row["detail"]) for row in tables["events"]
                            if row["kind"] in (b"node_down", b"node_up")] for tables in (live, virtual))
        self.assertEqual(nodes[:len(expected)], expected[:len(nodes)])
        mean, expected_mean = (tables["jobs"]["jct"].mean() for tables in (live, virtual))
        self.assertLess(abs(mean / expected_mean - 1), MOST_APART,
                        f"{mean} s live, {expected_mean} s virtual")
        return live, virtual

    def test_attempts_end_at_the_instant_at_which_their_node_goes_down(self):
        live, virtual = self.assert_as_virtual("outages.yaml")

        hit, expected = ([(row["end"], row["job"], row["detail"]) for row in tables["attempts"]
                          if row["reason"] == b"node_down"] for tables in (live, virtual))
        self.assertEqual(sorted(hit), sorted(expected))
        self.assertGreater(len(hit), 5)
        self.assertLess(max(row["end"] - self.end_of(live, row["attempt"]) for row in live["steps"]), 1e-6)

    def end_of(self, tables, attempt):
        return next(row["end"] for row in tables["attempts"] if row["attempt"] == attempt)

    def test_what_frees_a_node_starts_others_at_that_instant(self):
        live, _ = self.assert_as_virtual("outages.yaml", "--set", "engine.time_scale=max")

        begins = sorted(row["begin"] for row in live["attempts"])
        for at in (150, 170, 420):  # nodes that come back
            self.assertIn(at, begins)
        again = [row for row in live["attempts"] if row["job"] == 0]
        self.assertGreater(len(again), 2)
        self.assertEqual(sum(row["reason"] == b"node_down" for row in again), 2)

    def test_a_gang_that_is_resized_in_place_survives_them(self):
        outages = ", ".join(f"{{node: {i % 2}, down: {at} s, up: {at + 12} s}}"
                            for i, at in enumerate((30, 45, 60, 75, 90.5, 121, 150.2, 180.001)))
        live, _ = self.assert_as_virtual(
            "elastic.yaml", "--set", f"cluster={{nodes: 2, gpus_per_node: 2, gpu: T4, "
            f"network: 25 Gbit/s, outages: [{outages}]}}", "--set", "sweep={}",
            "--set", "policy.planner.resize=in_place")

        reasons = {row["reason"] for row in live["attempts"]}
        self.assertLessEqual({b"node_down", b"resized", b"finished"}, reasons)

    def test_jobs_fall_back_to_checkpoints_that_they_write_while_they_train(self):
        live, virtual = self.assert_as_virtual("outages.yaml", "--set", "workload.checkpoint_every=15 s")

        written, expected = ([(row["job"], row["time"]) for row in sorted(tables["events"], key=lambda row: row["job"])
                              if row["kind"] == b"checkpoint_written"] for tables in (live, virtual))
        self.assertGreater(len(written), 15)
        self.assertLessEqual(abs(len(written) - len(expected)), 2)
        attempts = [row for row in live["attempts"] if row["job"] == 0]  # of 150 s of work
        lost = sum(row["progress_samples"] for row in attempts) / live["jobs"]["work_samples"][0] - 1
        hits = sum(row["reason"] == b"node_down" for row in attempts)
        self.assertGreater(hits, 0)
        self.assertLess(150 * lost, 20 * hits)

    def test_failures_that_are_planned_for_an_instant_or_drawn(self):
        live, virtual = self.assert_as_virtual(
            "outages.yaml", "--set", "cluster={nodes: 3, gpus_per_node: 2, gpu: T4, network: 25 Gbit/s, "
            "node_failures: {mean_time_between: 150 s, repair: 20 s, faulty: 0.5, faults_every: 12 s}}",
            "--set", "seed=11",
            "--set", "policy={recovery: {name: retry, retries: 99, quarantine: {after: 2, for: 30 s}}}",
            "--set", "workload.jobs=[{model: resnet50, gang: 4, batch: 256, duration: 100 s, failures: "
            "[{after: 50 s, reason: MPI error}]}, {model: bert-base, gang: 1, batch: 12, arrival: 5 s, duration: "
            "90 s, failures: [{after: 30.5 s}, {at: 0.5}]}, {model: neumf, gang: 1, batch: 256, duration: 80 s, "
            "failures: [{after: 80 s, recurs: true}]}]")

        ends, expected = ([(row["job"], row["reason"], row["detail"], row["end"])
                           for row in sorted(tables["attempts"], key=lambda row: (row["job"], row["begin"]))]
                          for tables in (live, virtual))
        self.assertEqual([end[:3] for end in ends], [end[:3] for end in expected])
        for (*what, end), (*_, other) in zip(ends, expected):
            self.assertLess(abs(end - other), 4, what)
        self.assertIn((0, b"failed", b"MPI error", 50.0), ends)
        kinds, expected = ([row["kind"] for row in tables["events"]] for tables in (live, virtual))
        for kind in (b"node_fault", b"node_quarantined", b"node_released"):
            self.assertGreater(kinds.count(kind), 0, kind)
            self.assertEqual(kinds.count(kind), expected.count(kind), kind)
        out = {row["detail"]: row["time"] for row in live["events"] if row["kind"] == b"node_quarantined"}
        back = [(row["detail"], row["time"]) for row in live["events"] if row["kind"] == b"node_released"]
        for node, time in back[-1:]:
            self.assertAlmostEqual(time - out[node], 30, places=6)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
