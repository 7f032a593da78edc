# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Live runs go on when workers die: what is lost, what is tried again, and how the run ends.

Usage: survival_live_test.py MIMUS_BINARY PRELOADED_LIBRARY [unittest arguments]
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

import h5py

import live_run
import random_kills
from ends_live_test import loads_mpi
from live_run import RUN_LIMIT_S, is_running, ranks_of, segments_of

HERE = pathlib.Path(__file__).resolve().parent
IDLE = HERE / "idle_worker.yaml"
KILLS = 6
PRELOADED = ""


def gang_of(size):
    return ("--set", f"workload.jobs=[{{model: resnet50, gang: {size}, batch: {64 * size}, "
                     "samples: 12000}]", "--set", "engine.stage_timeout=6 s")


class Survival(live_run.LiveRun):
    def start(self, campaign, *arguments, **environment):
        process = subprocess.Popen(
            [live_run.MIMUS, "run", str(campaign), "-o", str(self.folder / "out"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        self.addCleanup(process.kill)
        return process

    def end(self, process, code=0):
        """The end of the run: its standard error, its only result by table, and its attributes."""
        stdout, stderr = process.communicate(timeout=RUN_LIMIT_S)
        self.assertEqual(process.returncode, code, stderr)
        path, = self.results()
        with h5py.File(path, "r") as file:
            self.assertEqual(file.attrs["status"].decode().rstrip("\0"), "complete")
            tables = {name: file[name][:] for name in ("attempts", "events", "jobs")}
            return stdout, stderr, tables, dict(file.attrs)

    def assert_lost(self, tables, attributes, rank, gpu):
        """Asserts that one GPU with one worker is lost."""
        self.assertEqual(attributes["gpus_lost"], 1)
        self.assertRegex(attributes["ranks_lost"].decode(), rf"^rank {rank} on host \S+ \(.*died")
        events = [row for row in tables["events"] if row["kind"] == b"gpu_lost"]
        self.assertEqual(len(events), 1)
        self.assertRegex(events[0]["detail"].decode(), rf"^GPU {gpu} of node 0: rank {rank} on host")

    def lost_attempts(self, tables):
        return [row for row in tables["attempts"] if row["reason"] == b"worker_lost"]

    def test_random_moments(self):
        draw = random.Random(20261124)
        hits = 0
        while hits < KILLS:
            moments = [draw.uniform(0, 10) for _ in range(random_kills.MOST_KILLS)]
            ended = random_kills.run_with_kills(live_run.MIMUS, HERE / "survival.yaml", moments, draw)
            self.assertEqual(ended.problems(cells=1), [], ended.stderr)
            hits += len(ended.hits())

    def test_a_gang_whose_member_dies_in_an_all_reduce_is_tried_again(self):
        # Ranks 1 to 3 serve GPUs 0 to 2; two are left for a gang of two.
        process = self.start(IDLE, *gang_of(2), LD_PRELOAD=PRELOADED, MIMUS_TEST_DIES="2:all_reduce")

        _, stderr, tables, attributes = self.end(process)

        self.assert_lost(tables, attributes, rank=2, gpu=1)
        lost, = self.lost_attempts(tables)
        self.assertRegex(lost["detail"].decode(), r"rank 2 on host .*job 0, attempt 0, stage")
        self.assertEqual(tables["attempts"][-1]["reason"], b"finished")
        self.assertEqual(tables["attempts"][-1]["replicas"], 2)
        self.assertEqual([job["outcome"] for job in tables["jobs"]], [b"finished"])
        self.assertEqual(tables["jobs"][0]["failures"], 1)
        self.assertRegex(stderr, r"has died \(process \d+\); the cell goes on without GPU 1")

    def test_a_gang_whose_member_dies_where_mpi_cannot_be_left_costs_the_gang(self):
        # The other member never returns from the call and is ended, so one GPU is left.
        process = self.start(IDLE, *gang_of(2), LD_PRELOAD=PRELOADED,
                             MIMUS_TEST_DIES="2:communicator")

        _, stderr, tables, attributes = self.end(process)

        self.assertEqual(attributes["gpus_lost"], 2)
        self.assertIn("did not leave attempt 0 and is ended", stderr)
        self.assertEqual([(job["outcome"], job["detail"]) for job in tables["jobs"]],
                         [(b"failed", b"asks for 2 GPUs, but of the cluster's 3 only 1 is left")])

    def test_a_member_that_dies_before_its_gang_has_met(self):
        process = self.start(IDLE, *gang_of(2), LD_PRELOAD=PRELOADED, MIMUS_TEST_DIES="2:meeting")

        _, _, tables, attributes = self.end(process)

        self.assert_lost(tables, attributes, rank=2, gpu=1)
        lost, = self.lost_attempts(tables)
        self.assertEqual(lost["first_step"], -1)
        self.assertEqual([job["outcome"] for job in tables["jobs"]], [b"finished"])

    def test_a_worker_that_dies_before_emulated_time_begins(self):
        process = self.start(IDLE, LD_PRELOAD=PRELOADED, MIMUS_TEST_DIES="3:cell")

        _, _, tables, attributes = self.end(process)

        self.assert_lost(tables, attributes, rank=3, gpu=2)
        self.assertEqual({row["time"] for row in tables["events"] if row["kind"] == b"gpu_lost"}, {0})
        self.assertLess(tables["jobs"][0]["arrival"], 1)
        self.assertEqual([row["reason"] for row in tables["attempts"]], [b"finished"])

    def test_an_idle_worker_takes_only_its_gpu_along(self):
        process = self.start(IDLE)
        self.wait_for_training(process)

        os.kill(ranks_of(process.pid)[3], signal.SIGKILL)
        stdout, _, tables, attributes = self.end(process)

        self.assert_lost(tables, attributes, rank=3, gpu=2)
        self.assertEqual([row["reason"] for row in tables["attempts"]], [b"finished"])
        self.assertIn("(lost 1 GPU)", stdout)

    def start_and_wait_for_mpi(self):
        """The run, and its rank 2, which is in MPI_Init or just behind it."""
        process = self.start(IDLE)
        while not (victim := ranks_of(process.pid).get(2)) or not loads_mpi(victim):
            self.assertIsNone(process.poll(), "the run ended before its ranks had started")
            time.sleep(0.005)
        return process, victim

    def assert_started_again(self, process, victim):
        _, stderr, _, attributes = self.end(process)
        self.assertRegex(stderr, rf"\Amimus: warning: rank 2 on host \S+ has died \(process {victim}\) "
                                 "while the ranks were starting; they are started again")
        self.assertEqual(attributes["gpus_lost"], 0)

    def test_a_worker_that_dies_while_the_ranks_start_is_started_again(self):
        process, victim = self.start_and_wait_for_mpi()

        os.kill(victim, signal.SIGKILL)

        self.assert_started_again(process, victim)

    def test_the_ranks_are_started_again_also_when_mpirun_does_not_answer(self):
        process, victim = self.start_and_wait_for_mpi()

        os.kill(live_run.parent(victim), signal.SIGSTOP)
        os.kill(victim, signal.SIGKILL)

        self.assert_started_again(process, victim)

    def test_cells_that_follow_run_on_what_is_left(self):
        process = self.start(IDLE, "--set", "repetitions=2")
        self.wait_for_training(process)

        os.kill(ranks_of(process.pid)[1], signal.SIGKILL)  # it runs the job
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 0, stderr)
        first, second = sorted(self.results(), key=lambda path: path.stem[-2:])  # r0, r1
        with h5py.File(first, "r") as file:
            self.assertEqual([row["reason"] for row in file["attempts"]], [b"worker_lost", b"finished"])
        with h5py.File(second, "r") as file:
            self.assertEqual([row["reason"] for row in file["attempts"]], [b"finished"])
            self.assertEqual(list(file["placements"]["gpu"]), [1])
            lost, = (row for row in file["events"] if row["kind"] == b"gpu_lost")
            self.assertEqual(lost["time"], 0)

    def test_ctrl_c_after_a_loss_ends_resumable_and_leaves_nothing(self):
        process = self.start(IDLE)
        self.wait_for_training(process)
        ranks = ranks_of(process.pid)
        segments = segments_of(ranks.values())
        os.kill(ranks[3], signal.SIGKILL)
        while is_running(ranks[3]):
            time.sleep(0.05)
        time.sleep(1)  # rank 0 looks a few times a second

        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 75, stderr)
        self.assertIn("stopped by SIGINT", stderr)
        self.assertEqual([rank for rank in ranks.values() if is_running(rank)], [])
        self.assertEqual([path for path in segments if pathlib.Path(path).exists()], [])
        again = self.start(IDLE)
        _, _, _, attributes = self.end(again)
        self.assertEqual(attributes["gpus_lost"], 0)

    def test_rank_0_cannot_be_done_without(self):
        process = self.start(IDLE)
        self.wait_for_training(process)
        ranks = ranks_of(process.pid)

        os.kill(ranks[0], signal.SIGKILL)
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 128 + signal.SIGKILL)
        self.assertRegex(stderr, r"mimus: error: rank 0 on host \S+ has died \(process \d+\); run the")
        left = time.monotonic() + 10  # mpirun may be gone before the last of its ranks
        while any(map(is_running, ranks.values())) and time.monotonic() < left:
            time.sleep(0.1)
        self.assertEqual([rank for rank in ranks.values() if is_running(rank)], [])
        self.end(self.start(IDLE))

    def test_an_mpirun_of_the_user_that_ends_all_ranks_stops_the_run(self):
        process = subprocess.Popen(["mpirun", "-q", "-n", "4", "--oversubscribe", "--allow-run-as-root",
                                    live_run.MIMUS, "run", str(IDLE), "-o", str(self.folder / "out"),
                                    "--set", "engine.on_lost_rank=continue"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for_training(process)

        os.kill(ranks_of(process.pid)[3], signal.SIGKILL)
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertNotEqual(process.returncode, 0)
        self.assertIn("start mpirun with --enable-recovery", stderr)

    def test_an_mpirun_of_the_user_that_lets_ranks_live(self):
        process = subprocess.Popen(["mpirun", "-q", "-n", "4", "--oversubscribe", "--allow-run-as-root",
                                    "--enable-recovery", live_run.MIMUS, "run", str(IDLE), "-o",
                                    str(self.folder / "out")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ,
                                        "MIMUS_EXIT_CODE_FILE": str(self.folder / "code")})
        self.addCleanup(process.kill)
        self.wait_for_training(process)

        os.kill(ranks_of(process.pid)[3], signal.SIGKILL)
        process.communicate(timeout=RUN_LIMIT_S)  # its exit code is undefined

        self.assertEqual((self.folder / "code").read_text().strip(), "0")
        done = subprocess.run([live_run.MIMUS, "summary", "--json", str(self.folder / "out")],
                              capture_output=True, text=True, check=True)
        cell, = json.loads(done.stdout)["cells"]
        self.assertEqual((cell["status"], cell["gpus_lost"]), ("complete", 1))


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    PRELOADED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
