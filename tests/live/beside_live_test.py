# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Effects of live runs on each other.

Usage: beside_live_test.py MIMUS_BINARY [unittest arguments]
"""
import pathlib
import signal
import sys
import time
import unittest

import live_run


class RunsBesideEachOther(live_run.LiveRun):
    def test_a_second_live_run_on_this_machine_is_refused(self):
        process = self.start_mimus()
        self.wait_for_training(process)

        second = self.run_mimus()

        self.assertEqual(second.returncode, 4, second.stderr)
        self.assertRegex(second.stderr, r"cell 001-\S+ is being run by process \d+ on \S+ since")
        self.assertIn("two live runs on one machine", second.stderr)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 75)

    def test_another_slice_on_this_machine_is_refused_too(self):
        slow = ("--set", "engine.time_scale=20")  # cell 001 lasts until the second run has begun
        process = self.start_mimus(*slow)
        self.wait_for_training(process)

        second = self.run_mimus("--only", "002", *slow)

        self.assertEqual(second.returncode, 4, second.stderr)
        self.assertRegex(second.stderr, r"cell 001-\S+ is being run by process \d+")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)

    def test_of_two_that_start_at_once_one_is_refused(self):
        both = [self.start_mimus(), self.start_mimus()]
        for process in both:
            self.addCleanup(process.kill)
        while all(process.poll() is None for process in both):
            time.sleep(0.05)
        both.sort(key=lambda process: process.poll() is None)
        refused, other = both

        _, stderr = refused.communicate()
        self.assertEqual(refused.returncode, 4, stderr)
        self.assertIn("two live runs on one machine", stderr)
        self.wait_for_training(other)
        other.send_signal(signal.SIGINT)
        _, stderr = other.communicate(timeout=live_run.RUN_LIMIT_S)
        self.assertEqual(other.returncode, 75, stderr)
        self.assertEqual(list((self.folder / "out").glob(".*")), [])

    def test_checkpoints_of_other_processes_stay(self):
        others = self.folder / "out" / "checkpoints" / "another-cell" / "job-0.checkpoint"
        others.parent.mkdir(parents=True)
        others.write_text("state")

        done = self.run_mimus("--only", "001")

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([path for path in (self.folder / "out" / "checkpoints").rglob("*")
                          if path.is_file()], [others])

    def test_live_cells_do_not_run_side_by_side(self):
        refused = self.run_mimus("--jobs", "2")
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("live cells run one at a time", refused.stderr)


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
