# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Campaigns on a real Slurm of several nodes: submitted, interrupted, cancelled, on a lost node.

Usage: slurm_test.py MIMUS_BINARY PRELOADED_LIBRARY [unittest arguments]
Exit code 77 where this machine has no Slurm.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
from unittest import mock

import h5py

import on_slurm
from cluster import (GPUS, LIMIT_S, NODES, OPTIONS, TYPES, Cluster, Unavailable, record, slurm,
                     wait_for_end, wait_until)
from hostile_names import HostileNames
from lost_workers import Losses  # unittest finds it here
from on_slurm import HERE, LIVE, ONE_CELL, VIRTUAL, OnSlurm, attribute

CLUSTER = None
PRELOADED = ""


class Campaigns(OnSlurm):
    def test_a_campaign_over_two_hosts(self):
        done = subprocess.run(
            [on_slurm.MIMUS, "submit", LIVE, "-o", self.out, *ONE_CELL, "--wait",
             "--set", f"resources.gpus_per_node={GPUS}"],
            capture_output=True, text=True, timeout=2 * LIMIT_S)

        self.assertEqual(done.returncode, 0, done.stderr + self.logs())
        self.assertIn("1 of 1 cells complete; jobs: none left", done.stderr)
        self.assert_complete(1)
        run, aggregate = done.stdout.split()
        with h5py.File(self.files()[0], "r") as file:
            hosts = [host.decode() for host in file["ranks"]["host"]]
            # The scheduling rank and an emulated node of two GPUs, then the other emulated node.
            self.assertEqual(hosts, [hosts[0]] * 3 + [hosts[3]] * 2)
            self.assertNotEqual(hosts[0], hosts[3])
            self.assertEqual(attribute(file, "hostlist"), ",".join(sorted({*hosts})))
            self.assertEqual(attribute(file, "SLURM_JOB_ID"), run)
            self.assertEqual(attribute(file, "SLURM_CLUSTER_NAME"), "mimus")
            self.assertEqual(attribute(file, "SLURM_JOB_NODELIST"), "node[0-1]")
        # The job that follows prints the table of the whole folder.
        log, = (self.out / "slurm").glob(f"*-{aggregate}.out")
        self.assertRegex(log.read_text(), r"pack +3/3")

    def run_by_hand(self, launcher, export):
        """On two nodes, every GPU of a node visible to every rank on it, which begins with what
        `export` sets. What the job has printed."""
        changed = self.out.parent / "mimus-changed"
        changed.write_text(f"#!/bin/sh\nexport {export}\nexec '{on_slurm.MIMUS}' \"$@\"\n")
        changed.chmod(0o755)
        environment = dict(os.environ, MIMUS=str(changed), MIMUS_RANKS="5", MIMUS_LAUNCHER=launcher,
                           OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        command = ["sbatch", "--parsable", "--nodes=2", "--ntasks=6", "--ntasks-per-node=3",
                   f"--gpus-per-node={GPUS}", f"--output={self.out}.log",
                   HERE.parents[1] / "slurm" / "campaign.sbatch", LIVE, "-o", self.out, *ONE_CELL]
        job = subprocess.run([str(word) for word in command], env=environment, check=True,
                             cwd=HERE.parents[1], capture_output=True, text=True).stdout.strip()
        wait_for_end(job)
        log = pathlib.Path(f"{self.out}.log").read_text()
        self.assertEqual(record(job)["JobState"], "COMPLETED", log)
        return log

    def test_ranks_are_numbered_on_their_node_whatever_the_launcher_says(self):
        log = self.run_by_hand("mpirun", "SLURM_LOCALID=7 OMPI_COMM_WORLD_LOCAL_RANK=7")

        with h5py.File(self.files()[0], "r") as file:
            self.assertEqual(list(file["ranks"]["local_rank"]), [0, 1, 2, 0, 1], log)

    def test_a_rank_that_starts_slowly_is_waited_for(self):
        self.run_by_hand("srun", f"LD_PRELOAD='{PRELOADED}' MIMUS_TEST_SLOW_RANK=0")

        self.assert_complete(1)

    def test_a_heterogeneous_job_keeps_the_scheduler_apart(self):
        jobs = self.submit(LIVE, *ONE_CELL, "--set", "resources.scheduler={}", "--no-aggregate")

        wait_for_end(*jobs)

        self.assert_complete(1)
        with h5py.File(self.files()[0], "r") as file:
            hosts = [host.decode() for host in file["ranks"]["host"]]
        self.assertEqual(hosts.count(hosts[0]), 1)
        self.assertEqual(len(set(hosts)), 3)

    def test_each_gpu_type_has_hosts_of_its_own(self):
        """Of three nodes only the second one has T4s. The group of T4s and the scheduling rank come first."""
        with mock.patch.dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"):
            jobs = self.submit(HERE / "two_types.yaml", "--no-aggregate")

        wait_for_end(*jobs)

        self.assert_complete(1)
        with h5py.File(self.files()[0], "r") as file:
            hosts = [host.decode() for host in file["ranks"]["host"]]
            types = {row["model"]: row["gpu_type"] for row in file["jobs"]}
        self.assertEqual(hosts, [hosts[0]] * 3 + [hosts[3]] * 2 + [hosts[5]] * 2)
        self.assertEqual(len(set(hosts)), 3)
        asked = [slurm("squeue", "--noheader", "--states=all", "--jobs", jobs[0], f"--Format={what}:20").split()
                 for what in ("NodeList", "tres-per-node")]
        self.assertEqual(asked, [["node1", "node[0,2]"], ["gres:gpu:t4:2", "gres:gpu:v100:2"]])
        self.assertEqual(types, {b"resnet18": b"T4", b"neumf": b"V100"})

    def test_a_planner_in_python_plans_under_slurm(self):
        if not (pathlib.Path(on_slurm.MIMUS).resolve().parent / "libmimus_python.so").exists():
            self.skipTest("built without planners in Python")
        example = HERE.parents[1] / "docs/examples/weighted_share.yaml"
        jobs = self.submit(example, "--set", "engine.kind=live", "--set", "engine.time_scale=60",
                           "--set", "resources.nodes=2", "--no-aggregate")

        wait_for_end(*jobs)

        self.assert_complete(1)
        with h5py.File(self.files()[0], "r") as file:
            self.assertEqual({row["outcome"] for row in file["jobs"]}, {b"finished"})
            self.assertIn(b"resized", file["attempts"]["reason"])
            self.assertGreater(len(set(file["ranks"]["host"])), 1)

    def test_a_stuck_srun_of_a_heterogeneous_job_is_ended(self):
        stuck = self.out.parent / "bin" / "srun"
        stuck.parent.mkdir()
        stuck.write_text(f"#!/bin/sh\n'{shutil.which('srun')}' \"$@\" || exit\n"
                         "case \"$*\" in *het-group*) exec sleep 1000 ;; esac\n")
        stuck.chmod(0o755)
        with mock.patch.dict(os.environ, MIMUS_SRUN_GRACE_S="2",
                             PATH=f"{stuck.parent}:{os.environ['PATH']}"):
            job, = self.submit(LIVE, *ONE_CELL, "--set", "resources.scheduler={}", "--no-aggregate")
            wait_for_end(job)

        self.assertIn("srun has not ended 2 s after rank 0, which came to 0", self.logs())
        self.assertEqual(record(job)["JobState"], "COMPLETED", self.logs())
        self.assert_complete(1)


class Interruptions(OnSlurm):
    def test_usr1_sends_the_job_back_and_it_goes_on(self):
        job, = self.submit(LIVE, "--no-aggregate")
        wait_until("first cell", self.files)
        first = self.files()[0]
        completed = first.stat().st_mtime_ns
        self.wait_for_training()

        slurm("scancel", "--signal=USR1", "--batch", job)
        wait_for_end(job)

        self.assertEqual(record(job)["Restarts"], "1", self.logs())
        self.assertIn("interrupted with 1 cells left; back to the queue", self.logs())
        self.assert_complete(2)
        self.assertEqual(first.stat().st_mtime_ns, completed)
        with h5py.File(self.files()[1], "r") as file:
            self.assertEqual(attribute(file, "SLURM_RESTART_COUNT"), "1")

    def test_a_cancelled_job_ends_and_can_be_submitted_again(self):
        job, = self.submit(LIVE, *ONE_CELL, "--no-aggregate")
        part = self.wait_for_training()

        slurm("scancel", job)
        wait_for_end(job)

        self.assertEqual(record(job)["JobState"], "CANCELLED")
        self.assertEqual(self.files(), [])
        with h5py.File(part, "r") as file:  # readable: recorded rows are kept
            self.assertEqual(len(file["jobs"]), 3)
        wait_for_end(*self.submit(LIVE, *ONE_CELL, "--no-aggregate"))
        self.assert_complete(1)

    def test_a_node_that_is_lost_costs_no_cell(self):
        job, = self.submit(LIVE, *ONE_CELL, "--no-aggregate")
        self.wait_for_training()
        lost = slurm("scontrol", "show", "hostnames", record(job)["NodeList"]).split()[-1]

        slurm("scontrol", "update", f"nodename={lost}", "state=down", "reason=test")
        self.addCleanup(slurm, "scontrol", "update", f"nodename={lost}", "state=resume")
        wait_for_end(job)

        self.assertEqual(record(job)["JobState"], "COMPLETED", self.logs())
        self.assertEqual(record(job)["Restarts"], "1")
        self.assert_complete(1)
        with h5py.File(self.files()[0], "r") as file:
            self.assertNotIn(lost.encode(), set(file["ranks"]["host"]))


class Arrays(OnSlurm):
    def test_an_array_whose_middle_task_is_killed_ends_with_the_same_table(self):
        undisturbed = self.out.parent / "undisturbed"
        done = subprocess.run([on_slurm.MIMUS, "run", VIRTUAL, "-o", undisturbed], capture_output=True,
                              text=True, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        array, aggregate = self.submit(VIRTUAL, "--array", "--set", "resources.array_at_once=1")
        task = f"{array}_2"  # of six
        wait_until("third task", lambda: record(task)["JobState"] == "RUNNING" and
                   list(self.out.glob("*.h5.part")))

        slurm("scancel", "--signal=KILL", "--full", task)
        wait_until("killed task", lambda: record(task)["JobState"] not in ("RUNNING", "COMPLETING"))
        slurm("scontrol", "requeue", task)
        wait_for_end(array, aggregate)

        self.assertEqual(record(task)["Restarts"], "1", self.logs())
        self.assertEqual(record(task)["JobState"], "COMPLETED", self.logs())
        self.assertEqual(self.table(self.out), self.table(undisturbed))
        self.assertEqual(len(self.files()), 6)
        for path in self.files():
            with h5py.File(path, "r") as one, h5py.File(undisturbed / path.name, "r") as other:
                for name in ("jobs", "attempts", "events"):
                    self.assertEqual(one[name][:].tobytes(), other[name][:].tobytes(), name)

    def test_tasks_share_the_cells_when_there_are_fewer(self):
        array, = self.submit(VIRTUAL, "--array", "--no-aggregate", "--set",
                             "resources.array_tasks=2", "--set", "workload.jobs=50")
        wait_for_end(array)

        tasks = {}
        for path in self.files():
            with h5py.File(path, "r") as file:
                tasks.setdefault(attribute(file, "SLURM_ARRAY_TASK_ID"), []).append(path)
        self.assertEqual({task: len(paths) for task, paths in tasks.items()}, {"0": 3, "1": 3})


class TheCluster(unittest.TestCase):
    def test_up_twice_is_up_once(self):
        again = CLUSTER.call("up", *OPTIONS)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("is up already", again.stderr)
        other = CLUSTER.call("up", "--nodes", "1")
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertIn("is up with other options", other.stderr)

    def test_nodes_and_gpus_are_there(self):
        nodes = slurm("sinfo", "--noheader", "--Node", "--format=%N %G").split("\n")
        self.assertEqual(nodes[:NODES], [f"node{i} gpu:{TYPES[i]}:{GPUS}" for i in range(NODES)])
        seen = slurm("srun", "--nodes=1", "--ntasks=2", f"--gpus-per-node={GPUS}", "sh", "-c",
                     "echo $CUDA_VISIBLE_DEVICES")
        self.assertEqual(seen.split(), ["0,1", "0,1"])  # not bound: ranks choose for themselves


def daemons_left(folder):
    """Command lines of processes that still mention the cluster's folder."""
    left = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if entry.name.isdigit() and str(folder) in line and str(os.getpid()) != entry.name:
            left.append(line)
    return left


def main():
    global CLUSTER, PRELOADED
    on_slurm.MIMUS = HostileNames.mimus = str(pathlib.Path(sys.argv.pop(1)).resolve())
    PRELOADED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    CLUSTER = Cluster()
    try:
        CLUSTER.up()
    except Unavailable as reason:
        print(f"skipped: {reason}")
        return 77
    try:
        passed = unittest.main(exit=False).result.wasSuccessful()
    finally:
        down = CLUSTER.down()
    left = daemons_left(CLUSTER.folder)
    if down.returncode != 0 or left:
        print(f"down: exit code {down.returncode}\n{down.stderr}\nleft running: {left}")
        return 1
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
