# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Campaigns from files, folders and merged files; tidy frames and figures derived by hand."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

import mimus_results
from mimus_results import energy, fairness, frames, read
from in_memory import figures_of, with_counts

WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")
CELL_TYPE = np.dtype([("cell", "S96"), ("number", "i8"), ("repetition", "i8"), ("state", "S16"),
                      ("config_hash", "S16"), ("label", "S256"), ("file", "S128")])
METRICS_TYPE = np.dtype([("cell", "S96"), ("repetition", "i8"), ("metric", "S32"), ("value", "f8"),
                         ("unit", "S16")])
ROWS_TYPE = np.dtype([("cell", "i8"), ("first", "i8"), ("count", "i8")])


def cell_of(label="c", attributes=(), **tables):
    return read.Cell(Path(f"{label}.h5"), {"label": label, **dict(attributes)},
                     with_counts(tables))


def jobs_of(**columns):
    rows = pd.DataFrame(columns)
    defaults = {"job": range(len(rows)), "model": "m", "gang": 1, "gpu_share": 1.0,
                "outcome": "finished"}
    for name, value in defaults.items():
        if name not in rows:
            rows[name] = value
    rows["jct"] = rows["end"] - rows["arrival"]
    if "gpu_seconds" not in rows:
        rows["gpu_seconds"] = rows["running"] * rows["gang"]
    return rows


def write_merged(folder, copied=False, files=("000-exclusive.h5", "001-shared.h5", "")):
    """A merged file as `mimus campaign merge` writes it, of the cells in the folder."""
    path = folder / "campaign.h5"
    with h5py.File(path, "w") as file:
        file.attrs.update({"schema": "mimus-campaign", "schema_version": 1, "campaign": "test",
                           "storage": "copied" if copied else "virtual"})
        names = (b"synthetic-pack / exclusive", b"synthetic-pack / shared", b"003-waits")
        file["cells"] = np.array(
            [(name, k, 0, b"done" if of else b"waiting", b"00", name[10:] or name, of.encode())
             for k, (name, of) in enumerate(zip(names, files))], CELL_TYPE)
        file["metrics"] = np.array([(names[0], 0, b"jct_mean", 7.0, b"s")], METRICS_TYPE)
        file["metrics"].attrs["units"] = [""] * 5
        parts = []
        for name in filter(None, files):
            with h5py.File(folder / name) as cell:
                parts.append(cell["jobs"][:])
                units = list(cell["jobs"].attrs["units"])
        file["tables/jobs"] = np.concatenate(parts)
        file["tables/jobs"].attrs["units"] = units
        counts = list(map(len, parts))
        file["rows/jobs"] = np.array([(k, sum(counts[:k]), count)
                                      for k, count in enumerate(counts)], ROWS_TYPE)
    return path


