# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A live run on several hosts, whose clocks wait for each other. The hosts are this machine under
several names: what mpirun would start over ssh is started here, and Open MPI takes each for a host
of its own, with memory that the others do not share.

Usage: hosts_live_test.py MIMUS_BINARY [unittest arguments]
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy

import live_run

HERE = pathlib.Path(__file__).resolve().parent
CAMPAIGN = HERE.parent / "slurm" / "two_hosts.yaml"
TURNS = HERE / "turns_over_hosts.yaml"
STOPPED_S = 3
SAME = 1e-3  # of completion times; turns of gangs over several hosts may depend on the host
EXACTLY = 1e-9
FIRST = range(0, 3)  # ranks of the first host: the scheduler and node 0
SECOND = range(3, 5)
REMOTE_SHELL = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
export TMPDIR="${0%/*}/$1"
mkdir -p "$TMPDIR"
shift
exec /bin/sh -c "$*"
"""
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--leave-session-attached",
          "--mca", "plm", "rsh", "--mca", "plm_rsh_no_tree_spawn", "1",
          "--mca", "oob_tcp_if_include", "lo", "--mca", "btl_tcp_if_include", "lo",
          "--mca", "btl", "self,tcp", "--mca", "pml", "ob1", "--mca", "mpi_yield_when_idle", "1"]


class SeveralHosts(live_run.LiveRun):
    mpirun_options = ()

    def setUp(self):
        super().setUp()
        self.agent = self.folder / "remote-shell"
        self.agent.write_text(REMOTE_SHELL)
        self.agent.chmod(0o755)
        os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def start(self, hosts, *options):
        return self.start_campaign(CAMPAIGN, 5, hosts, "--set", "policy.placement=pack", *options)

    def start_campaign(self, campaign, ranks, hosts, *options):  # the last of a key counts
        run = [live_run.MIMUS, "run", str(campaign), "-o", str(self.folder / "out"), *options]
        launch = [*MPIRUN, *self.mpirun_options, "--mca", "plm_rsh_agent", str(self.agent), "--host",
                  hosts, "-n", str(ranks)]
        process = subprocess.Popen([*launch, *run] if hosts else run, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def completion_times(self, process):
        _, stderr = process.communicate(timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(process.returncode, 0, stderr)
        path, = self.results()
        with h5py.File(path, "r") as file:
            jobs = numpy.sort(file["jobs"][:], order="job")
            self.held_s = float(file.attrs.get("clock_held_seconds", "nan"))
        path.unlink()
        return jobs["end"] - jobs["arrival"]

    def assert_same(self, times, reference, within=SAME):
        self.assertLess(numpy.max(numpy.abs(times / reference - 1)), within, (times, reference))

    def stop_when_training(self, process, ranks):
        self.wait_for_training(process)
        processes = live_run.ranks_of(process.pid)
        for rank in ranks:
            os.kill(processes[rank], signal.SIGSTOP)
        return [processes[rank] for rank in ranks]

    def ended_jobs(self):
        for part in (self.folder / "out").glob("*.h5.part"):
            try:
                with h5py.File(part, "r") as file:
                    return len(file["attempts"])
            except (OSError, KeyError):  # it is being written
                pass
        return 0

    def test_times_are_those_of_one_host(self):
        one = self.completion_times(self.start(""))

        for hosts in ("first:3,second:2", "first:1,second:2,third:2"):
            self.assert_same(self.completion_times(self.start(hosts)), one)
        fast = self.start("first:3,second:2", "--time-scale", "max")
        self.assert_same(self.completion_times(fast), one)

    def test_a_gang_over_two_hosts_is_suspended_and_goes_on(self):
        def run(hosts, *options):
            return self.completion_times(self.start_campaign(TURNS, 9, hosts, *options))

        two = "first:5,second:4"
        self.assert_same(run(two), run(""), EXACTLY)
        fast = run(two, "--time-scale", "max")  # runs as many steps as one as at 60
        self.assert_same(fast, run("", "--time-scale", "60"), EXACTLY)

    def test_the_others_wait_for_a_host_that_is_stopped(self):
        one = self.completion_times(self.start(""))
        process = self.start("first:3,second:2")
        self.wait_for_training(process)
        while self.ended_jobs() < 1:  # then the gang of all four begins
            time.sleep(0.05)

        stopped = self.stop_when_training(process, SECOND)
        time.sleep(STOPPED_S)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)

        self.assert_same(self.completion_times(process), one)
        self.assertGreater(self.held_s, STOPPED_S - 0.5)

    def lose_second_host(self, placement, and_its_daemon):
        """Kills it while a gang of two trains; the outcome of the run: exit code of rank 0, standard
        error, attributes and tables of the result."""
        code = self.folder / "code"
        os.environ["MIMUS_EXIT_CODE_FILE"] = str(code)
        self.addCleanup(os.environ.pop, "MIMUS_EXIT_CODE_FILE", None)
        jobs = ("[{model: resnet18, gang: 2, batch: 256, duration: 300 s},"
                " {model: resnet18, gang: 1, batch: 128, duration: 300 s}]")
        process = self.start("first:3,second:2", "--set", f"workload.jobs={jobs}", "--set",
                             "engine.stage_timeout=8 s", "--set", f"policy.placement={placement}")
        self.wait_for_training(process)
        ranks = live_run.ranks_of(process.pid)
        victims = [ranks[rank] for rank in SECOND]
        if and_its_daemon:
            victims.append(live_run.parent(victims[0]))
        launchers = set(live_run.children(process.pid)) - set(ranks.values())
        for deadly in (signal.SIGSTOP, signal.SIGKILL):  # the last one might belong to the first
            for victim in victims:
                os.kill(victim, deadly)
        for _ in range(live_run.RUN_LIMIT_S * 10):
            if not any(map(live_run.is_running, ranks.values())):
                break
            time.sleep(0.1)
        # If mpirun runs on another host than rank 0, its daemons stay when ranks have died.
        for launcher in filter(live_run.is_running, [process.pid, *launchers]):
            os.kill(launcher, signal.SIGKILL)
        _, stderr = process.communicate(timeout=live_run.RUN_LIMIT_S)
        path, = self.results()
        with h5py.File(path, "r") as file:
            tables = {name: file[name][:] for name in ("attempts", "jobs")}
            attributes = dict(file.attrs)
        path.unlink()
        self.assertEqual([rank for rank in ranks.values() if live_run.is_running(rank)], [])
        return code.read_text().strip(), stderr, attributes, tables

    def test_a_host_that_is_lost_costs_no_more_than_its_gpus(self):
        self.mpirun_options = ("--enable-recovery",)
        # A job is on the second host, or a gang spans both hosts.
        for placement, and_its_daemon in (("pack", False), ("spread", False), ("pack", True)):
            with self.subTest(placement=placement, and_its_daemon=and_its_daemon):
                code, stderr, attributes, tables = self.lose_second_host(placement, and_its_daemon)

                self.assertEqual(code, "0", stderr)
                self.assertEqual(attributes["gpus_lost"], 2, stderr)
                for rank in SECOND:
                    self.assertRegex(stderr, rf"rank {rank} on host \S+: its host has not reported "
                                             rf"for \d+ s; the cell goes on without GPU {rank - 1}")
                self.assertIn(b"worker_lost", set(tables["attempts"]["reason"]))
                self.assertEqual(set(tables["jobs"]["outcome"]), {b"finished"})

    def test_nobody_waits_for_a_host_that_has_nothing_to_do(self):
        process = self.start("first:3,second:2", "--set",
                             "workload.jobs=[{model: resnet18, gang: 1, batch: 128, duration: 240 s},"
                             " {model: resnet18, gang: 1, batch: 128, duration: 300 s}]")
        stopped = self.stop_when_training(process, SECOND)  # both jobs fit on the first host

        for _ in range(live_run.RUN_LIMIT_S * 10):
            if self.results():
                break
            time.sleep(0.1)
        complete = len(self.results())
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        self.assertEqual(complete, 1)
        self.assertEqual(len(self.completion_times(process)), 2)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
