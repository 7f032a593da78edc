#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The life of a campaign, seen from the command line: campaign_test.py MIMUS [unittest args].

Status, resume, reruns of failed cells, two runs at once, and the merged file as h5py reads it.
"""

import csv
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

MIMUS = None
LIMIT_S = 200


def campaign(jobs, policies=("fifo-skip", "sjf-true", "fifo"), **more):
    return {"schema": 1, "name": "life", "seed": 3, "record": "jobs",
            "cluster": {"nodes": 4, "gpus_per_node": 4, "gpu": "V100", "network": "100 Gbit/s"},
            "workload": {"source": "philly-like", "jobs": jobs, "load": 0.9},
            "engine": {"kind": "virtual", "step_time": "duration", "interference": "none"},
            "sweep": {"grid": {"policy": list(policies)}}, **more}


def mark_failed(path, reason):
    """The result of a cell that ends with its own error."""
    part = path.with_suffix(".h5.part")
    path.rename(part)
    with h5py.File(part, "r+") as file:
        file.attrs.create("status", np.bytes_(b"failed"))
        file.attrs.create("status_reason", np.bytes_(reason.encode()))


class CampaignLife(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-campaign-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"
        self.write(campaign(40))

    def write(self, document):
        self.file = self.folder / "life.yaml"
        self.file.write_text(json.dumps(document), encoding="utf-8")

    def command(self, *verb_and_options):
        verb, *options = verb_and_options
        return [MIMUS, "campaign", verb, str(self.file), "-o", str(self.out), *options]

    def mimus(self, *verb_and_options, code=0):
        done = subprocess.run(self.command(*verb_and_options), capture_output=True, text=True,
                              timeout=LIMIT_S)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def status(self, *options):
        return json.loads(self.mimus("status", "--json", *options).stdout)

    def states(self, *options):
        return {cell["id"]: cell["state"] for cell in self.status(*options)["cells"]}

    def results(self):
        return sorted(path for path in self.out.glob("0*.h5"))

    def test_status_follows_the_cells(self):
        self.assertEqual(set(self.states().values()), {"waiting"})
        self.mimus("run", "--only", "002")

        after = self.status()

        self.assertEqual([cell["state"] for cell in after["cells"]], ["waiting", "done", "waiting"])
        self.assertEqual(after["cells"][1]["jobs_ended"], 40)
        self.assertGreater(after["cells"][1]["simulated_end_s"], 0)
        self.assertGreater(after["time_left_s"], 0)
        self.assertEqual(after["counts"]["done"], 1)
        self.assertEqual(len(self.status("--state", "done")["cells"]), 1)
        text = self.mimus("status").stdout
        self.assertIn(f"3 cells in {self.out}: 1 done, 2 waiting; about", text)
        self.mimus("run")
        self.assertEqual(self.status()["time_left_s"], 0)

    def test_a_changed_campaign_makes_results_stale_and_keeps_them(self):
        self.mimus("run")
        before = self.results()

        changed = ("--set", "seed=4")
        self.assertEqual(set(self.states(*changed).values()), {"stale"})
        self.mimus("run", *changed)

        self.assertEqual(set(self.states(*changed).values()), {"done"})
        self.assertEqual(self.status(*changed)["other_files"], 3)
        self.assertLess(set(before), set(self.results()))

    def test_resume_refuses_what_was_never_started(self):
        refused = self.mimus("resume", code=2)
        self.assertIn("nothing to resume", refused.stderr)
        self.mimus("run", "--only", "001")
        self.mimus("resume")
        self.assertEqual(set(self.states().values()), {"done"})

    def test_a_failed_cell_runs_again_only_when_asked_to(self):
        self.mimus("run")
        cell = self.results()[1]
        mark_failed(cell, "the disk is full")
        others = {path: path.stat().st_mtime_ns for path in self.results()}
        self.assertEqual(self.status()["cells"][1]["detail"], "the disk is full")

        left = self.mimus("run", code=1)

        self.assertIn(f"{cell.stem}: the disk is full; --rerun failed", left.stderr)
        self.assertFalse(cell.exists())
        self.mimus("resume", "--rerun", "failed")
        self.assertTrue(cell.exists())
        self.assertEqual(others, {path: path.stat().st_mtime_ns for path in others})

    def test_a_failed_cell_does_not_end_the_ranks_that_run_others(self):
        self.mimus("run", "--only", "002")
        mark_failed(self.results()[0], "the disk is full")
        late = '((OMPI_COMM_WORLD_RANK)) || sleep 1; exec "$@"'  # rank 1 has that cell alone
        done = subprocess.run(["mpirun", "-q", "-n", "2", "--oversubscribe", "--allow-run-as-root",
                               "bash", "-c", late, "bash"] + self.command("run"),
                              capture_output=True, text=True, timeout=LIMIT_S)

        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(list(self.states().values()), ["done", "failed", "done"])
        self.assertEqual(done.stderr.count("the disk is full; --rerun failed"), 1, done.stderr)
        self.assertEqual(done.stdout.count("\nfifo "), 1, done.stdout)

    def test_a_signal_to_stop_is_told_apart_while_a_rank_waits_for_another(self):
        document = campaign(40, ["fifo"])
        document["cluster"]["nodes"] = 400
        document["sweep"]["grid"]["workload.jobs"] = [3_000_000, 40]
        self.write(document)
        run = subprocess.Popen(["mpirun", "-q", "-n", "2", "--oversubscribe", "--allow-run-as-root",
                                *self.command("run")], stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + LIMIT_S
        while not (list(self.out.glob("001*.part")) and list(self.out.glob("002*.h5"))):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

        run.send_signal(signal.SIGUSR1)
        _, stderr = run.communicate(timeout=LIMIT_S)

        self.assertEqual(run.returncode, 75, stderr)
        self.assertEqual(list(self.states().values()), ["interrupted", "done"])

    def test_a_broken_file_is_a_failed_cell_and_replaced_when_asked_to(self):
        self.mimus("run")
        cell = self.results()[0]
        cell.write_bytes(b"not HDF5")

        self.assertEqual(self.status()["cells"][0]["state"], "failed")
        self.mimus("run", code=1)
        self.mimus("run", "--rerun", "failed")

        self.assertEqual(set(self.states().values()), {"done"})

    def test_rerun_alone_means_all(self):
        self.mimus("run")
        before = [path.stat().st_mtime_ns for path in self.results()]
        self.mimus("run", "--rerun")
        after = [path.stat().st_mtime_ns for path in self.results()]
        self.assertTrue(all(new > old for new, old in zip(after, before)))

    def test_two_runs_share_a_campaign_and_each_cell_has_one_writer(self):
        self.write(campaign(20000))
        first = subprocess.Popen(self.command("run", "-q", "--jobs", "1"),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(first.stderr.close)
        self.addCleanup(first.kill)
        for _ in range(LIMIT_S * 100):
            if any(self.out.glob("001-*.part")):
                break
            self.assertIsNone(first.poll(), "it ended before it was seen running")
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGSTOP)  # holds its cell as long as we look

        second = self.mimus("run", "--jobs", "2", code=75)

        self.assertRegex(second.stderr, rf"001-\S+: skipped, because it is being run by process {first.pid}"
                                        r" on \S+ since 20\d\d-")
        self.assertIn("1 cells are still being run by other processes", second.stderr)
        cells = self.status()["cells"]
        self.assertEqual([cell["state"] for cell in cells], ["running", "done", "done"])
        self.assertIn(f"by process {first.pid} on", cells[0]["detail"])
        written = [path.stat().st_mtime_ns for path in self.results()]
        os.kill(first.pid, signal.SIGCONT)
        _, stderr = first.communicate(timeout=LIMIT_S)
        self.assertEqual(first.returncode, 0, stderr)
        self.assertEqual(written, [path.stat().st_mtime_ns for path in self.results()[1:]])
        self.assertEqual(set(self.states().values()), {"done"})

    def test_many_runs_started_together_complete_every_cell_once(self):
        self.write(campaign(60, repetitions=10))
        runs = [subprocess.Popen(self.command("run", "-q", "--jobs", "1"), text=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for _ in range(4)]
        for run in runs:
            _, stderr = run.communicate(timeout=LIMIT_S)
            self.assertIn(run.returncode, (0, 75), stderr)

        self.assertEqual(set(self.states().values()), {"done"})
        self.assertEqual(len(self.results()), 30)
        self.assertEqual([*self.out.glob("*.part"), *self.out.glob("*.new")], [])

    def test_merged_tables_hold_the_rows_of_all_cells(self):
        self.write(campaign(40, repetitions=2))
        self.mimus("run", "--only", "001", "--only", "002")

        merged = self.mimus("merge")

        self.assertIn("2 of 6 cells are not done", merged.stderr)
        moved = self.out.rename(self.folder / "moved")
        with h5py.File(moved / "campaign.h5", "r") as file:
            self.assertEqual(file.attrs["schema"], "mimus-campaign")
            self.assertEqual(file.attrs["campaign"], "life")
            cells = file["cells"][:]
            self.assertEqual([*cells["state"]], [b"done"] * 4 + [b"waiting"] * 2)
            self.assertNotIn("steps", file["tables"])  # record: jobs
            for name in file["tables"]:
                self.assert_merged(file, name, moved, cells)
            swept = {(row["cell"], row["value"]) for row in file["swept"][:]}
            self.assertIn((2, b"sjf-true"), swept)
            self.assert_metrics(file["metrics"][:], moved / "metrics.csv")

    def assert_merged(self, file, name, folder, cells):
        rows = file["tables"][name][:]
        at = 0
        for cell, first, count in file["rows"][name][:]:
            self.assertEqual(first, at)
            with h5py.File(folder / cells[cell]["file"].decode(), "r") as own:
                self.assertEqual(rows[first:first + count].tobytes(), own[name][:].tobytes(), name)
            at += count
        self.assertEqual(at, len(rows))

    def assert_metrics(self, table, path):
        with open(path, newline="", encoding="utf-8") as stream:
            lines = [*csv.DictReader(stream)]
        self.assertEqual(len(lines), len(table))
        summary = subprocess.run([MIMUS, "summary", str(path.parent), "--json"], check=True,
                                 capture_output=True, text=True, timeout=LIMIT_S)
        figures = {cell["cell"]: cell for cell in json.loads(summary.stdout)["cells"]}
        means = 0
        for line, row in zip(lines, table):
            value = float(line["value"]) if line["value"] else math.nan
            self.assertEqual(line["metric"], row["metric"].decode())
            self.assertTrue(value == row["value"] or math.isnan(value) and math.isnan(row["value"]))
            if line["metric"] == "jct_mean":
                means += 1
                self.assertEqual(value, figures[line["cell"]]["jct_mean_s"])
        self.assertEqual(means, 4)

    def test_a_thousand_cells_are_told_apart(self):
        self.file = Path(__file__).resolve().parent / "thousand.yaml"

        cells = self.status()["cells"]

        self.assertEqual(len(cells), 1000)
        self.assertEqual(len({cell["id"] for cell in cells}), 1000)
        self.assertEqual({cell["state"] for cell in cells}, {"waiting"})

    def test_merge_refuses_a_folder_without_results(self):
        self.assertIn("holds no complete result", self.mimus("merge", code=2).stderr)

    def test_a_campaign_may_come_from_a_pipe(self):
        text = self.file.read_text(encoding="utf-8")
        command = [MIMUS, "run", "/dev/stdin", "-q", "-o", str(self.out)]
        piped = subprocess.run(command, input=text, capture_output=True, text=True,
                               timeout=LIMIT_S)
        self.assertEqual(piped.returncode, 0, piped.stderr)
        self.assertEqual(set(self.states().values()), {"done"})
        live = subprocess.run([*command, "--engine", "live"], input=text, capture_output=True,
                              text=True, timeout=LIMIT_S)
        self.assertNotEqual(live.returncode, 0)
        self.assertNotIn("filesystem error", live.stderr)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
