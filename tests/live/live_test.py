# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Real runs of the mimus program with real ranks: complete, resume, refuse.

Usage: live_test.py MIMUS_BINARY [unittest arguments]
"""
import json
import pathlib
import subprocess
import sys
import unittest

import h5py

import live_run
from live_run import CAMPAIGN, RANKS, RUN_LIMIT_S

PREEMPTION = pathlib.Path(__file__).resolve().parent / "preemption.yaml"


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
            # Nothing is trained twice: the progress of the attempts adds up to the job's work.
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


if __name__ == "__main__":
    live_run.MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
