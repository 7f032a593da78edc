# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A campaign that was changed and run again in its folder: only the newest files count."""

import contextlib
import io
import json
import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import pandas as pd

import mimus_results
from mimus_results import cli, compare, report
from mimus_results.read import ReadError

MIMUS = os.environ.get("MIMUS")
REPETITIONS = 6
CAMPAIGN = """
schema: 1
name: changed
seed: 3
repetitions: 6
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 12, mean_interarrival: 20 s, duration: 2 min, gangs: {1: 1, 2: 1}}
policy: {order: fifo}
engine: {kind: virtual}
sweep:
  grid: {policy.sharing: [exclusive, {name: tenants, per_gpu: 2}]}
"""


class ChangedCampaign(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not MIMUS:
            raise unittest.SkipTest("MIMUS does not name the program")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name) / "results"
        cls.alone = Path(cls.temporary.name) / "alone"
        file = Path(cls.temporary.name) / "changed.yaml"
        file.write_text(CAMPAIGN, encoding="utf-8")
        for nodes, folder in ((2, cls.folder), (4, cls.folder), (4, cls.alone)):
            subprocess.run([MIMUS, "run", file, "--set", f"cluster.nodes={nodes}", "-o", folder],
                           check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def load(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return mimus_results.load(self.folder)

    def test_only_the_newest_configuration_is_read(self):
        campaign = self.load()
        self.assertEqual(set(campaign.intervals("jct_mean")["repetitions"]), {REPETITIONS})
        self.assertEqual({cell.config.split("\n")[1].strip() for cell in campaign.cells},
                         {"nodes: 4"})
        pd.testing.assert_frame_equal(campaign.compare("jct_mean"),
                                      mimus_results.load(self.alone).compare("jct_mean"))

    def test_the_others_are_counted_with_what_to_do(self):
        said = r"12 files of other configurations are left out.*mimus campaign status"
        with self.assertWarnsRegex(UserWarning, said):
            campaign = mimus_results.load(self.folder)
        self.assertRegex(campaign.notes[0], said)
        self.assertIn("12 files of other configurations", report.build(campaign))
        self.assertEqual(mimus_results.load(self.alone).notes, [])

    def test_the_command_line_says_so_once(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, \
                contextlib.redirect_stderr(io.StringIO()) as err:
            cli.main(["metrics", str(self.folder)])
        self.assertEqual(err.getvalue().count("12 files of other configurations"), 1)
        rows = pd.read_csv(io.StringIO(out.getvalue()))
        self.assertEqual((rows["metric"] == "jct_mean").sum(), 2 * REPETITIONS)

    def test_the_summary_of_the_program_shows_and_says_the_same(self):
        done = subprocess.run([MIMUS, "summary", self.folder], check=True, capture_output=True,
                              text=True)
        rows = [line for line in done.stdout.splitlines() if "±" in line]
        self.assertEqual(len(rows), 2, done.stdout)
        self.assertIn("12 files of other configurations left out", done.stderr)

    def test_files_are_looked_at_together_whether_they_are_named_or_found(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            named = mimus_results.load(sorted(self.folder.glob("*.h5")))
        self.assertEqual(len(named.cells), 2 * REPETITIONS)


@unittest.skipUnless(MIMUS, "MIMUS does not name the program")
class ChangedBack(unittest.TestCase):
    """A campaign that was changed and changed back: complete cells are not written again."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "results"
        self.file = Path(temporary.name) / "changed.yaml"
        self.file.write_text(CAMPAIGN, encoding="utf-8")

    def run_with(self, *settings):
        subprocess.run([MIMUS, "run", self.file, "-o", self.folder,
                        *(word for setting in settings for word in ("--set", setting))],
                       check=True, capture_output=True)

    def read(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {cell.id for cell in mimus_results.load(self.folder).cells}

    def shown(self):
        done = subprocess.run([MIMUS, "summary", self.folder, "--json"], check=True,
                              capture_output=True, text=True)
        return {cell["cell"] for cell in json.loads(done.stdout)["cells"]}

    def test_what_ran_last_counts(self):
        self.run_with("cluster.nodes=2")
        first = self.read()
        self.run_with("cluster.nodes=4")
        self.assertFalse(self.read() & first)

        self.run_with("cluster.nodes=2")

        self.assertEqual(self.read(), first)
        self.assertEqual(self.shown(), first)

    def test_a_run_of_a_part_takes_nothing_away(self):
        self.run_with("cluster.nodes=4")
        self.run_with("cluster.nodes=2")
        whole = self.read()

        self.run_with("cluster.nodes=2", "repetitions=2", "first_repetition=6")

        self.assertEqual(len(self.read() & whole), len(whole))
        self.assertEqual(len(self.read()), len(whole) + 4)
        self.assertEqual(self.shown(), self.read())

    def test_a_cell_that_got_another_number_is_still_of_the_campaign(self):
        self.run_with("cluster.nodes=4")
        self.run_with("cluster.nodes=2")
        whole = {cell[4:] for cell in self.read()}

        self.run_with("cluster.nodes=2", "policy.sharing={name: tenants, per_gpu: 2}")  # was 002

        self.assertEqual({cell[4:] for cell in self.read()}, whole)
        self.assertEqual(self.shown(), self.read())


class Pairs(unittest.TestCase):
    def test_two_results_of_one_repetition_are_not_compared(self):
        rows = pd.DataFrame([("a", k % 6, "s", float(k)) for k in range(12)]
                            + [("b", k, "s", 1.0 + k) for k in range(6)],
                            columns=["label", "repetition", "seed", "value"])
        rows[["metric", "unit", "late"]] = "jct_mean", "s", False
        with self.assertRaisesRegex(ReadError, '"a": repetition 0 with seed s is there twice'):
            compare.paired(rows, ["a", "b"])


if __name__ == "__main__":
    unittest.main()
