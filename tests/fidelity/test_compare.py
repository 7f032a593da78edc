# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The table of errors for made-up measurements whose errors are computed by hand."""

import contextlib
import io
import json
import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import h5py
    import numpy as np
    import pandas as pd

    import compare
    import errors
    import measurements
except ImportError as missing:
    raise unittest.SkipTest(f"skipped: {missing}") from missing

SOLO_TYPE = [("model", "S48"), ("precision", "S16"), ("shape", "S64"), ("per_gpu_batch", "i8"),
             ("step_mean", "f8"), ("memory_peak", "f8"), ("kernels", "f8"), ("sm_activity", "f8"),
             ("dram_activity", "f8")]
PAIR_TYPE = [("model", "S48"), ("per_gpu_batch", "i8"), ("co_model", "S48"),
             ("co_per_gpu_batch", "i8"), ("sharing", "S16"), ("slowdown", "f8")]


def solo_row(batch, step, memory, kernels, sm, dram, failure=""):
    return {"model": "a", "precision": "fp32", "per_gpu_batch": batch, "step_mean": step,
            "memory_device": memory, "memory_reserved": memory / 2, "kernels": kernels,
            "sm_activity": sm, "dram_activity": dram, "failure": failure}


def pair_row(one, other, slowdown, sharing="time_slice"):
    return {"model": one, "per_gpu_batch": 4, "co_model": other, "co_per_gpu_batch": 4,
            "precision": "fp32", "sharing": sharing, "slowdown": slowdown, "failure": ""}


# Errors of the synthetic job: step +3 % and -9 %, memory -5 % and 0, kernels +8 % and 0,
# SM activity -4 points and +1, DRAM activity unknown and -2. The third one has no twin.
REAL = {"environment": {"gpu": "G", "setup": {}}, "notes": ["no pairs under mps: none"],
        "solo": [solo_row(4, 0.100, 10e9, 100, 0.50, 0.40),
                 solo_row(8, 0.200, 20e9, 100, 0.60, 0.40),
                 solo_row(16, 0.300, 30e9, 100, 0.70, 0.50),
                 {"model": "a", "precision": "fp32", "per_gpu_batch": 99, "failure": "too large"}],
        "pairs": [pair_row("a", "a", 1.2), pair_row("a", "b", 1.5), pair_row("b", "a", 2.0),
                  pair_row("b", "b", 1.8)]}
SYNTHETIC = [(b"a", b"fp32", b"1", 4, 0.103, 9.5e9, 108, 0.46, -1),
             (b"a", b"fp32", b"1", 8, 0.182, 20e9, 100, 0.61, 0.38),
             (b"a", b"fp32", b"2", 16, 0.300, 30e9, 100, 0.70, 0.50),
             (b"b", b"fp32", b"1", 4, 0.100, 1e9, 10, 0.1, 0.1)]
