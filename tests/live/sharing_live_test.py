# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tenants of an emulated GPU in every mode of sharing, live and virtual.

Usage: sharing_live_test.py MIMUS_BINARY [unittest arguments]
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "sharing.yaml"
SLICES = CAMPAIGN.with_name("time_slices.yaml")
GROUPS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "twin-phases.yaml"
MIMUS = ""
RUN_LIMIT_S = 400  # a busy host takes longer: the emulated clock waits for it
MODES = ["none", "slices(switching 0.1)", "mps(capacity 0.9, slope 0.8, length 0.3)", "pairs"]


class Sharing(unittest.TestCase):
    def test_both_engines_do_the_same_in_every_mode(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "twin", str(CAMPAIGN), "--json", "-o", folder],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            live, virtual = (self.cells(pathlib.Path(folder) / side)
                             for side in ("live", "virtual"))

        self.assertEqual([mode for mode, _ in live], MODES)
        self.assertEqual([mode for mode, _ in virtual], MODES)
        means = [mean for _, mean in live]
        self.assertEqual(min(means), means[0])  # no tenant is slowed
        self.assertEqual(max(means), means[1])  # every turn costs
        for cell in json.loads(done.stdout)["cells"]:
            with self.subTest(cell=cell["label"]):
                self.assertEqual(cell["jobs"], 4)
                self.assertLess(abs(cell["jct_mean_error"]), 0.03)

    def test_both_engines_do_the_same_with_groups_of_stages(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "twin", str(GROUPS), "--json", "-o", folder],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            live, virtual = (self.cells(pathlib.Path(folder) / side)
                             for side in ("live", "virtual"))

        self.assertEqual([mode for mode, _ in live + virtual], ["phases", "phases"])
        self.assertGreater(live[0][1], 200)  # alone they would take 180 s on average
        (cell,) = json.loads(done.stdout)["cells"]
        self.assertEqual(cell["jobs"], 4)
        self.assertLess(abs(cell["jct_mean_error"]), 0.03)

    def test_a_time_slice_is_as_long_at_any_time_scale(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([MIMUS, "run", str(SLICES), "-o", folder],
                                  capture_output=True, text=True, timeout=RUN_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            slow, fast = (self.shortest_jct(path)
                          for path in sorted(pathlib.Path(folder).glob("0*.h5")))

        self.assertLess(abs(fast / slow - 1), 0.01)

    @staticmethod
    def shortest_jct(path):
        with h5py.File(path, "r") as file:
            return float(file["jobs"]["jct"].min())

    @staticmethod
    def cells(folder):
        """Mode and mean JCT of each cell, in the order of the campaign."""
        out = []
        for path in sorted(folder.glob("0*.h5")):
            with h5py.File(path, "r") as file:
                mode = file.attrs["interference"]
                mode = mode.decode() if isinstance(mode, bytes) else mode
                out.append((mode.rstrip("\0"), float(file["jobs"]["jct"].mean())))
        return out


if __name__ == "__main__":
    MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
