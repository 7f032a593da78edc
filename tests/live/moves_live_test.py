# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that go on on other GPUs without a restart: the live run against the virtual one.

Usage: moves_live_test.py MIMUS_BINARY [unittest arguments]. Exit code 77 without planners in Python.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

import live_run

FIRST = 2  # job that moves first: from GPUs 2 and 3 to GPUs 8 and 9
MOVES = pathlib.Path(__file__).resolve().parent / "moves.yaml"


class Moves(live_run.LiveRun):
    def run_engine(self, kind, *options):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(MOVES), "-q", "-o", str(out), "--set",
                               f"engine.kind={kind}", *options],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return {name: file[name][:] for name in ("jobs", "attempts", "steps", "decisions")}

    def test_a_move_takes_live_what_its_state_takes_over_the_link(self):
        live, virtual = self.run_engine("live"), self.run_engine("virtual")

        for tables in (live, virtual):
            self.assertEqual([row["outcome"] for row in tables["jobs"]], [b"finished"] * 3)
            self.assertEqual(tables["decisions"]["moves"].sum(), 4)
            self.assertEqual(sorted(row["reason"] for row in tables["attempts"]),
                             [b"finished"] * 3 + [b"moved"] * 4)
        pauses, expected = (live_run.pauses_of(tables, {b"moved"}) for tables in (live, virtual))
        self.assertEqual(len(pauses), 4)
        np.testing.assert_allclose(pauses, expected, rtol=1e-3)
        mean, expected_mean = (tables["jobs"]["jct"].mean() for tables in (live, virtual))
        self.assertLess(abs(mean / expected_mean - 1), 0.01, f"{mean} s live, {expected_mean} s virtual")
        self.check_no_step_is_lost_or_repeated(live["steps"])

    def check_no_step_is_lost_or_repeated(self, steps):
        for job, work in {0: 3000, 1: 24000, 2: 4000}.items():
            rows = steps[steps["job"] == job]
            beyond = rows["progress_samples"].sum() - work
            self.assertGreater(beyond, -1e-6)
            self.assertLess(beyond, 1.01 * rows["total_batch"].max())

    def start_moves(self):
        """A run in which a job is about to move: that takes 13 emulated seconds, of which the file shows
        the first one after up to a second of wall time."""
        process = subprocess.Popen([live_run.MIMUS, "run", str(MOVES), "-o", str(self.folder / "out"),
                                    "--set", "engine.time_scale=5"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        give_up = time.monotonic() + live_run.RUN_LIMIT_S
        while not self.is_move_asked_for():
            self.assertIsNone(process.poll(), "the run ended before a job was moved")
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.02)
        return process

    def is_move_asked_for(self):
        for part in (self.folder / "out").glob("*.h5.part"):
            try:
                with h5py.File(part, "r") as file:
                    return file["decisions"]["moves"].sum() > 0
            except (OSError, KeyError):
                continue
        return False

    def lose_a_worker(self, gpu):
        process = self.start_moves()
        os.kill(live_run.ranks_of(process.pid)[1 + gpu], signal.SIGKILL)
        _, stderr = process.communicate(timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(process.returncode, 0, stderr)
        path, = self.results()
        with h5py.File(path, "r") as file:
            reasons = [row["reason"] for row in file["attempts"][:] if row["job"] == FIRST]
        self.assertIn(b"worker_lost", reasons)

    def test_where_a_job_moves_from_may_die(self):
        self.lose_a_worker(2)

    def test_where_a_job_moves_to_may_die(self):
        self.lose_a_worker(8)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    live_run.skip_without_python_planners(MOVES)
    unittest.main()
