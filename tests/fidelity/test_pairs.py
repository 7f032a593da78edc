# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Pairs of jobs in processes. The jobs belong to the test and train nothing."""

import os
import time
import unittest

try:
    from real.crew import Crew, JobFailed
    from real.pairs import CoRun, PairMatrix
    from real.seating import CONTEXT, Seating
    from real.tenant import Task, Tenant
except ImportError as missing:
    raise unittest.SkipTest(f"skipped: {missing}") from missing


class CountingJob:
    """Reports that a step takes a second, and one more for every job beside it."""

    memory = 1000

    def __init__(self, task):
        self._model = task.tenant.model
        if self._model == "unmade":
            raise ValueError("no such thing\nsecond line")

    def work(self, seconds, mine, others):
        if self._model == "killed" and others:
            os._exit(9)
        mine.set()
        for other in others:
            if not other.wait(20):
                raise RuntimeError("waited in vain")
        return [1.0 + len(others)] * 10


def task(model):
    return Task(Tenant(model, 1), "fp32", None)


class Crews(unittest.TestCase):
    def test_jobs_know_of_those_beside_them(self):
        with Crew(CountingJob, 3) as crew:
            self.assertEqual(crew.start({0: task("a"), 2: task("b")}), {0: 1000, 2: 1000})
            self.assertEqual(crew.work([0], 0.1), [[1.0] * 10])
            self.assertEqual(crew.work([0, 2], 0.1), [[2.0] * 10] * 2)

    def test_one_that_is_killed_holds_nobody_up(self):
        with Crew(CountingJob, 2) as crew:
            crew.start({0: task("a"), 1: task("killed")})
            begin = time.monotonic()
            with self.assertRaisesRegex(JobFailed, "exit code 9"):
                crew.work([0, 1], 0.1)
            self.assertLess(time.monotonic() - begin, 10)
            self.assertEqual(crew.work([0], 0.1), [[1.0] * 10])

    def test_one_that_cannot_be_made_says_why(self):
        with Crew(CountingJob, 2) as crew:
            self.assertEqual(crew.start({0: task("unmade"), 1: task("a")}), {1: 1000})
            with self.assertRaisesRegex(JobFailed, "^ValueError no such thing$"):
                crew.work([0, 1], 0.1)


class StartedJobs:
    """A crew without processes. Jobs of model 2 take twice as much memory."""

    def __init__(self):
        self.alive = set()
        self.log = []

    def ready(self, seat):
        return seat in self.alive

    def start(self, tasks):
        self.log.append(("start", *sorted(tasks)))
        self.alive |= set(tasks)
        return {seat: 100 * task.tenant.samples for seat, task in tasks.items()}

    def dismiss(self, seats):
        if seats:
            self.log.append(("dismiss", *sorted(seats)))
        self.alive -= set(seats)


PAIRS = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]


class Seats(unittest.TestCase):
    def log_of(self, jobs_in_memory):
        crew = StartedJobs()
        tasks = [Task(Tenant("m", samples), "fp32", None) for samples in (1, 1, 2)]
        seating = Seating(crew, tasks, jobs_in_memory * (100 + CONTEXT))
        seating.prepare(PAIRS)
        for first, pair in enumerate(PAIRS):
            seating.make_room(pair, PAIRS[first:])
            self.assertTrue(crew.alive.issuperset(seating.seats(pair)))
        return crew.log

    def test_with_memory_for_all_each_is_made_once(self):
        starts = [entry for entry in self.log_of(7) if entry[0] == "start"]
        self.assertEqual(starts, [("start", 3, 4, 5), ("start", 0, 1, 2)])

    def test_those_that_do_not_fit_take_the_places_of_those_that_are_done(self):
        # Room for slightly more than four jobs: the right ones of three models and one on the left.
        self.assertEqual(self.log_of(4.5), [
            ("start", 3, 4, 5), ("start", 0), ("dismiss", 3), ("dismiss", 0), ("start", 1),
            ("dismiss", 4), ("dismiss", 1), ("start", 2)])


class Matrix(unittest.TestCase):
    def rows_of(self, *models, done=()):
        rows = []
        run = CoRun(CountingJob, "fp32", None, 0.1, 10 * CONTEXT)
        PairMatrix(run, "time_slice", rows.append).measure(
            [Tenant(model, 1) for model in models],
            lambda row: (row["model"], row["co_model"]) in done)
        return {(row["model"], row["co_model"]): row for row in rows}

    def test_every_two_models_are_measured_from_either_side(self):
        rows = self.rows_of("a", "b")
        self.assertEqual(set(rows), {("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")})
        self.assertEqual({row["slowdown"] for row in rows.values()}, {2.0})

    def test_what_is_done_is_not_measured_again(self):
        self.assertEqual(set(self.rows_of("a", "b", done=[("a", "a"), ("a", "b")])), {("b", "b")})

    def test_a_pair_that_fails_costs_no_other(self):
        rows = self.rows_of("a", "killed")
        self.assertEqual(rows["a", "a"]["failure"], "")
        self.assertIn("exit code 9", rows["a", "killed"]["failure"])
        self.assertIn("exit code 9", rows["killed", "killed"]["failure"])


if __name__ == "__main__":
    unittest.main()