# +5, -5, -10 and +15 points; ranks 1 2 4 3 against 1 2 3 4, so 1 - 6 * 2 / (4 * 15) = 0.8.
SYNTHETIC_PAIRS = [(b"a", 4, b"a", 4, b"tenants-2", 1.25), (b"a", 4, b"b", 4, b"tenants-2", 1.45),
                   (b"b", 4, b"a", 4, b"tenants-2", 1.90), (b"b", 4, b"b", 4, b"tenants-2", 1.95)]


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fidelity-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def files(self, real=None):
        """The real side, and a profile as written by `mimus calibrate`."""
        (self.folder / "real.json").write_text(json.dumps(real or REAL), encoding="utf-8")
        with h5py.File(self.folder / "profile.h5", "w") as file:
            file["profile"] = np.array(SYNTHETIC, dtype=SOLO_TYPE)
            file["profile_pairs"] = np.array(SYNTHETIC_PAIRS, dtype=PAIR_TYPE)
        return str(self.folder / "real.json"), str(self.folder / "profile.h5")

    def run_compare(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = compare.main([*arguments, "--out", str(self.folder)])
        content = json.loads((self.folder / "fidelity.json").read_text(encoding="utf-8"))
        return code, output.getvalue(), content

    def verdict(self, content, metric, statistic):
        found = [row for row in content["verdicts"]
                 if (row["metric"], row["statistic"]) == (metric, statistic)]
        self.assertEqual(len(found), 1, (metric, statistic))
        return found[0]

    def assert_verdict(self, content, metric, statistic, reached, verdict, points):
        row = self.verdict(content, metric, statistic)
        self.assertAlmostEqual(row["reached"], reached, places=9)
        self.assertEqual((row["verdict"], row["points"]), (verdict, points))

    def test_errors_and_verdicts_are_those_worked_out_by_hand(self):
        code, _, content = self.run_compare(*self.files())

        self.assertEqual(code, 0)
        mean, largest = "mean absolute error", "largest absolute error"
        self.assert_verdict(content, "step time", mean, (3 + 9) / 2, "missed", 2)
        self.assert_verdict(content, "step time", largest, 9, "missed", 2)
        self.assert_verdict(content, "peak memory", largest, 5, "met", 2)
        self.assert_verdict(content, "kernels per step", largest, 8, "met", 2)
        self.assert_verdict(content, "SM activity", largest, 4, "met", 2)
        self.assert_verdict(content, "DRAM activity", largest, 2, "met", 1)
        self.assert_verdict(content, "slowdown in pairs, time_slice", mean, 35 / 4, "missed", 4)
        self.assert_verdict(content, "slowdown in pairs, time_slice", "rank correlation", 0.8,
                            "missed", 4)

    def test_signs_say_which_side_is_larger(self):
        _, _, content = self.run_compare(*self.files())

        self.assertEqual([row and round(row, 6) for row in
                          (row["step_mean_error"] for row in content["solo"])], [3, -9, None])
        self.assertEqual([round(row["slowdown_error"], 6) for row in content["pairs"]],
                         [5, -5, -10, 15])

    def test_what_was_not_measured_is_neither_met_nor_missed(self):
        _, printed, content = self.run_compare(*self.files())

        row = self.verdict(content, "slowdown in pairs, mps", "rank correlation")
        self.assertEqual((row["verdict"], row["reached"], row["points"]), ("not measured", None, 0))
        self.assertIn("| slowdown in pairs, mps | rank correlation | >= 0.9 | – | 0 |"
                      " not measured |", printed)

    def test_the_way_of_sharing_is_taken_from_the_command_line(self):
        real = {**REAL, "pairs": [{**row, "sharing": "mps"} for row in REAL["pairs"]]}
        real_file, profile = self.files(real)

        _, _, content = self.run_compare(real_file, f"mps={profile}")

        self.assert_verdict(content, "slowdown in pairs, mps", "mean absolute error", 8.75,
                            "missed", 4)

    def test_a_profile_that_contradicts_its_way_of_sharing_is_refused(self):
        real_file, profile = self.files()
        for said, label in ((b"false", "mps="), (b"true", "")):
            with self.subTest(mps_active=said):
                with h5py.File(profile, "a") as file:
                    file.attrs["mps_active"] = said

                with contextlib.redirect_stderr(io.StringIO()) as errors:
                    code = compare.main([real_file, label + profile, "--out", str(self.folder)])

                self.assertEqual(code, 1)
                self.assertIn(f"mps_active is {said.decode()}", errors.getvalue())

    def test_several_precisions_are_also_judged_apart(self):
        _, _, one = self.run_compare(*self.files())
        self.assertEqual([row for row in one["verdicts"] if "fp32" in row["metric"]], [])
        other = {**REAL["solo"][0], "precision": "tf32"}

        _, _, both = self.run_compare(*self.files({**REAL, "solo": [*REAL["solo"], other]}))

        mean = "mean absolute error"
        self.assert_verdict(both, "step time, fp32", mean, (3 + 9) / 2, "missed", 2)
        row = self.verdict(both, "step time, tf32", mean)
        self.assertEqual((row["verdict"], row["points"]), ("not measured", 0))

    def test_the_memory_to_compare_can_be_chosen(self):
        _, _, content = self.run_compare(*self.files(), "--memory", "reserved")

        # Half as much on the real side: 9.5 against 5 and 20 against 10, 90 % and 100 % too much.
        self.assert_verdict(content, "peak memory", "largest absolute error", 100, "missed", 2)

    def test_the_markdown_shows_targets_rows_and_what_was_left_out(self):
        _, printed, _ = self.run_compare(*self.files())

        self.assertIn("| step time | mean absolute error | <= 3 % | 6 % | 2 | missed |", printed)
        self.assertIn("| a | fp32 | 4 | 100 | 103 | +3 | -5 | +8 | -4 | – |", printed)
        self.assertIn("| a | fp32 | 16 | 300 | – | – | – | – | – | – |", printed)
        self.assertIn("| a (4) | b (4) | time_slice | fp32 | 1.5 | 1.45 | -5 |", printed)
        self.assertIn("- no pairs under mps: none", printed)
        self.assertIn("- a fp32 batch 99: too large", printed)

    def test_tables_are_written_as_csv(self):
        self.run_compare(*self.files())

        solo = pd.read_csv(self.folder / "fidelity-solo.csv")
        self.assertEqual(list(solo["per_gpu_batch"]), [4, 8, 16])
        self.assertAlmostEqual(solo["step_mean_synthetic"][1], 0.182)
        self.assertEqual(len(pd.read_csv(self.folder / "fidelity-pairs.csv")), 4)

    def test_pairs_may_be_missing_on_either_side(self):
        code, printed, content = self.run_compare(*self.files({**REAL, "pairs": []}))

        self.assertEqual(code, 0)
        self.assertNotIn("## In pairs", printed)
        self.assertEqual(content["pairs"], [])

    def test_nothing_to_compare_is_an_error(self):
        real, profile = self.files({**REAL, "solo": [], "pairs": []})

        with contextlib.redirect_stderr(io.StringIO()) as said:
            code = compare.main([real, profile, "--out", str(self.folder)])

        self.assertEqual(code, 1)
        self.assertIn("holds no measurements", said.getvalue())

    def test_the_last_of_several_profiles_counts(self):
        self.files()
        first = measurements.load_profile(self.folder / "profile.h5", "time_slice")
        second = measurements.load_profile(self.folder / "profile.h5", "time_slice")
        second.solo["step_mean"] = 7.0

        both = measurements.joined([first, second])

        self.assertEqual(set(both.solo["step_mean"]), {7.0})
        self.assertEqual(len(both.pairs), 4)


class Spearman(unittest.TestCase):
    def test_ties_share_their_mean_rank(self):
        # Ranks 1.5 1.5 3 against 1 2 3: covariance 1.5, variances 1.5 and 2, so 1.5 / sqrt(3).
        value = errors.spearman(pd.Series([1.0, 1.0, 2.0]), pd.Series([1.0, 2.0, 3.0]))
        self.assertAlmostEqual(value, 1.5 / math.sqrt(3))

    def test_unknown_pairs_do_not_count(self):
        a = pd.Series([1.0, 2.0, 3.0, math.nan])
        self.assertAlmostEqual(errors.spearman(a, pd.Series([3.0, 2.0, 1.0, 9.0])), -1)

    def test_two_pairs_say_nothing(self):
        self.assertTrue(math.isnan(errors.spearman(pd.Series([1.0, 2.0]), pd.Series([1.0, 2.0]))))


if __name__ == "__main__":
    unittest.main()
