# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Several folders and campaigns that are read together are distinguished, whatever the names of
their cells."""

import re
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from mimus_results import load, report, sources

JOB = np.dtype([("job", "i8"), ("outcome", "S16"), ("arrival", "f8"), ("end", "f8"), ("jct", "f8"),
                ("queueing", "f8")])

FIGURE = np.dtype([("metric", "S32"), ("value", "f8"), ("unit", "S16")])
TOTAL = np.dtype([("metric", "S24"), ("group", "S192"), ("value", "f8")])
QUANTILE = np.dtype([("metric", "S24"), ("group", "S16"), ("fraction", "f8"), ("value", "f8")])


def write_cell(path, jct, campaign="study", status="complete"):
    """A file with one job; all that tells it from others is where it stands and what is in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        file.attrs.update({"schema": "mimus-results", "schema_version": 1, "campaign": campaign,
                           "cell": "001-pack-abcd", "label": "pack", "repetition": "0", "seed": "7",
                           "status": status})
        file["provenance/config_yaml"] = "a: 1\n"
        file["provenance/command_line"] = "mimus run"
        file["jobs"] = np.array([(0, b"finished", 0, jct, jct, 0)], JOB)
        figures = (("jobs", 1), ("jobs_finished", 1), ("jct_mean", jct), ("queueing_mean", 0))
        file["figures"] = np.array([(name.encode(), value, b"") for name, value in figures], FIGURE)
        file["totals"] = np.array([(name, b"all", 1) for name in (b"jobs", b"finished")], TOTAL)
        file["quantiles"] = np.empty(0, QUANTILE)
        for table in ("figures", "totals", "quantiles"):
            file[table].attrs["units"] = [""] * len(file[table].dtype)
        file["jobs"].attrs["units"] = ["", "", "s", "s", "s", "s"]
    return path


class Folders(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def test_a_profile_among_results_is_read_only_where_it_is_named(self):
        write_cell(self.folder / "001-pack-abcd.h5", 10.0)
        profile = write_cell(self.folder / "profile.h5", 20.0, campaign="")
        with h5py.File(profile, "a") as file:
            file.attrs["kind"] = "profile"

        self.assertEqual([cell.path.name for cell in load(self.folder).cells],
                         ["001-pack-abcd.h5"])
        self.assertEqual([cell.path.name for cell in load(profile).cells],
                         ["profile.h5"])

    def two(self, first="old", second="new", campaigns=("study", "study")):
        names = ("001-pack-abcd.h5", "001-pack-abcd.h5" if first != second else "002.h5")
        paths = [write_cell(self.folder / folder / name, jct, campaign) for folder, name, jct,
                 campaign in zip((first, second), names, (10.0, 20.0), campaigns)]
        return load([path.parent for path in paths] if first != second else paths)

    def test_cells_of_one_id_have_rows_of_their_own(self):
        page = re.sub(r"<[^>]*>", " ", report.build(self.two()))
        for label, seconds in (("old / pack", 10), ("new / pack", 20)):
            self.assertRegex(page, rf"{label}\s+0\s+complete\s+1/1\s+{seconds}\s")

    def test_folders_are_no_repetitions_of_each_other_but_are_compared(self):
        campaign = self.two()
        self.assertEqual(campaign.labels, ["old / pack", "new / pack"])
        self.assertEqual(campaign.intervals("jct_mean")["mean"].tolist(), [10, 20])
        row = campaign.compare("jct_mean").iloc[0]
        self.assertEqual((row["changed"], row["pairs"], row["ratio"]), ("old → new", 1, 2.0))

    def test_a_single_folder_needs_no_name(self):
        write_cell(self.folder / "old" / "a.h5", 10)
        self.assertEqual(load(self.folder / "old").labels, ["pack"])

    def test_campaigns_of_one_folder_are_called_by_their_names(self):
        campaign = self.two("all", "all", ("day", "night"))
        self.assertEqual(campaign.labels, ["day / pack", "night / pack"])

    def test_folders_of_one_name_are_called_by_their_path(self):
        self.assertEqual(self.two("monday/out", "tuesday/out").labels,
                         ["monday/out / pack", "tuesday/out / pack"])

    def test_where_neither_will_do_both_are_said(self):
        found = [sources.Source(Path("/r/a"), "x"), sources.Source(Path("/r/a"), "y"),
                 sources.Source(Path("/r/b"), "x")]
        self.assertEqual(list(sources.names(found).values()), ["a: x", "a: y", "b: x"])


if __name__ == "__main__":
    unittest.main()
