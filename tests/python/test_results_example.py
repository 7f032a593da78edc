# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The example in the documents runs and prints the output of the package."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

import mimus_results

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "compare_policies.py"
WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")


class Example(unittest.TestCase):
    @unittest.skipUnless(WRITER, "MIMUS_SYNTHETIC_RESULTS does not name the writer")
    def test_the_example_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([WRITER, folder], check=True)
            done = subprocess.run([sys.executable, str(EXAMPLE), folder, f"{folder}/figures"],
                                  stdout=subprocess.PIPE, text=True, check=True)
            mean = mimus_results.load(folder).intervals("jct_mean")["mean"][0]
            self.assertTrue((Path(folder) / "figures" / "mean-jct.png").is_file())
        self.assertIn(f"pack / exclusive: mean JCT {mean:.4g} s, 1 repetition; an interval needs 2",
                      done.stdout)
        self.assertIn("exclusive → shared: ", done.stdout)
        self.assertNotIn("nan", done.stdout.lower())
        self.assertIn("no verdict", done.stdout)

    @unittest.skipUnless(WRITER, "MIMUS_SYNTHETIC_RESULTS does not name the writer")
    def test_without_a_complete_cell_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([WRITER, folder], check=True)
            for path in Path(folder).glob("*.h5"):
                with h5py.File(path, "r+") as file:
                    file.attrs["status"] = "interrupted"
            done = subprocess.run([sys.executable, str(EXAMPLE), folder], text=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertIn("no cell is complete yet", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_without_results_it_says_how_it_is_used(self):
        done = subprocess.run([sys.executable, str(EXAMPLE)], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("compare_policies.py RESULTS", done.stderr)


if __name__ == "__main__":
    unittest.main()
