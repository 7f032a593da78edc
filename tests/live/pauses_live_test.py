# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs that give memory back while they are suspended: the live run against the virtual one.

Usage: pauses_live_test.py MIMUS_BINARY [unittest arguments]. Exit code 77 without planners in Python.
"""
import json
import pathlib
import subprocess
import sys
import unittest

import h5py
import numpy

import live_run

PAUSES = pathlib.Path(__file__).resolve().parent / "pauses.yaml"
HOST, GUEST = 3, 4  # jobs that do not fit into the memory of their GPU together
RESUMED = [70, 140, 60, 75, None]  # when the jobs are to go on, by job [s]


class Pauses(live_run.LiveRun):
    def run_engine(self, kind, *options):
        out = self.folder / kind
        done = subprocess.run([live_run.MIMUS, "run", str(PAUSES), "-q", "-o", str(out), "--set",
                               f"engine.kind={kind}", *options],
                              capture_output=True, text=True, timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        path, = out.glob("*.h5")
        with h5py.File(path, "r") as file:
            return {name: file[name][:] for name in ("jobs", "attempts", "suspensions", "steps", "events")}

    def pauses_of(self, tables):
        """Of each pause the job and what it keeps, then times [s]: from its last step until it is
        suspended and until its next step, and from the order to go on until then."""
        pauses = []
        rows = sorted(tables["suspensions"], key=lambda row: (row["job"], row["begin"]))
        for row, resumed in zip(rows, RESUMED):
            steps = tables["steps"][tables["steps"]["attempt"] == row["attempt"]]
            last = max(step["end"] for step in steps if step["end"] <= row["begin"] + 1e-6)
            pauses.append((int(row["job"]), row["keeps"].decode(), row["begin"] - last, row["end"] - last,
                           row["end"] - (resumed or row["end"])))
        return pauses

    def test_pauses_are_as_long_live_as_virtual(self):
        live, virtual = self.run_engine("live"), self.run_engine("virtual")

        for tables in (live, virtual):
            self.assertEqual([row["outcome"] for row in tables["jobs"]], [b"finished"] * 5)
            self.assertEqual(len(tables["attempts"]), 5)  # nothing is restarted
        pauses, expected = self.pauses_of(live), self.pauses_of(virtual)
        self.assertEqual([pause[:2] for pause in pauses],
                         [(0, "nothing")] * 2 + [(1, "state"), (2, "nothing"), (HOST, "state")])
        for live_pause, virtual_pause in zip(pauses, expected):
            job, keeps, given, pause, taken = live_pause
            _, _, expected_given, expected_pause, expected_taken = virtual_pause
            with self.subTest(job=job, keeps=keeps):
                print(live_pause, "live,", virtual_pause, "virtual", file=sys.stderr)
                self.assertLess(abs(pause / expected_pause - 1), 0.05)
                if keeps == "nothing":
                    self.assertGreater(expected_given, 0.1)
                    self.assertLess(abs(given / expected_given - 1), 0.05)
                    self.assertLess(abs(taken / expected_taken - 1), 0.05)
        mean, expected_mean = (tables["jobs"]["jct"].mean() for tables in (live, virtual))
        print(f"mean JCT {mean:.2f} s live, {expected_mean:.2f} s virtual", file=sys.stderr)
        self.assertLess(abs(mean / expected_mean - 1), 0.03)

    def test_a_job_that_is_to_go_on_at_once_does_so_within_two_steps(self):
        """The order to suspend it takes effect at the end of a step, and no time passes until the next one."""
        orders = (30, 40.3, 50.7)
        legs = [[0, "run"]] + [leg for order in orders for leg in ([order, "all"], [order + 0.001, "run"])]
        itineraries = [legs, [[0, "run"]], legs, [[0, "run"], [30, "state"]], [[0, "wait"], [30, "run"]]]
        tables = self.run_engine("live", "--set", f"policy.planner.arguments.itineraries={json.dumps(itineraries)}")

        self.assertEqual(len(tables["attempts"]), 5)
        for job in (0, 2):
            pauses = numpy.sort(tables["suspensions"][tables["suspensions"]["job"] == job], order="begin")
            self.assertEqual(len(pauses), len(orders))
            for order, pause in zip(orders, pauses):
                steps = tables["steps"][tables["steps"]["attempt"] == pause["attempt"]]
                before = steps[steps["end"] <= pause["begin"] + 1e-6][-1]
                after = steps[steps["begin"] >= pause["end"] - 1e-6][0]
                step = (before["end"] - before["begin"]) / before["steps"]
                print(f"job {job} goes on after {(after['begin'] - order) / step:.2f} steps", file=sys.stderr)
                self.assertLessEqual(after["begin"] - order, 2 * step)
                self.assertLess(after["begin"] - before["end"], 0.01 * step)

    def test_a_job_fits_into_what_a_suspended_one_gives_back(self):
        tables = self.run_engine("live")

        jobs = {int(row["job"]): row for row in tables["jobs"]}
        pause, = tables["suspensions"][tables["suspensions"]["job"] == HOST]
        guest, = tables["attempts"][tables["attempts"]["job"] == GUEST]
        self.assertEqual(guest["begin"], pause["begin"])
        self.assertAlmostEqual(guest["end"], pause["end"], delta=0.5)
        self.assertGreater(jobs[HOST]["end"], guest["end"])

    def test_it_does_not_if_that_keeps_all(self):
        legs = '[[[0, run]], [[0, run]], [[0, run]], [[0, run], [30, all]], [[0, wait], [30, run]]]'
        tables = self.run_engine("virtual", "--set", f"policy.planner.arguments.itineraries={legs}")

        refused = [row["detail"].decode() for row in tables["events"] if row["kind"] == b"plan_refused"]
        self.assertTrue(refused)
        self.assertIn("the 2 jobs that are to hold it need", refused[0])
        guest, = tables["attempts"][tables["attempts"]["job"] == GUEST]
        host, = tables["attempts"][tables["attempts"]["job"] == HOST]
        self.assertGreaterEqual(guest["begin"], host["end"])


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    live_run.skip_without_python_planners(PAUSES)
    unittest.main()
