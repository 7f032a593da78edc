# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Members of a gang that leave their attempt half a second after its lead miss nothing.

Usage: late_member_live_test.py MIMUS_BINARY PRELOADED_LIBRARY [unittest arguments]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "late_member.yaml"
MIMUS = ""
PRELOADED = ""
RUN_LIMIT_S = 150


class LateMember(unittest.TestCase):
    def test_a_run_goes_through_its_cells_and_ends_well(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(CAMPAIGN), "-o", folder], text=True,
                                  capture_output=True, timeout=RUN_LIMIT_S,
                                  env={**os.environ, "LD_PRELOAD": PRELOADED})
            self.assertEqual(done.returncode, 0, done.stderr)
            # Two members other than the lead, in each of two cells.
            self.assertEqual(done.stderr.count("late member\n"), 4, done.stderr)
            self.assertNotIn("did not leave", done.stderr)
            self.assertEqual(len(list(pathlib.Path(folder).glob("*.h5"))), 2)


if __name__ == "__main__":
    MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    PRELOADED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
