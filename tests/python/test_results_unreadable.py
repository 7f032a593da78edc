# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Folders with a file that cannot be read because its writer died before its first flush."""

import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import mimus_results
from mimus_results import ReadError
from test_results_configurations import CAMPAIGN
from test_results_sources import write_cell

MIMUS = os.environ.get("MIMUS")


class UnreadableFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-unreadable-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "out"
        self.folder.mkdir()
        self.bad = self.folder / "009-sjf-0.h5.part"
        self.bad.touch()

    def test_one_of_a_folder_is_left_out_with_a_warning(self):
        write_cell(self.folder / "001-pack-abcd.h5", 10.0)
        with self.assertWarnsRegex(UserWarning, "left out: .*009-sjf-0.h5.part"):
            campaign = mimus_results.load(self.folder)
        self.assertEqual(len(campaign.cells), 1)

    def test_one_that_is_named_is_an_error(self):
        with self.assertRaises(ReadError):
            mimus_results.load(self.bad)

    def test_a_folder_of_nothing_else_is_an_error(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaises(ReadError):
                mimus_results.load(self.folder)

    @unittest.skipUnless(MIMUS, "MIMUS does not name the program")
    def test_the_summary_of_a_folder_leaves_it_out_too(self):
        file = self.folder.parent / "good.yaml"
        file.write_text(CAMPAIGN, encoding="utf-8")
        subprocess.run([MIMUS, "run", file, "-o", self.folder], check=True, capture_output=True)

        done = subprocess.run([MIMUS, "summary", self.folder], capture_output=True, text=True,
                              check=False)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("tenants-2", done.stdout)
        self.assertRegex(done.stderr, "left out: .*009-sjf-0.h5.part")


if __name__ == "__main__":
    unittest.main()
