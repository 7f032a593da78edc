# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""mimus doctor names what hangs, and says what it found.

Usage: doctor_test.py MIMUS_BINARY [unittest arguments]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import live_run

MIMUS = ""
LIMIT_S = 100
CONFIGS = pathlib.Path(__file__).parents[2] / "configs"


class Doctor(unittest.TestCase):
    def examine(self, *arguments):
        return subprocess.run([MIMUS, "doctor", *arguments], capture_output=True, text=True,
                              timeout=LIMIT_S)

    def with_mpirun(self, line):
        """An environment in which mpirun is a shell script with this line."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        mpirun = pathlib.Path(folder.name) / "mpirun"
        mpirun.write_text(f"#!/bin/sh\n{line}\n")
        mpirun.chmod(0o755)
        return {**os.environ, "PATH": f"{folder.name}:{os.environ['PATH']}"}

    def test_the_world_of_a_campaign_is_tried_with_its_gpu_types(self):
        done = self.examine(str(CONFIGS / "groups-twin.yaml"))

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("world of 9 ranks: 1 scheduler, 8 GPUs", done.stdout)
        self.assertRegex(done.stdout, r"ok  GPU types .*host \S+: no CUDA device")
        self.assertRegex(done.stdout, r"ok  campaign .*2 live cells fit: 2 x P100 \+ 2 x T4 \+ 4 x "
                                      r"V100 on CPU cores")

    def test_a_campaign_that_needs_no_ranks_is_refused(self):
        done = self.examine(str(CONFIGS / "groups-twin.yaml"), "--engine", "virtual")

        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('all cells are virtual, and run on any machine with "mimus run"', done.stderr)

    def test_an_mpirun_that_starts_no_ranks_is_named(self):
        done = subprocess.run([MIMUS, "doctor", "-n", "3", "--timeout", "2"], capture_output=True,
                              text=True, timeout=LIMIT_S, env=self.with_mpirun("exec sleep 300"))

        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn('hangs in stage "MPI start" for 2 s', done.stderr)
        self.assertIn('try "mpirun -n 2 hostname"', done.stderr)

    def test_an_mpirun_that_outlives_its_ranks_is_named(self):
        stays = 'echo begin; echo "[1,0]<stdout>:mimus: rank 0 has started"; echo end; exec sleep 300'

        done = subprocess.run([MIMUS, "doctor", "-n", "3", "--timeout", "1"], capture_output=True,
                              text=True, timeout=LIMIT_S, env=self.with_mpirun(stays))

        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn('hangs in stage "end of mpirun" for 6 s', done.stderr)
        self.assertEqual(done.stdout.splitlines()[-2:], ["begin", "end"])

    def test_an_mpirun_that_fails_without_a_rank_is_not_silent(self):
        for code in (1, 255):  # Open MPI's codes for too few slots and for an unreachable host
            done = subprocess.run([MIMUS, "doctor", "-n", "3"], capture_output=True, text=True,
                                  timeout=LIMIT_S, env=self.with_mpirun(f"exit {code}"))

            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(f"mpirun ended with exit code {code} and has not started any rank",
                          done.stderr)
            self.assertIn("slots for 3 ranks", done.stderr)

    def test_a_missing_mpirun_is_said_once(self):
        done = subprocess.run([MIMUS, "doctor", "-n", "3"], capture_output=True, text=True,
                              timeout=LIMIT_S, env={**os.environ, "PATH": "/nowhere"})

        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(done.stderr.count("mpirun"), 1, done.stderr)

    def test_who_asks_twice_is_obeyed(self):
        process = subprocess.Popen([MIMUS, "doctor", "-n", "3", "--timeout", "60"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.with_mpirun('trap "" USR1; echo started; '
                                                        'while :; do sleep 1; done'))
        while process.stdout.readline() != "started\n":
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        time.sleep(3)  # sent at once, they would be one request
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)

        process.communicate(timeout=20)

        self.assertEqual(process.returncode, 75)

    def test_a_request_that_mpirun_misses_is_repeated(self):
        """For example one that comes before mpirun has started its ranks."""
        process = subprocess.Popen(
            [MIMUS, "doctor", "-n", "3", "--timeout", "60"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            env=self.with_mpirun("trap 'trap \"exit 3\" USR1' USR1; echo started; "
                                 "while :; do sleep 0.1; done"))
        while process.stdout.readline() != "started\n":
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)

        process.communicate(timeout=20)

        self.assertEqual(process.returncode, 75)

    def test_json_tells_of_all_stages(self):
        done = self.examine("-n", "3", "--json")

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([finding["stage"] for finding in json.loads(done.stdout)],
                         ["host", "leftovers", "CUDA", "NCCL", "MPI start", "all-reduce", "gang creation",
                          "shared memory and rates", "GPU types"])

    def test_what_a_killed_run_has_left_is_named_and_removed(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        environment = {**os.environ, "TMPDIR": folder.name}
        campaign = pathlib.Path(__file__).resolve().parent / "small.yaml"
        run = subprocess.Popen([MIMUS, "run", str(campaign), "-o", f"{folder.name}/out"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=environment)
        self.addCleanup(run.kill)
        segments = set()
        while len(segments) < live_run.RANKS:
            self.assertIsNone(run.poll(), "the run ended before its ranks had met")
            time.sleep(0.1)
            segments = live_run.segments_of(live_run.ranks_of(run.pid).values())

        beside = self.examine("-n", "2")  # it does not take anything that is in use
        self.assertIn("no leftovers", beside.stdout)
        for process in [run.pid, *live_run.children(run.pid)]:
            os.kill(process, signal.SIGKILL)
        run.wait(timeout=20)
        left = {*segments, *(str(path) for path in pathlib.Path(folder.name).glob("ompi.*/pid.*"))}
        self.assertEqual(len(left), live_run.RANKS + 1)
        time.sleep(2)  # younger ones might be about to be used
        after = subprocess.run([MIMUS, "doctor", "-n", "2"], capture_output=True, text=True,
                               timeout=LIMIT_S, env=environment)

        self.assertEqual(after.returncode, 0, after.stderr)
        for path in left:
            self.assertIn(path, after.stdout)
            self.assertFalse(pathlib.Path(path).exists())

    def test_a_gang_that_is_not_formed_is_not_claimed(self):
        done = self.examine("-n", "2")

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("formed", done.stdout)
        self.assertIn("left out", done.stdout)


if __name__ == "__main__":
    MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
