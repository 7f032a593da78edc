#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Properties of virtual runs, seen from the command line: properties_test.py MIMUS [unittest args].

Repeats are identical, also side by side; nothing is over-allocated, no work is lost; and changes
that must not matter (names, units of time, a neighbour cluster, a node's past) do not.
"""

import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

MIMUS = None
# Values in a result that come from the wall clock.
WALL_CLOCK_COLUMNS = {"decisions": ["latency_us"]}
WALL_CLOCK_METRICS = (b"decision_seconds", b"decision_latency")

POLICIES = {
    "fifo": {"order": "fifo"},
    "fifo-skip": {"order": {"name": "fifo", "skip": True}, "placement": "consolidated"},
    "sjf": {"order": "sjf", "estimate": "oracle", "placement": "counting"},
    "srtf": {"order": "srtf", "estimate": "oracle", "placement": "counting",
             "preemption": {"name": "checkpoint", "min_run": "0 s"}},
    "las": {"order": {"name": "las", "limits": ["600 s", "3600 s"]},
            "preemption": {"name": "checkpoint", "min_run": "0 s"}},
}


def random_jobs(count, seed, users=("ann", "bob"), clusters=("a", "b")):
    """Run-time jobs with even seconds, so that halving them is exact."""
    draw = random.Random(seed)
    arrival = 0
    jobs = []
    for number in range(count):
        arrival += 2 * draw.randrange(0, 120)
        jobs.append({"name": f"job-{number}", "user": draw.choice(users),
                     "virtual_cluster": draw.choice(clusters), "arrival": f"{arrival} s",
                     "gang": draw.choice([1, 1, 1, 2, 4]),
                     "run_time": f"{2 * draw.randrange(10, 2000)} s"})
    return jobs


def campaign(jobs, policy, nodes=2, **more):
    return {"schema": 1, "name": "properties", "record": "full",
            "cluster": {"nodes": nodes, "gpus_per_node": 4, "gpu": "V100",
                        "network": "100 Gbit/s", **more.pop("cluster", {})},
            "workload": {"source": "jobs", "jobs": jobs}, "policy": policy,
            "engine": {"kind": "virtual", "step_time": "duration", "interference": "none"},
            **more}


class Folder(tempfile.TemporaryDirectory):
    """Runs campaigns and reads their results."""

    def run(self, document, *arguments, name="run"):
        path = Path(self.name) / f"{name}.yaml"
        path.write_text(json.dumps(document), encoding="utf-8")
        out = Path(self.name) / name
        subprocess.run([MIMUS, "run", str(path), "-q", "-o", str(out), *arguments], check=True,
                       capture_output=True, text=True, timeout=120)
        return sorted(out.glob("*.h5"))

    def refusal(self, document):
        """What `mimus validate` says of a campaign that is not valid."""
        path = Path(self.name) / "refused.yaml"
        path.write_text(json.dumps(document), encoding="utf-8")
        done = subprocess.run([MIMUS, "validate", str(path)], capture_output=True, text=True, timeout=60)
        if done.returncode != 3:
            raise AssertionError(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stderr


def tables(path):
    """Every table of a result without values from the wall clock."""
    out = {}
    with h5py.File(path, "r") as file:
        for name, dataset in file.items():
            if not isinstance(dataset, h5py.Dataset) or not dataset.dtype.names:
                continue
            rows = dataset[:]
            for column in WALL_CLOCK_COLUMNS.get(name, []):
                rows[column] = 0
            if "metric" in rows.dtype.names:
                wall_clock = [metric.startswith(WALL_CLOCK_METRICS) for metric in rows["metric"]]
                rows = rows[~np.array(wall_clock, dtype=bool)]
            out[name] = rows
    return out


def jobs_of(path):
    rows = tables(path)["jobs"]
    return rows[np.argsort(rows["job"])]


class VirtualProperties(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(prefix="mimus-properties-")
        self.addCleanup(self.folder.cleanup)

    def assert_same_tables(self, left, right):
        self.assertEqual(set(left), set(right))
        for name, rows in left.items():
            self.assertEqual(rows.tobytes(), right[name].tobytes(), name)

    def test_repeats_are_byte_identical_also_side_by_side(self):
        document = campaign(random_jobs(150, 1), POLICIES["las"])
        document["workload"] = {"source": "philly-like", "jobs": 300, "load": 0.9}
        document["cluster"]["nodes"] = 16
        document["sweep"] = {"grid": {"policy": list(POLICIES.values())}}
        document["repetitions"] = 2
        alone = self.folder.run(document, "--jobs", "1", name="alone")
        beside = self.folder.run(document, "--jobs", "3", name="beside")
        self.assertEqual(len(alone), 2 * len(POLICIES))
        self.assertEqual([p.name for p in alone], [p.name for p in beside])
        for left, right in zip(alone, beside):
            self.assert_same_tables(tables(left), tables(right))
        first, second = (tables(path)["jobs"]["arrival"] for path in alone[:2])
        self.assertFalse(np.array_equal(first, second), "repetitions draw different arrivals")

    def test_a_run_in_which_nobody_gets_to_a_step_ends_with_its_cause(self):
        """Two whole-cluster jobs alternate every 7 s, but take 30 s to start up."""
        jobs = [{"name": name, "arrival": "0 s", "gang": 8, "run_time": "600 s"} for name in "ab"]
        policy = {"order": {"name": "las", "quantum": "7 s"},
                  "preemption": {"name": "checkpoint", "min_run": "0 s"}}
        document = campaign(jobs, policy)
        document["engine"]["costs"] = {"start": "30 s", "restore": "30 s"}

        with self.assertRaises(subprocess.CalledProcessError) as failed:
            self.folder.run(document)

        self.assertEqual(failed.exception.returncode, 1)
        self.assertIn("attempts made no progress", failed.exception.stderr)
        self.assertIn("policy.preemption.min_run", failed.exception.stderr)

    def test_every_job_gets_its_work_done_exactly_once(self):
        for name, policy in POLICIES.items():
            jobs = random_jobs(120, 2)
            path, = self.folder.run(campaign(jobs, policy), name=name)
            rows = jobs_of(path)
            self.assertTrue((rows["outcome"] == b"finished").all())
            wanted = np.array([float(job["run_time"].split()[0]) for job in jobs])
            np.testing.assert_allclose(rows["running"], wanted, rtol=0, atol=1e-6)
            np.testing.assert_allclose(rows["jct"], rows["queueing"] + rows["running"], atol=1e-6)
            waits = sum(rows[column] for column in rows.dtype.names if column.startswith("wait_"))
            np.testing.assert_allclose(waits, rows["queueing"], atol=1e-6)

    def test_no_gpu_is_ever_held_twice(self):
        for name, policy in POLICIES.items():
            path, = self.folder.run(campaign(random_jobs(120, 3), policy), name=name)
            placements = tables(path)["placements"]
            for gpu in np.unique(placements["gpu"]):
                spans = np.sort(placements[placements["gpu"] == gpu][["begin", "end"]],
                                order="begin")
                self.assertTrue((spans["begin"][1:] >= spans["end"][:-1]).all(), gpu)
            attempts = tables(path)["attempts"]
            replicas = np.bincount(placements["attempt"], minlength=len(attempts))
            order = np.argsort(attempts["attempt"])
            self.assertTrue((replicas == attempts["replicas"][order]).all(), "gangs are whole")

    def test_shares_of_a_gpu_add_up_to_one_at_most(self):
        """Shares count as such everywhere, and tenants with shares are not slowed."""
        draw = random.Random(8)
        jobs = random_jobs(200, 8)
        for job in jobs:
            if job["gang"] == 1:
                job["gpu_share"] = draw.choice([0.1, 0.25, 0.3, 0.333, 0.5, 0.75])
        queueing = {}
        for name in ("exclusive", "fraction"):
            policy = {**POLICIES["las"], "sharing": name}
            path, = self.folder.run(campaign(jobs, policy, nodes=1), name=name)
            queueing[name] = jobs_of(path)["queueing"].mean()
        rows = jobs_of(path)
        wanted = np.array([float(job["run_time"].split()[0]) for job in jobs])
        np.testing.assert_allclose(rows["running"], wanted, rtol=0, atol=1e-6)
        np.testing.assert_allclose(rows["gpu_seconds"],
                                   rows["running"] * rows["gang"] * rows["gpu_share"])
        np.testing.assert_allclose(rows["replica_seconds"], rows["running"] * rows["gang"])
        self.assertLess(queueing["fraction"], 0.8 * queueing["exclusive"])

        found = tables(path)
        milli = np.zeros(found["attempts"]["attempt"].max() + 1, dtype=np.int64)
        milli[found["attempts"]["attempt"]] = np.rint(1000 * found["attempts"]["gpu_share"])
        most_tenants = 0
        for gpu in np.unique(found["placements"]["gpu"]):
            spans = found["placements"][found["placements"]["gpu"] == gpu]
            taken = milli[spans["attempt"]]
            changes = sorted([(end, 0, -share) for end, share in zip(spans["end"], taken)] +
                             [(begin, 1, share) for begin, share in zip(spans["begin"], taken)])
            held = np.cumsum([share for _, _, share in changes])
            self.assertLessEqual(held.max(), 1000)
            most_tenants = max(most_tenants, np.cumsum([2 * c[1] - 1 for c in changes]).max())
        self.assertGreaterEqual(most_tenants, 4)
        totals = {row["metric"]: row["value"] for row in found["totals"] if row["group"] == b"all"}
        self.assertAlmostEqual(totals[b"gpu_held_seconds"], rows["gpu_seconds"].sum(), delta=1e-3)
        self.assertAlmostEqual(found["gpus"]["allocated"].sum(), rows["gpu_seconds"].sum(),
                               delta=1e-3)

    def test_twice_the_speed_is_half_the_time(self):
        for name, policy in POLICIES.items():
            if name == "las":  # its limits are times, too
                policy = {**policy, "order": {"name": "las", "limits": ["600 s"]}}
            jobs = random_jobs(120, 4)
            path, = self.folder.run(campaign(jobs, policy), name=f"{name}-slow")
            for job in jobs:
                for key in ("arrival", "run_time"):
                    job[key] = f"{int(job[key].split()[0]) // 2} s"
            if name == "las":
                policy["order"]["limits"] = ["300 s"]
            fast, = self.folder.run(campaign(jobs, policy), name=f"{name}-fast")
            for column in ("arrival", "first_start", "end", "jct", "queueing"):
                np.testing.assert_allclose(2 * jobs_of(fast)[column], jobs_of(path)[column],
                                           rtol=1e-12, atol=1e-6, err_msg=column)

    def test_names_do_not_matter(self):
        for name, policy in POLICIES.items():
            jobs = random_jobs(120, 5)
            path, = self.folder.run(campaign(jobs, policy), name=f"{name}-old")
            other = {"ann": "zoe", "bob": "adam", "a": "y", "b": "x"}
            for number, job in enumerate(jobs):
                job["name"] = f"other-{len(jobs) - number}"
                job["user"] = other[job["user"]]
                job["virtual_cluster"] = other[job["virtual_cluster"]]
            new, = self.folder.run(campaign(jobs, policy), name=f"{name}-new")
            for column in ("first_start", "end", "queueing", "attempts"):
                np.testing.assert_array_equal(jobs_of(new)[column], jobs_of(path)[column], column)

    def test_a_cluster_beside_this_one_changes_nothing(self):
        """Two clusters of 8 GPUs against one of 16 whose virtual clusters may hold 8 each.

        Stopping costs nothing here. Where it takes time, a promise that has become void is noticed
        at the next event, and that may be one of the other cluster.
        """
        for name, policy in POLICIES.items():
            jobs = random_jobs(160, 6)
            both = {**policy, "placement": "counting",
                    "admission": {"name": "quota", "gpus": {"a": 8, "b": 8}}}
            merged, = self.folder.run(campaign(jobs, both, nodes=4), name=f"{name}-merged")
            alone = {**policy, "placement": "counting"}
            stops = self.assert_clusters_alike(merged, jobs, alone, name)
            self.assertEqual(stops > 0, "preemption" in policy, name)

    def assert_clusters_alike(self, merged, jobs, policy, name):
        """Asserts that each virtual cluster behaves as alone on 8 GPUs. Returns how often jobs
        were stopped."""
        together = {row["name"]: row for row in jobs_of(merged)}
        stops = 0
        for cluster in ("a", "b"):
            own = [job for job in jobs if job["virtual_cluster"] == cluster]
            alone, = self.folder.run(campaign(own, policy), name=f"{name}-{cluster}")
            for row in jobs_of(alone):
                for column in ("first_start", "end", "preemptions"):
                    self.assertEqual(row[column], together[row["name"]][column], row["name"])
                stops += row["preemptions"]
        return stops

    def test_a_nodes_past_does_not_change_a_run_time(self):
        """After outages, failures and many jobs, the same job still takes as long as alone."""
        jobs = random_jobs(80, 7)
        last = 400_000
        jobs.append({"name": "probe", "arrival": f"{last} s", "gang": 4, "run_time": "1000 s"})
        outages = [{"node": 0, "down": "1000 s", "up": "3000 s"},
                   {"node": 1, "down": "5000 s", "up": "5100 s"}]
        path, = self.folder.run(campaign(jobs, POLICIES["fifo-skip"],
                                         cluster={"outages": outages}))
        probe = [row for row in jobs_of(path) if row["name"] == b"probe"][0]
        self.assertEqual(probe["jct"], 1000.0)
        attempts = tables(path)["attempts"]
        self.assertIn(b"node_down", attempts["reason"])
        placements = tables(path)["placements"]
        for node, down, up in ((0, 1000, 3000), (1, 5000, 5100)):
            here = placements[placements["node"] == node]
            self.assertFalse(((here["begin"] < up) & (here["end"] > down)).any(), node)


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main(verbosity=2)
