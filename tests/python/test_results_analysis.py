# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package on files that the C++ recorder wrote."""

import contextlib
import hashlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from mimus_results import cli, read, tidy, totals, windows
from mimus_results.figures import FIGURES

WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class WithResults(unittest.TestCase):
    """Provides `folder` with the cells of tests/python/synthetic_results.cpp."""

    @classmethod
    def setUpClass(cls):
        if not WRITER:
            raise unittest.SkipTest("MIMUS_SYNTHETIC_RESULTS does not name the writer")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        subprocess.run([WRITER, str(cls.folder)], check=True)
        cls.cells = read.load_all(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()


class Reading(WithResults):
    def test_one_line_of_pandas_reads_a_table(self):
        with h5py.File(self.folder / "000-exclusive.h5") as file:
            jobs = pd.DataFrame(file["jobs"][:])
        self.assertEqual(len(jobs), 18)
        self.assertEqual(jobs["job"].tolist(), list(range(18)))

    def test_text_is_decoded(self):
        self.assertEqual(self.cells[0].table("jobs")["name"][3], "job-3-ü")

    def test_units_come_with_the_table(self):
        units = self.cells[0].table("jobs").attrs["units"]
        self.assertEqual(units["arrival"], "s")
        self.assertEqual(units["gang"], "GPUs")

    def test_a_folder_gives_its_cells_by_name_and_unfinished_ones_too(self):
        self.assertEqual([cell.label for cell in self.cells],
                         ["pack / exclusive", "pack / shared", "cut off"])
        self.assertEqual([cell.status for cell in self.cells],
                         ["complete", "complete", "interrupted"])

    def test_a_finished_file_hides_its_old_part(self):
        with tempfile.TemporaryDirectory() as other:
            whole = Path(other) / "a.h5"
            whole.write_bytes((self.folder / "000-exclusive.h5").read_bytes())
            (Path(other) / "a.h5.part").write_bytes(whole.read_bytes())
            self.assertEqual(read.find(other), [whole])

    def test_records_beyond_the_valid_rows_are_not_read(self):
        with tempfile.TemporaryDirectory() as other:
            copy = Path(other) / "a.h5"
            copy.write_bytes((self.folder / "000-exclusive.h5").read_bytes())
            with h5py.File(copy, "r+") as file:
                file["jobs"].attrs.modify("rows", 5)
            self.assertEqual(len(read.load_cell(copy).table("jobs")), 5)

    def test_tables_of_all_cells_are_told_apart(self):
        jobs = tidy.table(self.cells, "jobs")
        self.assertEqual(list(jobs.columns[:4]), ["cell", "label", "repetition", "job"])
        self.assertEqual(jobs.groupby("label").size().to_dict(),
                         {"pack / exclusive": 18, "pack / shared": 18})

    def test_a_table_without_rows_is_an_empty_frame(self):
        self.assertTrue(tidy.table(self.cells, "events").empty)
        self.assertTrue(self.cells[0].table("no such table").empty)

    def test_tables_are_read_when_they_are_asked_for_even_after_a_cell_was_completed(self):
        with tempfile.TemporaryDirectory() as other:
            part = Path(other) / "a.h5.part"
            part.write_bytes((self.folder / "000-exclusive.h5").read_bytes())
            cell = read.load_cell(part)
            part.rename(Path(other) / "a.h5")
            self.assertEqual(len(cell.table("jobs")), 18)

    def test_errors_name_the_file(self):
        for make, words in ((lambda p: None, "neither a result file nor a folder"),
                            (lambda p: p.write_bytes(b"no"), "cannot be read"),
                            (lambda p: h5py.File(p, "w").close(), "no result file of Mimus"),
                            (lambda p: p.mkdir(), "holds no result files")):
            with tempfile.TemporaryDirectory() as other:
                path = Path(other) / "x.h5"
                make(path)
                with self.assertRaises(read.ReadError) as caught:
                    read.load_all(path)
                self.assertIn(str(path), str(caught.exception))
                self.assertIn(words, str(caught.exception))

    def test_another_schema_version_is_refused(self):
        with tempfile.TemporaryDirectory() as other:
            copy = Path(other) / "a.h5"
            copy.write_bytes((self.folder / "000-exclusive.h5").read_bytes())
            with h5py.File(copy, "r+") as file:
                file.attrs.modify("schema_version", 99)
            with self.assertRaisesRegex(read.ReadError, "schema version 99"):
                read.load_cell(copy)


class Statistics(unittest.TestCase):
    def test_ecdf_steps_at_each_value(self):
        values, share = totals.ecdf([30, 10, 20, 20])
        np.testing.assert_array_equal(values, [10, 20, 20, 30])
        np.testing.assert_array_equal(share, [0.25, 0.5, 0.75, 1.0])

    def test_bins_share_a_window_by_overlap(self):
        rows = pd.DataFrame({"begin": [5.0, 8], "end": [25.0, 9], "useful": [20.0, 3]})
        np.testing.assert_allclose(windows.binned(rows, np.array([0.0, 10, 20, 30])),
                                   [5 + 3, 10, 5])

    def test_useful_time_counts_replicas_and_efficiency(self):
        cell = read.Cell(Path("x.h5"), {}, {
            "steps": pd.DataFrame({"attempt": [1], "job": [0], "begin": [0.0], "end": [9.0],
                                   "steps": [10], "step_modelled": [0.5], "samples": [100.0],
                                   "progress_samples": [80.0]}),
            "attempts": pd.DataFrame({"attempt": [1], "replicas": [4]})})
        # 10 · 0.5 s · 0.8 on 4 GPUs
        self.assertAlmostEqual(windows.step_windows(cell)["useful"][0], 16.0)


class Drawing(WithResults):
    def test_each_figure_is_a_png_and_a_pdf_and_the_same_each_time(self):
        heads = {".png": b"\x89PNG", ".pdf": b"%PDF"}
        with tempfile.TemporaryDirectory() as other:
            for name, draw in FIGURES.items():
                once, again = (draw(self.cells, Path(other) / folder).files for folder in ("1", "2"))
                # These cells sweep no number and draw no jobs: test_results_load, _allocation.
                self.assertEqual(bool(once), name not in ("load", "allocation"), name)
                self.assertEqual([p.name for p in once], [p.name for p in again])
                for first, second in zip(once, again):
                    self.assertTrue(first.read_bytes().startswith(heads[first.suffix]), first.name)
                    self.assertEqual(digest(first), digest(second), first.name)

    def test_a_cell_without_rows_gives_a_reason_instead_of_a_picture(self):
        empty = [cell for cell in self.cells if cell.label == "cut off"]
        with tempfile.TemporaryDirectory() as other:
            for name, draw in FIGURES.items():
                files, notes = draw(empty, Path(other))
                self.assertEqual(files, [], name)
                self.assertEqual(len(notes), 1, name)


class CommandLine(WithResults):
    def run_cli(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main([str(argument) for argument in arguments])
        return code, out.getvalue(), err.getvalue()

    def test_metrics_and_comparisons_are_printed_as_csv(self):
        _, text, _ = self.run_cli("metrics", self.folder)
        rows = pd.read_csv(io.StringIO(text))
        self.assertEqual(set(rows["label"]), {"pack / exclusive", "pack / shared"})
        _, text, _ = self.run_cli("compare", self.folder, "--metric", "makespan")
        row = pd.read_csv(io.StringIO(text)).iloc[0]
        self.assertEqual((row["changed"], row["verdict"]), ("exclusive → shared", "no verdict"))

    def test_figures_draws_only_what_was_asked_for(self):
        with tempfile.TemporaryDirectory() as other:
            self.run_cli("figures", self.folder, "--out", other, "--only", "jct")
            self.assertEqual(sorted(file.name for file in Path(other).iterdir()),
                             ["jct.pdf", "jct.png"])

    def test_tables_lists_and_exports(self):
        _, listing, _ = self.run_cli("tables", self.folder)
        self.assertIn("queue_delay", listing)
        _, text, _ = self.run_cli("tables", self.folder, "--table", "jobs")
        self.assertEqual(len(text.splitlines()), 1 + 2 * 18)
        _, text, _ = self.run_cli("tables", self.folder, "--table", "totals")
        self.assertIn("pack / exclusive,0,preemptions,2-4,0.0", text)
        with tempfile.TemporaryDirectory() as other:
            self.run_cli("tables", self.folder, "--csv", other)
            self.assertEqual(len(pd.read_csv(Path(other) / "gpus.csv")), 16)

    def test_wrong_names_are_answered_with_the_right_ones(self):
        code, _, err = self.run_cli("tables", self.folder, "--table", "job")
        self.assertEqual(code, 1)
        self.assertIn('unknown table "job"', err)
        self.assertIn("queue_delay", err)
        code, _, err = self.run_cli("figures", self.folder, "--out", "x", "--only", "gantt")
        self.assertEqual(code, 1)
        self.assertIn("timeline", err)

    def test_figures_says_what_it_left_out(self):
        with tempfile.TemporaryDirectory() as other:
            _, _, err = self.run_cli("figures", self.folder, "--out", other, "--only", "timeline")
            self.assertIn("timeline: cut off: no attempt has ended yet.", err)


if __name__ == "__main__":
    unittest.main()
