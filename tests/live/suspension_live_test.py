# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Gangs that take turns on GPUs: the live run against the virtual one, and ends while suspended.

Usage: suspension_live_test.py MIMUS_BINARY [unittest arguments]
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

import live_run
from live_run import RUN_LIMIT_S, is_running, ranks_of

TURNS = pathlib.Path(__file__).resolve().parent / "turns.yaml"
FIRST_LEAD = 1  # of the gangs on GPUs 0 and 1: lane 0 of four


def tables_of(path, *names):
    with h5py.File(path, "r") as file:
        return [file[name][:] for name in names]


def run_engine(kind, out):
    """The result of the campaign in this engine."""
    done = subprocess.run([live_run.MIMUS, "run", str(TURNS), "-q", "-o", str(out),
                           "--set", f"engine.kind={kind}", "--set", "engine.clock=unbound"],
                          capture_output=True, text=True, timeout=RUN_LIMIT_S)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    path, = out.glob("*.h5")
    return path


class BothEngines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            live, virtual = run_engine("live", out / "live"), run_engine("virtual", out / "virtual")
            cls.jobs, cls.pauses, cls.attempts, cls.steps = tables_of(
                live, "jobs", "suspensions", "attempts", "steps")
            cls.expected_jobs, cls.expected = tables_of(virtual, "jobs", "suspensions")

    def test_live_turns_are_as_long_as_virtual_ones(self):
        jobs = self.jobs
        self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 4)
        self.assertEqual(len(self.attempts), 4)  # nothing is restarted
        self.assertGreater(len(self.pauses), 6)
        self.assertEqual(list(self.pauses["job"]), list(self.expected["job"]))
        mean, expected_mean = jobs["jct"].mean(), self.expected_jobs["jct"].mean()
        self.assertLess(abs(mean / expected_mean - 1), 0.03, f"{mean} s live, {expected_mean} s virtual")
        for job, other in zip(numpy.sort(jobs, order="job"), numpy.sort(self.expected_jobs, order="job")):
            if other["suspended"] > 0:
                self.assertLess(abs(job["suspended"] / other["suspended"] - 1), 0.05, job["job"])
            self.assertAlmostEqual(job["queueing"] + job["running"] + job["suspended"], job["jct"], 6)

    def test_one_job_at_a_time_makes_steps(self):
        spans = sorted((row["begin"], row["end"], row["job"]) for row in self.steps if row["job"] != 1)
        for (_, end, job), (begin, _, other) in zip(spans, spans[1:]):
            if job != other:
                self.assertLessEqual(end, begin + 1e-9, f"jobs {job} and {other}")
        self.assertEqual(set(self.steps["co_tenants"]), {0})


class Ends(live_run.LiveRun):
    def start_turns(self):
        process = subprocess.Popen([live_run.MIMUS, "run", str(TURNS), "-o", str(self.folder / "out")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        give_up = time.monotonic() + RUN_LIMIT_S
        while not self.is_first_job_suspended():
            self.assertIsNone(process.poll(), "the run ended before a job was suspended")
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.05)
        return process

    def is_first_job_suspended(self):
        for part in (self.folder / "out").glob("*.h5.part"):
            try:
                events, = tables_of(part, "events")
            except (OSError, KeyError):
                continue
            return any(row["kind"] == b"attempt_suspended" and row["job"] == 0 for row in events)
        return False

    def test_a_suspended_member_that_dies_costs_its_attempt(self):
        process = self.start_turns()
        os.kill(ranks_of(process.pid)[FIRST_LEAD], signal.SIGKILL)
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 0, stderr)
        path, = self.results()
        jobs, attempts = tables_of(path, "jobs", "attempts")
        self.assertEqual([job["outcome"] for job in jobs], [b"finished"] * 4)
        lost = [row for row in attempts if row["reason"] == b"worker_lost"]
        self.assertIn(0, [row["job"] for row in lost])
        with h5py.File(path, "r") as file:
            self.assertEqual(file.attrs["gpus_lost"], 1)

    def test_a_run_that_is_stopped_leaves_nothing_and_resumes(self):
        process = self.start_turns()
        ranks = ranks_of(process.pid)
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=RUN_LIMIT_S)

        self.assertEqual(process.returncode, 75, stderr)
        self.assertEqual([rank for rank in ranks.values() if is_running(rank)], [])
        again = subprocess.run([live_run.MIMUS, "run", str(TURNS), "-q", "-o", str(self.folder / "out")],
                               capture_output=True, text=True, timeout=RUN_LIMIT_S)
        self.assertEqual(again.returncode, 0, again.stderr)
        path, = self.results()
        self.assert_all_finished(path)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
