# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""pip installs the package with its commands and the files that a report needs."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "results" / "analysis"
WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")
NEEDED = ("pip", "setuptools", "wheel")


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not WRITER:
            raise unittest.SkipTest("MIMUS_SYNTHETIC_RESULTS does not name the writer")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        copy = cls.folder / "source"  # a build leaves files in its sources
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        cls.site = cls.folder / "site"
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index",
                        "--no-deps", "--no-build-isolation", "--no-warn-script-location",
                        "--target", str(cls.site), str(copy)],
                       check=True, env={**os.environ, "PYTHONPATH": ""})
        (cls.folder / "cells").mkdir()
        subprocess.run([WRITER, str(cls.folder / "cells")], check=True)

    def run_command(self, name, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        return subprocess.run([str(self.site / "bin" / name), *map(str, arguments)], check=True,
                              env=environment, stdout=subprocess.PIPE, text=True).stdout

    def test_mimus_report_writes_a_whole_page(self):
        page = self.folder / "report.html"
        self.run_command("mimus-report", self.folder / "cells", "-o", page)
        text = page.read_text(encoding="utf-8")
        self.assertIn("class Timeline {", text)
        self.assertIn("prefers-color-scheme", text)

    def test_mimus_results_prints_figures(self):
        printed = self.run_command("mimus-results", "metrics", self.folder / "cells")
        self.assertTrue(printed.startswith("cell,label,repetition,seed,metric,value,unit,late\n"))


if __name__ == "__main__":
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)} (Debian package python3-pip)")
        sys.exit(77)
    unittest.main()