class Loading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not WRITER:
            raise unittest.SkipTest("MIMUS_SYNTHETIC_RESULTS does not name the writer")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        subprocess.run([WRITER, str(cls.folder)], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_a_file_and_a_folder_are_campaigns(self):
        one = mimus_results.load(self.folder / "000-exclusive.h5")
        self.assertEqual(one.labels, ["pack / exclusive"])
        self.assertEqual(len(mimus_results.load(str(self.folder)).cells), 3)

    def test_several_paths_are_read_together(self):
        both = mimus_results.load([self.folder / "001-shared.h5", self.folder / "000-exclusive.h5"])
        self.assertEqual(len(both.cells), 2)

    def test_a_merged_campaign_lists_the_cells_that_are_not_done(self):
        path = write_merged(self.folder)
        campaign = mimus_results.load(path)
        self.assertEqual([cell.label for cell in campaign.cells],
                         ["pack / exclusive", "pack / shared"])
        self.assertEqual([cell.state for cell in campaign.absent], ["waiting"])
        self.assertEqual(campaign.name, "test")
        self.assertEqual(len(campaign.table("jobs")), 36)

    def test_a_folder_stands_for_its_cells_merged_or_not(self):
        write_merged(self.folder)
        self.assertEqual(len(mimus_results.load(self.folder).cells), 3)

    def test_a_copied_campaign_needs_no_other_file(self):
        whole = mimus_results.load(write_merged(self.folder, copied=True)).table("jobs")
        with tempfile.TemporaryDirectory() as other:
            alone = Path(shutil.copy(self.folder / "campaign.h5", other))
            campaign = mimus_results.load(alone)
            self.assertEqual(campaign.labels, ["pack / exclusive", "pack / shared"])
            jobs = campaign.table("jobs")
            self.assertEqual(jobs["name"].tolist(), whole["name"].tolist())
            self.assertEqual(jobs["jct"].tolist(), whole["jct"].tolist())

    def test_a_merged_campaign_without_its_files_says_so(self):
        write_merged(self.folder)
        with tempfile.TemporaryDirectory() as other:
            alone = shutil.copy(self.folder / "campaign.h5", other)
            with self.assertRaisesRegex(read.ReadError, "none of its 3 cells.*--copy"):
                mimus_results.load(alone)

    def test_frames_are_tidy_and_have_units(self):
        campaign = mimus_results.load(self.folder / "000-exclusive.h5")
        for frame, column, unit in ((campaign.jct(), "jct", "s"),
                                    (campaign.queueing(), "seconds_per_job", "s"),
                                    (campaign.utilisation(), "held_share", ""),
                                    (campaign.goodput(), "goodput", "samples/s"),
                                    (campaign.fairness(), "rho", ""),
                                    (campaign.locality(), "gpu_seconds", "GPU s")):
            self.assertEqual(list(frame.columns[:3]), ["cell", "label", "repetition"])
            self.assertEqual(frame.attrs["units"][column], unit)
            self.assertTrue(np.isfinite(frame[column].astype(float)).all(), column)
        logged = campaign.goodput()
        steps = campaign.table("steps")
        self.assertEqual(logged["loss"].tolist(), steps["loss"].tolist())
        self.assertTrue(logged["learning_rate"].isna().all())
        self.assertTrue(campaign.energy().empty)
        shared = mimus_results.load(self.folder / "001-shared.h5").interference()
        self.assertTrue((shared["slowdown"] > 1).all())

    def test_metrics_are_those_of_the_jobs(self):
        campaign = mimus_results.load(self.folder)
        jobs = campaign.jct()
        rows = campaign.metrics().set_index(["label", "metric"])["value"]
        for label, of_label in jobs.groupby("label"):
            self.assertAlmostEqual(rows[label, "jct_mean"] / of_label["jct"].mean(), 1)

    def test_an_unknown_metric_is_answered_with_the_known_ones(self):
        with self.assertRaisesRegex(read.ReadError, 'unknown metric "jct".*jct_mean'):
            mimus_results.load(self.folder).intervals("jct")


class Order(unittest.TestCase):
    def test_cells_stand_by_number_and_repetition_not_by_hash(self):
        cells = [cell_of(attributes={"cell": f"{number:03}-x-{tag}", "repetition": repetition})
                 for number, tag, repetition in ((2, "aa", 0), (1, "aa", 1), (1, "ff", 0))]
        found = [(cell.id[:3], cell.repetition) for cell in mimus_results.Campaign(cells).cells]
        self.assertEqual(found, [("001", 0), ("001", 1), ("002", 0)])


class Swept(unittest.TestCase):
    def campaign(self):
        jobs = jobs_of(arrival=[0.0], end=[10.0], running=[10.0])
        jobs["queueing"] = 0.0
        jobs.attrs["units"] = {"jct": "s"}
        fair = pd.DataFrame({"job": [0], "solo": 10.0, "service": 10.0, "mean_active": 1.0,
                             "slowdown": 1.0, "bounded_slowdown": 1.0, "rho": 1.0})
        return mimus_results.Campaign([
            cell_of(f"load={load} / {policy}", {
                "cell": f"00{number}", "seed": "7",
                "swept": json.dumps({"workload.load": load, "policy": policy})}, jobs=jobs, fairness=fair,
                figures=figures_of(jobs=1, jobs_finished=1, jct_mean=10))
            for number, (load, policy) in enumerate((("0.5", "fifo"), ("1.1", "las")))])

    def test_frames_have_a_column_per_swept_key(self):
        campaign = self.campaign()
        for frame in (campaign.metrics(), campaign.table("jobs"), campaign.fairness()):
            self.assertEqual(list(frame.columns[:5]),
                             ["cell", "label", "repetition", "workload.load", "policy"])
            self.assertEqual(frame.groupby("policy")["workload.load"].unique().to_dict(),
                             {"fifo": [0.5], "las": [1.1]})
        self.assertEqual(campaign.table("jobs").attrs["units"], {"jct": "s"})
        intervals = campaign.intervals("jct_mean")
        self.assertEqual(list(intervals.columns[:3]), ["label", "workload.load", "policy"])
        self.assertEqual(intervals["workload.load"].tolist(), [0.5, 1.1])

    def test_a_load_may_be_named_as_baseline(self):
        with self.assertRaisesRegex(read.ReadError, "swept values are: load=0.5, fifo"):
            self.campaign().compare("jct_mean", "sjf")


class Fairness(unittest.TestCase):
    def test_rows_of_the_table_say_what_their_jobs_were(self):
        jobs = jobs_of(arrival=[0.0, 0], end=[10.0, -1], running=[10.0, 0],
                       outcome=["finished", "unfinished"])
        table = pd.DataFrame({"job": [0], "solo": 9.0, "service": 9.0, "mean_active": 2.0,
                              "slowdown": 1.1, "bounded_slowdown": 1.0, "rho": 1.2})
        found = fairness.job_fairness(cell_of(jobs=jobs, fairness=table))
        self.assertEqual(list(found.columns), fairness.COLUMNS)
        self.assertEqual(found[["model", "jct", "rho"]].values.tolist(), [["m", 10.0, 1.2]])
        self.assertTrue(fairness.job_fairness(cell_of(jobs=jobs)).empty)


class Others(unittest.TestCase):
    def test_energy_is_found_by_its_unit(self):
        nodes = pd.DataFrame({"node": [0, 1], "energy": [2.0, 3.0], "of_which_idle": [1.0, 1.0]})
        nodes.attrs["units"] = {"node": "", "energy": "kJ", "of_which_idle": "kJ"}
        cell = cell_of(nodes=nodes)
        self.assertEqual(energy.energy(cell)["joules"].tolist(), [2000, 3000, 1000, 1000])
        self.assertTrue(energy.energy(cell_of(jobs=nodes)).empty)

    def test_locality_is_weighted_by_gpu_time(self):
        attempts = pd.DataFrame({"begin": [0.0, 0, 5], "end": [10.0, 5, 10], "replicas": [4, 2, 2],
                                 "locality": ["same_rack", "same_gpu", "same_gpu"]})
        found = frames.locality([cell_of(attempts=attempts)]).set_index("locality")
        self.assertEqual(found["gpu_seconds"].to_dict(), {"same_rack": 40, "same_gpu": 20})
        self.assertAlmostEqual(found.loc["same_gpu", "share"], 1 / 3)

    def test_locality_counts_a_part_of_a_gpu_as_such(self):
        attempts = pd.DataFrame({"begin": [0.0, 0], "end": [10.0, 10], "replicas": [2, 1],
                                 "gpu_share": [0.25, 1.0], "locality": ["same_node", "same_gpu"]})
        found = frames.locality([cell_of(attempts=attempts)]).set_index("locality")
        self.assertEqual(found["gpu_seconds"].to_dict(), {"same_node": 5, "same_gpu": 10})


if __name__ == "__main__":
    unittest.main()
