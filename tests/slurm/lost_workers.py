# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Workers that die on a real Slurm of several nodes."""
import os
import resource
import signal
import subprocess
from unittest import mock

import h5py

from cluster import record, wait_for_end
from on_slurm import LIVE, ONE_CELL, OnSlurm, attribute


class Losses(OnSlurm):
    @mock.patch.dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    def test_a_cell_over_three_hosts_goes_on_without_workers_that_die(self):
        job, = self.submit(LIVE, *ONE_CELL, "--no-aggregate", "--set", "cluster.nodes=3", "--set",
                           "resources.nodes=3", "--set", "engine.on_lost_rank=continue")
        part = self.wait_for_training()
        with h5py.File(part, "r") as file:
            workers = [(row["host"], int(row["pid"])) for row in file["ranks"]][1:]
        hosts = sorted({host for host, _ in workers})
        self.assertEqual(len(hosts), 3, self.logs())
        # One on the host of rank 0, which rank 0 sees itself, and one on a host that must report
        # it.
        victims = [pid for host, pid in workers if host in (workers[0][0], workers[-1][0])][::3]

        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        wait_for_end(job)

        self.assertEqual(record(job)["JobState"], "COMPLETED", self.logs())
        self.assertEqual(record(job)["ExitCode"], "0:0", self.logs())
        self.assert_complete(1)
        with h5py.File(self.files()[0], "r") as file:
            self.assertEqual(file.attrs["gpus_lost"], 2)
            for victim in victims:
                self.assertIn(f"(process {victim})", attribute(file, "ranks_lost"))
            self.assertIn(b"worker_lost", set(file["attempts"]["reason"]))

    @mock.patch.dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    def test_a_run_continues_when_mpirun_crashes(self):
        job, = self.submit(LIVE, *ONE_CELL, "--no-aggregate", "--set", "engine.on_lost_rank=continue")
        part = self.wait_for_training()
        with h5py.File(part, "r") as file:
            rank_0 = file["ranks"]["pid"][0]
        mpirun = int(subprocess.check_output(["ps", "-o", "ppid=", "-p", str(rank_0)]))
        resource.prlimit(mpirun, resource.RLIMIT_CORE, (0, 0))  # or its memory would be left as a file

        os.kill(mpirun, signal.SIGSEGV)
        wait_for_end(job)

        self.assertIn("mpirun has crashed (exit code 139); it is launched again", self.logs())
        self.assertEqual(record(job)["ExitCode"], "0:0", self.logs())
        self.assert_complete(1)

    def test_under_srun_a_run_stops_and_says_how_to_go_on(self):
        job, = self.submit(LIVE, *ONE_CELL, "--no-aggregate")
        part = self.wait_for_training()
        with h5py.File(part, "r") as file:
            victim = int(file["ranks"]["pid"][-1])  # on the other host than rank 0

        os.kill(victim, signal.SIGKILL)
        wait_for_end(job)

        self.assertEqual(record(job)["JobState"], "FAILED", self.logs())
        # By rank 0, unless Slurm has ended it before it has heard of the loss; then by the script.
        self.assertRegex(self.logs(), r"(rank 4 on host [^\n]*has|when one has) died[^\n]* again to continue")
        wait_for_end(*self.submit(LIVE, *ONE_CELL, "--no-aggregate"))
        self.assert_complete(1)
