# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""How live runs end early: ranks die or hang, or users stop them.

Usage: ends_live_test.py MIMUS_BINARY PRELOADED_LIBRARY [unittest arguments]
"""
import os
import pathlib
import pty
import signal
import subprocess
import sys
import time
import unittest

import h5py

import live_run
from live_run import RANKS, RUN_LIMIT_S, is_running, ranks_of, segments_of

STOP = ("--set", "engine.on_lost_rank=stop")
IDLE = pathlib.Path(__file__).resolve().parent / "idle_worker.yaml"
PRELOADED = ""


def loads_mpi(pid):
    """Whether a rank is in MPI_Init, which loads the library's components."""
    try:
        return "/openmpi3/mca_" in pathlib.Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return False


class Ends(live_run.LiveRun):
    def test_a_killed_worker_ends_a_run_that_is_to_stop_and_the_next_run_resumes(self):
        process = self.start_mimus(*STOP)
        self.wait_for_training(process)
        ranks = ranks_of(process.pid)
        self.assertEqual(sorted(ranks), list(range(RANKS)))

        os.kill(ranks[1], signal.SIGKILL)  # lane 0 of GPU 0: the first job runs there
        killed = time.monotonic()
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertLess(time.monotonic() - killed, 10)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(stderr, r"rank 1 on host \S+ \(.*stage \".*\"\) has died")
        with h5py.File(self.unfinished(), "r") as file:
            # Not "failed": the cell is not at fault, and the next run tries it again.
            self.assertIn(file.attrs["status"].decode().rstrip("\0"), ("interrupted", "running"))
            self.assertEqual(len(file["ranks"]), RANKS)
        again = self.run_mimus()
        self.assertEqual(again.returncode, 0, again.stderr)
        for path in self.results():
            self.assert_all_finished(path)

    def test_a_rank_that_dies_while_mpi_starts_is_named_first(self):
        for rank, deadly in ((2, signal.SIGSEGV), (3, signal.SIGABRT), (0, signal.SIGKILL)):
            process = self.start_mimus(*STOP)
            self.addCleanup(process.kill)
            while not (victim := ranks_of(process.pid).get(rank)) or not loads_mpi(victim):
                self.assertIsNone(process.poll(), "the run ended before its ranks had started")
                time.sleep(0.005)

            os.kill(victim, deadly)
            _, stderr = process.communicate(timeout=RUN_LIMIT_S)

            # An mpirun that has deadlocked is killed.
            self.assertIn(process.returncode, (128 + deadly, 128 + signal.SIGKILL))
            how = f", by {deadly.name}" if process.returncode != 128 + signal.SIGKILL else ".*"
            self.assertRegex(stderr, rf"\Amimus: error: rank {rank} on host \S+ has died "
                                     rf"\(process {victim}\){how}; run the same command again")
            self.assertEqual(stderr.count("mimus: error:"), 1, stderr)

    def test_what_mpi_says_of_a_world_that_is_not_formed_stands_below(self):
        """A library that every rank loads prints the text and determines how a rank dies."""
        process = self.start_mimus(*STOP, LD_PRELOAD=PRELOADED, MIMUS_TEST_DIES="2:start")
        self.addCleanup(process.kill)

        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertNotEqual(process.returncode, 0)
        first, heading, said = stderr.partition("mimus: output of MPI and its launcher:\n")
        self.assertRegex(first, r"\Amimus: error: rank 2 on host \S+ has died \(process \d+\).*\n\Z")
        self.assertTrue(heading, stderr)
        self.assertEqual(said.count("words of a library\n"), RANKS, stderr)

    def test_a_rank_that_dies_before_its_first_line_is_not_passed_over(self):
        process = self.start_mimus(*STOP, LD_PRELOAD=PRELOADED, MIMUS_TEST_DIES="2:load")
        self.addCleanup(process.kill)

        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 128 + signal.SIGSEGV, stderr)
        self.assertRegex(stderr, r"\Amimus: error: (rank 2|a rank) has died during its start, by SIGSEGV; "
                                 "run the same command again")

    def test_a_killed_program_takes_its_ranks_along(self):
        process = self.start_mimus()
        self.wait_for_training(process)
        ranks = ranks_of(process.pid).values()
        self.assertEqual(len(ranks), RANKS)

        process.kill()  # like a batch system, or timeout -k
        process.communicate(timeout=20)

        left = time.monotonic() + 20
        while any(is_running(rank) for rank in ranks) and time.monotonic() < left:
            time.sleep(0.1)
        self.assertEqual([rank for rank in ranks if is_running(rank)], [])

    def test_a_worker_that_does_not_leave_is_named_and_the_run_ends(self):
        process = subprocess.Popen([live_run.MIMUS, "run", str(IDLE), "-o", str(self.folder / "out")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for_training(process)
        os.kill(ranks_of(process.pid)[3], signal.SIGSTOP)  # it serves the third GPU

        stdout, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertRegex(stderr, r"have not left: rank 3 on host \S+ \(no job, stage \"idle\"\)")
        self.assertEqual(process.returncode, 0, stderr)  # the cells are complete
        self.assertEqual(len(self.results()), 1)
        self.assertIn("1/1", stdout)

    def test_a_stopped_worker_that_a_gang_waits_for_is_named(self):
        jobs = ("[{model: resnet18, gang: 1, batch: 128, duration: 480 s}, "
                "{model: resnet18, gang: 2, batch: 256, arrival: 240 s, duration: 60 s}]")
        process = subprocess.Popen([live_run.MIMUS, "run", str(IDLE), "-o", str(self.folder / "out"),
                                    "--set", f"workload.jobs={jobs}"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for_training(process)
        os.kill(ranks_of(process.pid)[3], signal.SIGSTOP)  # idle until the second job arrives

        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 1, stderr)
        self.assertRegex(stderr, r"; stopped by a signal: rank 3 on host \S+ \(")

    def test_ctrl_c_ends_resumable_and_in_good_order(self):
        process = self.start_mimus()
        self.wait_for_training(process)

        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=20)

        self.assertEqual(process.returncode, 75, stderr)
        self.assertIn("run the same command again to resume", stderr)
        with h5py.File(self.unfinished(), "r") as file:
            self.assertEqual(file.attrs["status"].decode().rstrip("\0"), "interrupted")
            # mpirun forwards another signal than the user's.
            self.assertIn("stopped by SIGINT (Ctrl-C);", file.attrs["status_reason"].decode())
            self.assertEqual(len(file["jobs"]), 4)
        again = self.run_mimus()
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(len(self.results()), 2)

    def test_a_terminal_that_is_closed_ends_it_like_ctrl_c(self):
        process, terminal = pty.fork()
        if process == 0:
            os.environ["TMPDIR"] = str(self.folder)
            os.execv(live_run.MIMUS, self.command("-q"))
        self.wait_for_training(None)
        ranks = ranks_of(process).values()
        segments = segments_of(ranks)
        self.assertEqual(len(segments), RANKS)

        os.close(terminal)  # the kernel sends SIGHUP to the group in its foreground
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

        self.assertEqual(code, 75)
        self.assertEqual([rank for rank in ranks if is_running(rank)], [])
        with h5py.File(self.unfinished(), "r") as file:
            self.assertEqual(file.attrs["status"].decode().rstrip("\0"), "interrupted")
            self.assertIn("stopped by SIGHUP (its terminal was closed);",
                          file.attrs["status_reason"].decode())
        self.assertEqual([path for path in segments if pathlib.Path(path).exists()], [])
        self.assertEqual(list(self.folder.glob("ompi.*/pid.*")), [])
        self.assertEqual(list((self.folder / "out").glob(".*")), [])

    def test_an_mpirun_of_the_user_that_is_stopped_has_lost_no_worker(self):
        process = subprocess.Popen(["mpirun", "-q", "-n", str(RANKS), "--oversubscribe",
                                    "--allow-run-as-root", *self.command()], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.wait_for_training(process)

        process.send_signal(signal.SIGINT)  # it sends SIGTERM to all ranks, and ends with 1
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 1)
        self.assertNotIn("has died", stderr)
        with h5py.File(self.unfinished(), "r") as file:
            self.assertEqual(file.attrs["status"].decode().rstrip("\0"), "interrupted")
            self.assertIn("stopped by SIGTERM;", file.attrs["status_reason"].decode())

    def test_ctrl_c_is_heard_while_a_worker_is_not_ready_for_the_cell(self):
        process = subprocess.Popen([live_run.MIMUS, "run", str(IDLE), "-o", str(self.folder / "out"),
                                    "--set", "repetitions=2", "--set", "engine.stage_timeout=5 s",
                                    "--set", "engine.time_scale=240"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for_training(process)
        os.kill(ranks_of(process.pid)[3], signal.SIGSTOP)  # idle in the first cell
        while not list((self.folder / "out").glob("*-r1.h5.part")):
            self.assertIsNone(process.poll(), "the run ended before its second cell")
            time.sleep(0.05)

        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 75, stderr)
        self.assertIn("run the same command again to resume", stderr)
        part, = (self.folder / "out").glob("*-r1.h5.part")
        with h5py.File(part, "r") as file:
            self.assertEqual(file.attrs["status"].decode().rstrip("\0"), "interrupted")


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    PRELOADED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
