# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Intervals have their nominal coverage, effects match their definitions, verdicts need data."""

import math
import unittest

import numpy as np
import pandas as pd

from mimus_results import compare, statistics, sweep


def frame_of(metric="jct_mean", unit="s", **values):
    """Repetitions of each label. Underscores in the names stand for the separator."""
    rows = [(f"{label}-{k}", label.replace("_", " / "), k, f"seed {k}", metric, value, unit, False)
            for label, runs in values.items() for k, value in enumerate(runs)]
    return pd.DataFrame(rows, columns=["cell", "label", "repetition", "seed", "metric", "value",
                                       "unit", "late"])


class Repetitions(unittest.TestCase):
    def test_six_repetitions_are_the_fewest_for_95_percent(self):
        # 2 · 2⁻⁵ = 0.0625 > 0.05 ≥ 2 · 2⁻⁶; likewise 2 · 2⁻⁴ ≤ 0.2 and 2 · 2⁻⁸ ≤ 0.01
        self.assertEqual([statistics.repetitions_needed(c) for c in (0.95, 0.8, 0.99, 0.5)],
                         [6, 4, 8, 2])

    def test_pairs_to_tell_an_effect_follow_the_power_of_the_t_test(self):
        # ((1.960 + 0.842) / 0.5)² + 1.960² / 2 = 33.3; tables of the paired t test: 34
        self.assertEqual(statistics.repetitions_to_tell(0.5), 34)
        self.assertEqual(statistics.repetitions_to_tell(-5.0), 6)
        self.assertIsNone(statistics.repetitions_to_tell(0.0))


class Intervals(unittest.TestCase):
    def coverage(self, draw, truth, repetitions, trials=500):
        random = np.random.default_rng(7)
        inside = 0
        for _ in range(trials):
            found = statistics.mean_interval(draw(random, repetitions))
            inside += found.low <= truth <= found.high
        return inside / trials

    def test_intervals_of_normal_values_cover_the_mean_as_often_as_they_say(self):
        # Standard error of a share of 500 at 0.95: 1 %.
        for repetitions in (2, 6, 20):
            share = self.coverage(lambda random, n: random.normal(100, 15, n), 100, repetitions)
            self.assertGreater(share, 0.92, repetitions)
            self.assertLess(share, 0.98, repetitions)

    def test_intervals_of_skewed_values_cover_nearly_as_often(self):
        truth = math.exp(0.5 * 0.5 ** 2)
        share = self.coverage(lambda random, n: random.lognormal(0, 0.5, n), truth, 10)
        self.assertGreater(share, 0.88)

    def test_equal_values_give_equal_intervals(self):
        values = [3.0, 5.0, 4.0, 8.0, 6.0, 7.0, 4.5]
        first, again = statistics.mean_interval(values), statistics.mean_interval(values)
        self.assertEqual(first, again)
        self.assertLess(first.low, first.estimate)
        self.assertLess(first.estimate, first.high)

    def test_intervals_scale_with_their_unit(self):
        values = np.array([3.0, 5.0, 4.0, 8.0, 6.0, 7.0])
        seconds, minutes = (statistics.mean_interval(v) for v in (values * 60, values))
        self.assertAlmostEqual(seconds.low / minutes.low, 60)

    def test_without_repetitions_there_is_a_number_of_them_instead(self):
        found = statistics.mean_interval([4.5])
        self.assertFalse(found.known)
        self.assertTrue(math.isnan(found.low))
        self.assertEqual(found.estimate, 4.5)
        self.assertEqual(found.reason, "1 repetition; an interval needs 2")

    def test_the_interval_is_students_as_in_the_summary(self):
        # The deviation of 1, 2, 3 is 1; t(0.975; 2) = 4.302653 in every table: ± 4.302653 ÷ √3
        found = statistics.mean_interval([1.0, 2, 3])
        self.assertAlmostEqual(found.high - 2, 2.484138, places=6)
        self.assertAlmostEqual(2 - found.low, 2.484138, places=6)

    def test_repetitions_that_are_late_are_counted(self):
        rows = frame_of(a=[1.0, 2, 3])
        rows.loc[rows["repetition"] > 0, "late"] = True
        self.assertEqual(compare.intervals(rows)["late"].tolist(), [2])

    def test_identical_repetitions_are_no_evidence(self):
        self.assertIn("the seed changes nothing", statistics.mean_interval([4.0] * 9).reason)


class Effects(unittest.TestCase):
    def test_dz_is_the_mean_difference_over_its_standard_deviation(self):
        # mean 2, standard deviation of 1, 2, 3: 1
        self.assertAlmostEqual(statistics.cohen_dz([1.0, 2, 3]), 2.0)
        self.assertEqual(statistics.cohen_dz([-2.0, -2, -2]), -math.inf)
        self.assertEqual(statistics.cohen_dz([0.0, 0]), 0.0)
        self.assertTrue(math.isnan(statistics.cohen_dz([1.0])))

    def test_cliffs_delta_counts_pairs(self):
        # of 2 × 3 pairs: 5 above, 0 equal, 1 below
        self.assertAlmostEqual(statistics.cliffs_delta([2.0, 5], [1.0, 1.5, 3]), 4 / 6)


