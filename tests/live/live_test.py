# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Real runs of the mimus program with real ranks: complete, resume, refuse, die, be stopped.

Usage: live_test.py MIMUS_BINARY [unittest arguments]
"""
import json
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
from live_run import CAMPAIGN, RANKS, RUN_LIMIT_S, is_running, ranks_of, segments_of

PREEMPTION = pathlib.Path(__file__).resolve().parent / "preemption.yaml"
IDLE = PREEMPTION.with_name("idle_worker.yaml")


class Live(live_run.LiveRun):
    def test_a_campaign_completes_and_is_not_run_twice(self):
        first = self.run_mimus()
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(len(self.results()), 2)
        for path in self.results():
            self.assert_all_finished(path)
        before = [path.stat().st_mtime_ns for path in self.results()]

        second = self.run_mimus()

        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertIn("all 2 cells are complete", second.stderr)
        self.assertEqual(before, [path.stat().st_mtime_ns for path in self.results()])

    def test_rerun_replaces_a_complete_cell(self):
        self.assertEqual(self.run_mimus("--only", "001").returncode, 0)
        before = self.results()[0].stat().st_mtime_ns

        again = self.run_mimus("--only", "001", "--rerun")

        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertGreater(self.results()[0].stat().st_mtime_ns, before)
        self.assert_all_finished(self.results()[0])

    def test_a_shared_gpu_yields_pairs_with_a_baseline(self):
        done = self.run_mimus("--only", "002")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.results()[0], "r") as file:
            pairs = file["pairs"][:]
            self.assertGreater(len(pairs), 0)
            self.assertTrue((pairs["slowdown"] > 0).all())
            self.assertGreater(len(file["baselines"]), 0)

    def test_a_twin_prints_the_comparison_alone(self):
        command = [live_run.MIMUS, "twin", str(CAMPAIGN), "--json", "-o", str(self.folder / "out"),
                   "--set", "policy.sharing=exclusive"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT_S)

        self.assertEqual(done.returncode, 0, done.stderr)
        cell, = json.loads(done.stdout)["cells"]
        self.assertEqual(cell["jobs"], 4)

    def test_a_preempted_job_goes_on_from_its_checkpoint(self):
        command = [live_run.MIMUS, "run", str(PREEMPTION), "-o", str(self.folder / "out")]

        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT_S)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.results()), 2)  # paced, and on the bare cores
        for path in self.results():
            with h5py.File(path, "r") as file:
                self.assertEqual(set(file["jobs"]["outcome"]), {b"finished"})
                attempts = file["attempts"][:]
                long_job, = (row for row in file["jobs"][:] if row["job"] == 0)
            reasons = [row["reason"] for row in attempts if row["job"] == 0]
            self.assertIn(b"preempted", reasons)
            self.assertEqual(reasons[-1], b"finished")
            # Nothing is trained twice: the attempts' progress adds up to the job's work.
            gained = sum(row["progress_samples"] for row in attempts if row["job"] == 0)
            self.assertAlmostEqual(gained / long_job["work_samples"], 1.0, delta=0.01)
        self.assertFalse((self.folder / "out" / "checkpoints").exists())

    def test_a_world_of_the_wrong_size_is_refused(self):
        for ranks in (RANKS - 1, RANKS + 1):
            mpirun = ["mpirun", "-q", "-n", str(ranks), "--oversubscribe", "--allow-run-as-root"]
            done = subprocess.run(mpirun + self.command(), capture_output=True, text=True,
                                  timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(f"the MPI world has {ranks} ranks, but this run needs {RANKS}",
                          done.stderr)
            self.assertEqual(done.stderr.count("the MPI world has"), 1)

    def test_virtual_cells_beside_live_ones_run_under_mpirun_too(self):
        mixed = self.folder / "mixed.yaml"
        mixed.write_text(f"schema: 1\nname: mixed\nbase: {CAMPAIGN}\n"
                         "sweep:\n  grid:\n    policy.sharing: [exclusive]\n"
                         "    engine.kind: [live, virtual]\n")
        done = subprocess.run(["mpirun", "-q", "-n", "3", "--oversubscribe", "--allow-run-as-root",
                               live_run.MIMUS, "run", str(mixed), "-o", str(self.folder / "out")],
                              capture_output=True, text=True, timeout=RUN_LIMIT_S)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.results()), 2)
        for path in self.results():
            self.assert_all_finished(path)

    def test_virtual_cells_beside_live_ones_run_once(self):
        mixed = self.folder / "mixed.yaml"
        mixed.write_text(f"schema: 1\nname: mixed\nbase: {CAMPAIGN}\n"
                         "sweep:\n  grid:\n    policy.sharing: [exclusive]\n"
                         "    engine.kind: [live, virtual]\n")
        for arguments in ([], ["--rerun", "all"]):
            done = subprocess.run([live_run.MIMUS, "run", str(mixed), "-o",
                                   str(self.folder / "out"), *arguments],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)

            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("1 virtual cells to run"), 1, done.stderr)
            self.assertEqual(done.stderr.count("done in"), 1, done.stderr)

    def run_under_mpirun(self, before):
        """All ranks, each through shell lines that see its number as $rank and can add to $set."""
        each = f'rank=$OMPI_COMM_WORLD_RANK; set=(); {before}; exec "$@" "${{set[@]}}"'
        return subprocess.run(["mpirun", "-q", "-n", str(RANKS), "--oversubscribe",
                               "--allow-run-as-root", "bash", "-c", each, "bash"] + self.command(),
                              capture_output=True, text=True, timeout=RUN_LIMIT_S)

    def test_a_wrong_key_is_reported_once_however_late_rank_0_is(self):
        done = self.run_under_mpirun("set=(--set policy.ordr=fifo); ((rank)) || sleep 2")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count('did you mean "order"?'), 1, done.stderr)
        self.assertNotIn("rank", done.stderr)

    def test_a_wrong_command_line_is_reported_once_however_late_rank_0_is(self):
        done = self.run_under_mpirun("set=(--bogus); ((rank)) || sleep 2")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count('unknown option "--bogus"'), 1, done.stderr)
        self.assertNotIn("rank", done.stderr)

    def test_what_only_one_rank_finds_wrong_is_reported_with_its_number(self):
        done = self.run_under_mpirun("((rank != 2)) || set=(--set policy.ordr=fifo)")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count("rank 2: "), 1, done.stderr)
        self.assertEqual(done.stderr.count('did you mean "order"?'), 1, done.stderr)

    def test_a_killed_worker_ends_the_run_and_the_next_run_resumes(self):
        process = self.start_mimus()
        part = self.wait_for_training(process)
        ranks = ranks_of(process.pid)
        self.assertEqual(sorted(ranks), list(range(RANKS)))

        os.kill(ranks[1], signal.SIGKILL)  # lane 0 of GPU 0: the first job runs there
        killed = time.monotonic()
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertLess(time.monotonic() - killed, 10)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(stderr, r"rank 1 on host \S+ \(.*stage \".*\"\) has died")
        with h5py.File(part, "r") as file:
            # Not "failed": nothing is wrong with the cell, and the next run tries it again.
            self.assertIn(file.attrs["status"].decode().rstrip("\0"), ("interrupted", "running"))
            self.assertEqual(len(file["ranks"]), RANKS)
        again = self.run_mimus()
        self.assertEqual(again.returncode, 0, again.stderr)
        for path in self.results():
            self.assert_all_finished(path)

    def test_a_killed_program_takes_its_ranks_along(self):
        process = self.start_mimus()
        self.wait_for_training(process)
        ranks = ranks_of(process.pid).values()
        self.assertEqual(len(ranks), RANKS)

        process.kill()  # as a batch system does, or timeout -k
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

        self.assertRegex(stderr, r"did not leave: rank 3 on host \S+ \(no job, stage \"idle\"\)")
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
        part = self.wait_for_training(process)

        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=20)

        self.assertEqual(process.returncode, 75, stderr)
        self.assertIn("run the same command again to resume", stderr)
        with h5py.File(part, "r") as file:
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
        part = self.wait_for_training(None)
        ranks = ranks_of(process).values()
        segments = segments_of(ranks)
        self.assertEqual(len(segments), RANKS)

        os.close(terminal)  # the kernel sends SIGHUP to the group in its foreground
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

        self.assertEqual(code, 75)
        self.assertEqual([rank for rank in ranks if is_running(rank)], [])
        with h5py.File(part, "r") as file:
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
        part = self.wait_for_training(process)

        process.send_signal(signal.SIGINT)  # it sends SIGTERM to all ranks, and ends with 1
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 1)
        self.assertNotIn("has died", stderr)
        with h5py.File(part, "r") as file:
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
    unittest.main()
