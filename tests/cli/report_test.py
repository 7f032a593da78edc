# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""`mimus report` finds a Python and passes its arguments on: report_test.py MIMUS [unittest
args]."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MIMUS = None
ROOT = Path(__file__).resolve().parents[2]


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-report-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_report(self, *arguments, **environment):
        variables = {k: v for k, v in os.environ.items()
                     if k not in ("MIMUS_PYTHON", "PYTHONPATH")}
        return subprocess.run([MIMUS, "report", *arguments], cwd=self.folder, text=True,
                              env={**variables, "PYTHONDONTWRITEBYTECODE": "1", **environment},
                              capture_output=True, timeout=120, check=False)

    def interpreter(self, *missing, name="python"):
        """An interpreter without these modules, which prints its arguments."""
        path = self.folder / name
        path.write_text(f'#!/bin/sh\n[ "$1" = -c ] && echo missing: {" ".join(missing)} && exit\n'
                        'echo "path=$PYTHONPATH"\nprintf "%s\\n" "$@"\nexit 7\n', encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_arguments_reach_the_package_as_they_are(self):
        done = self.run_report("a.h5", "b c.h5", "-o", "out.html", "--title", "x  y",
                               MIMUS_PYTHON=self.interpreter())
        self.assertEqual(done.returncode, 7, done.stderr)  # the package's own exit code
        self.assertEqual(done.stdout.splitlines(),
                         ["path=", "-m", "mimus_results", "report", "a.h5", "b c.h5", "-o",
                          "out.html", "--title", "x  y"])

    def test_the_source_tree_stands_in_for_a_package_that_is_not_installed(self):
        python = self.interpreter("mimus_results")
        tree = str(ROOT / "results" / "analysis")
        self.assertIn(f"path={tree}\n", self.run_report("a.h5", MIMUS_PYTHON=python).stdout)
        self.assertIn(f"path={tree}:/mine\n",
                      self.run_report("a.h5", MIMUS_PYTHON=python, PYTHONPATH="/mine").stdout)

    def test_missing_libraries_are_named_with_what_to_do(self):
        python = self.interpreter("h5py", "pandas", "scipy", "mimus_results")
        done = self.run_report("a.h5", MIMUS_PYTHON=python)
        self.assertEqual(done.returncode, 4)
        self.assertIn("lacks h5py, pandas, scipy;", done.stderr)
        self.assertIn("./setup.sh run", done.stderr)
        self.assertIn("MIMUS_PYTHON", done.stderr)

    def test_what_is_no_python_is_refused(self):
        for python in (str(self.folder / "absent"), "/bin/false", "/bin/true"):
            done = self.run_report("a.h5", MIMUS_PYTHON=python)
            self.assertIn("is not a working Python 3", done.stderr)
            self.assertEqual(done.returncode, 4, python)

    def test_the_real_package_answers(self):
        done = self.run_report("nowhere.h5", "--out", "figures")
        if done.returncode == 4:
            self.skipTest("skipped: no Python with h5py, pandas and matplotlib")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("nowhere.h5", done.stderr)

    def test_paths_are_required(self):
        done = self.run_report()
        self.assertEqual(done.returncode, 2)
        self.assertIn("PATH is required", done.stderr)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