class Comparisons(unittest.TestCase):
    BASE = [100.0, 140, 90, 120, 170, 110, 95]

    def compare(self, other, base=None, metric="jct_mean", **options):
        base = self.BASE if base is None else base
        rows = frame_of(metric, a=base, b=other)
        return compare.paired(rows, ["a", "b"], **options).iloc[0]

    def test_a_smaller_jct_on_every_seed_is_better(self):
        row = self.compare([0.8 * value for value in self.BASE])
        self.assertEqual((row.verdict, row.better, row.pairs), ("lower", True, 7))
        for value in (row.ratio, row.ratio_low, row.ratio_high):
            self.assertAlmostEqual(value, 0.8)
        self.assertLess(row.difference_high, 0)

    def test_whether_more_is_better_depends_on_the_metric(self):
        more = [1.3 * value + k for k, value in enumerate(self.BASE)]
        self.assertEqual(self.compare(more).better, False)
        self.assertEqual(self.compare(more, metric="goodput").better, True)
        self.assertIsNone(self.compare(more, metric="jobs").better)

    def test_pairing_tells_what_the_spread_over_seeds_hides(self):
        # The seeds spread by a factor of 1.9, the policies by 3 %.
        other = [0.97 * value + (k % 2) for k, value in enumerate(self.BASE)]
        row = self.compare(other)
        self.assertEqual(row.verdict, "lower")
        self.assertGreater(row["mean"], min(self.BASE))

    def test_noise_is_not_told_apart_and_says_how_many_pairs_would(self):
        row = self.compare([104.0, 132, 93, 125, 161, 115, 93])
        self.assertEqual(row.verdict, "no clear difference")
        self.assertGreater(row.needed, 7)
        self.assertLess(row.ratio_low, 1)
        self.assertGreater(row.ratio_high, 1)

    def test_there_is_no_verdict_without_repetitions_however_large_the_difference(self):
        row = self.compare([1.0, 1.4], base=[100.0, 140])
        self.assertEqual((row.verdict, row.better, row.needed), ("no verdict", None, 6))
        self.assertTrue(math.isnan(row.ratio_low))
        self.assertAlmostEqual(row.ratio, 0.01)

    def test_there_is_no_verdict_from_copies_of_one_run(self):
        row = self.compare([5.0] * 8, base=[9.0] * 8)
        self.assertEqual(row.verdict, "no verdict")
        self.assertIn("identical", row.reason)

    def test_cells_without_common_seeds_are_not_compared(self):
        rows = frame_of(a=self.BASE, b=self.BASE)
        rows.loc[rows["label"] == "b", "seed"] += " of other jobs"
        self.assertTrue(compare.paired(rows, ["a", "b"]).empty)

    def test_pairs_with_a_late_run_are_counted(self):
        rows = frame_of(a=self.BASE, b=self.BASE)
        rows.loc[(rows["label"] == "a") & (rows["repetition"] == 1), "late"] = True
        rows.loc[(rows["label"] == "b") & (rows["repetition"] < 2), "late"] = True
        self.assertEqual(compare.paired(rows, ["a", "b"])["late"].tolist(), [2])

    def test_false_verdicts_are_as_rare_as_the_confidence_says(self):
        random = np.random.default_rng(11)
        told = 0
        for _ in range(400):
            seeds = random.lognormal(5, 0.3, 10)
            base, other = (seeds * random.lognormal(0, 0.05, 10) for _ in range(2))
            told += self.compare(list(other), base=list(base)).verdict in ("lower", "higher")
        self.assertLess(told / 400, 0.09)  # 5 %, and three standard errors

    def test_an_unknown_baseline_is_answered_with_the_labels(self):
        with self.assertRaisesRegex(sweep.BaselineError, "the labels are: a; b"):
            self.compare(self.BASE, baseline="c")


class Sweeps(unittest.TestCase):
    def test_labels_are_compared_when_one_value_differs(self):
        labels = ["fifo / 8", "fifo / 16", "las / 8", "las / 16"]
        found = [(pair.baseline, pair.label) for pair in sweep.comparisons(labels)]
        self.assertEqual(found, [("fifo / 8", "fifo / 16"), ("fifo / 8", "las / 8"),
                                 ("fifo / 16", "las / 16"), ("las / 8", "las / 16")])

    def test_every_pair_of_policies_is_compared(self):
        found = sweep.comparisons(["fifo", "las", "srtf"])
        self.assertEqual([pair.changed for pair in found],
                         ["fifo → las", "fifo → srtf", "las → srtf"])

    def test_a_swept_value_is_the_baseline_at_each_load(self):
        labels = [f"load={load} / {policy}" for load in (1, 2) for policy in ("las", "fifo", "srtf")]
        found = sweep.comparisons(labels, "fifo")
        self.assertEqual([(pair.baseline, pair.label) for pair in found],
                         [(f"load={load} / fifo", f"load={load} / {policy}")
                          for load in (1, 2) for policy in ("las", "srtf")])

    def test_labels_that_change_several_values_are_compared_with_the_first(self):
        found = sweep.comparisons(["fifo / none", "las / checkpoint"])
        self.assertEqual(found, [sweep.Comparison("fifo / none", "las / checkpoint",
                                                  "fifo → las, none → checkpoint")])

    def test_a_baseline_is_compared_with_all_others(self):
        found = sweep.comparisons(["a", "b", "c"], "b")
        self.assertEqual([(pair.baseline, pair.label) for pair in found], [("b", "a"), ("b", "c")])


if __name__ == "__main__":
    unittest.main()
