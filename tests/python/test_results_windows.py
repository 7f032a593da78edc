# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Measured windows in Python: by hand, and as the program has them."""

import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
import pandas as pd

import mimus_results
from mimus_results import cli, devices, fairness, frames, measured, metrics, read, sums, totals
from mimus_results.figures import style
from mimus_results.report import facts
from mimus_results.report.sections import native

MIMUS = os.environ.get("MIMUS")

CAMPAIGN = """
schema: 1
name: windows
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload:
  source: poisson
  jobs: 40
  mean_interarrival: 60 s
  mix: {resnet50: 1, bert-base: 1, neumf: 1}
  gangs: {1: 3, 2: 2, 4: 1}
  duration: 4 min
policy: {order: srtf, preemption: checkpoint, placement: pack}
engine: {kind: virtual}
sweep:
  grid:
    policy.sharing: [exclusive, {name: tenants, per_gpu: 2}]
    engine.mode: [events, rounds]
"""


def four_jobs(**more):
    """The cell of tests/unit/results/measured_window_test.cpp: two GPUs, first come first served.

    job   arrival  runs      gang  efficiency
    0     0        0 … 20    1     1
    1     10       20 … 50   2     0.8
    2     30       50 … 70   1     1
    3     60       70 … 100  2     0.5
    """
    jobs = pd.DataFrame({
        "job": range(4), "model": "m", "user": "", "virtual_cluster": "", "outcome": "finished",
        "arrival": [0.0, 10, 30, 60], "end": [20.0, 50, 70, 100], "gang": [1, 2, 1, 2],
        "queueing": [0.0, 10, 20, 10], "wait_capacity": [0.0, 10, 20, 10],
        "running": [20.0, 30, 20, 30], "gpu_seconds": [20.0, 60, 20, 60], "attempts": 1,
        "preemptions": [0, 1, 0, 0], "failures": 0, "samples_processed": [400.0, 300, 100, 300],
        "progress_samples": [400.0, 240, 100, 150]})
    jobs["jct"] = jobs["end"] - jobs["arrival"]
    steps = pd.DataFrame({
        "attempt": range(4), "job": range(4), "begin": [0.0, 20, 50, 70], "end": [20.0, 50, 70, 100],
        "steps": [20, 30, 20, 30], "step_mean": 1.0, "step_modelled": 1.0, "late": 0.0,
        "device_busy": [0.5, 0.8, 0.5, 0.8], "samples": 100.0,
        "progress_samples": [100.0, 80, 100, 50], "co_tenants": 0})
    attempts = pd.DataFrame({"attempt": range(4), "job": range(4), "begin": steps["begin"],
                             "end": steps["end"], "replicas": [1, 2, 1, 2], "locality": "node"})
    use = pd.DataFrame({"begin": steps["begin"], "end": steps["end"], "gpus": 2,
                        "gpus_held": [1, 2, 1, 2], "gpus_allocated": [1.0, 2, 1, 2]})
    pairs = pd.DataFrame({"attempt": [0, 1], "job": [0, 1], "model": "m", "co_models": "m",
                          "begin": [0.0, 20], "end": [10.0, 40], "slowdown": [3.0, 2.0]})
    # At the begins of attempts; after the last job nothing is decided.
    decisions = pd.DataFrame({"time": [0.0, 20, 50, 70], "latency_us": [10.0, 20, 40, 80]})
    gpus = pd.DataFrame({"gpu": [0, 1], "busy": [58.0, 58.0]})
    return read.Cell(Path("four.h5"), {"label": "four", "status": "complete", "engine": "live"},
                     dict(jobs=jobs, steps=steps, attempts=attempts, utilisation=use, pairs=pairs,
                          decisions=decisions, gpus=gpus, **more))


def through(cell, window):
    return measured.MeasuredCell(cell, measured.window_of(window))


class Windows(unittest.TestCase):
    def test_they_are_read_as_the_program_reads_them(self):
        self.assertEqual(measured.window_of("jobs=4..9")[:2], (4, 9))
        self.assertEqual(measured.window_of("jobs=4..")[:2], (4, np.inf))
        self.assertEqual(measured.window_of("from=2h,until=1.5 d")[2:4], (7200, 129600))
        self.assertTrue(measured.window_of("all").is_whole)

    def test_what_is_none_is_refused(self):
        for text in ("", "jobs=", "jobs=..", "jobs=5", "jobs=5..5", "jobs=-1..5", "from=5",
                     "from=2h,until=1h", "jobs=1..5,from=2h", "from=2 hours", "4..5", "until=0s"):
            with self.assertRaises(read.ReadError, msg=text):
                measured.window_of(text)


class ByHand(unittest.TestCase):
    """Derivations stand beside the same numbers in measured_window_test.cpp."""

    def test_jobs_of_a_window(self):
        figures = metrics.of_cell(through(four_jobs(), "jobs=1..3"))
        expected = {
            "jobs": 2, "preemptions": 1, "jct_mean": 40, "queueing_mean": 15,
            "queueing_capacity_mean": 15, "makespan": 60, "last_end": 70, "throughput": 8,
            "goodput": 6.8, "efficiency": 0.85, "slowdown_mean": 2, "slowdown_worst": 2,
            "drain": 40, "gpu_allocated_arriving": 30 / 40, "gpu_allocated": 90 / 120, "gpu_busy": 63 / 120, "goodput_normalised": 44 / 50,
            # Decisions at 20, 50 and 70 of the span from 10 to 70.
            "decision_latency_mean": (20 + 40 + 80) / 3 * 1e-6}
        for name, value in expected.items():
            self.assertAlmostEqual(figures[name], value, places=12, msg=name)

    def test_jobs_that_arrive_in_a_span(self):
        figures = metrics.of_cell(through(four_jobs(), "from=15s,until=45s"))
        expected = {"jobs": 1, "jct_mean": 40, "makespan": 40, "gpu_allocated": 55 / 60,
                    "gpu_busy": 42.5 / 60}
        for name, value in expected.items():
            self.assertAlmostEqual(figures[name], value, places=12, msg=name)

    def test_a_window_that_covers_the_run_changes_no_figure(self):
        whole = metrics.of_cell(four_jobs())
        for window in ("jobs=0..4", "jobs=..99", "from=0s,until=100s"):
            self.assertEqual(metrics.of_cell(through(four_jobs(), window)), whole)

    def test_fairness_counts_the_jobs_outside(self):
        whole = fairness.job_fairness(four_jobs())
        found = fairness.job_fairness(through(four_jobs(), "jobs=1..3"))
        pd.testing.assert_frame_equal(found, whole.iloc[1:3].reset_index(drop=True))
        # Job 2 lives from 30 to 70: beside job 1 until 50, then alone, from 60 on beside job 3.
        self.assertAlmostEqual(found["mean_active"][1], (20 * 2 + 10 * 1 + 10 * 2) / 40)

    def test_frames_are_of_the_window(self):
        cell = through(four_jobs(), "jobs=1..3")
        self.assertEqual(frames.jct([cell])["job"].tolist(), [1, 2])
        self.assertEqual(frames.jct([cell])["measured"].tolist(), ["jobs=1..3"] * 2)
        self.assertEqual(frames.utilisation([cell])[["begin", "end"]].values.tolist(),
                         [[10, 20], [20, 50], [50, 70]])
        self.assertEqual(frames.locality([cell])["gpu_seconds"].tolist(), [80])
        self.assertEqual(frames.goodput([cell])["job"].tolist(), [1, 2])

    # 300 W throughout; job 1 and 2 had 80 of the 160 GPU s of all jobs.
    def test_energy_is_that_within_the_span(self):
        times = np.arange(0, 101, 5.0)
        cell = four_jobs(
            device_samples=pd.DataFrame({"time": times, "gpu": 0, "host": "h", "device": 0,
                                         "energy": 300 * times}
                                        | {name: 1.0 for name in devices.MEANS}),
            energy=pd.DataFrame({"gpu": [0], "node": [0], "span": [100.0], "joules": [30000.0],
                                 "mean_power": [300.0]}))
        cell.table("energy").attrs["units"] = {"joules": "J"}
        figures = metrics.of_cell(through(cell, "jobs=1..3"))
        self.assertAlmostEqual(figures["energy"], 300 * 60)
        self.assertAlmostEqual(figures["energy_per_job"], 30000 * 80 / 160 / 2)
        self.assertAlmostEqual(metrics.of_cell(cell)["energy_per_job"], 30000 / 4)

    def test_a_window_without_jobs_says_what_there_is(self):
        with self.assertRaisesRegex(read.ReadError, r"measures none of its 4 jobs, which are "
                                                    r"jobs=0\.\.4 and arrived from 0 s to 60 s"):
            through(four_jobs(), "jobs=4..9")

    def test_pace_is_that_of_the_run(self):
        cell = four_jobs()
        cell.table("steps").loc[0, "late"] = 1.0  # job 0, all of its 20 of 100 s of steps
        seen = through(cell, "jobs=1..3")
        self.assertAlmostEqual(metrics.of_cell(seen)["late_share"], 0.2)
        self.assertIn("late for 20 % of the step time", native.section(facts.Facts(
            mimus_results.Campaign([seen]))).body)


class AsTheProgram(unittest.TestCase):
    """Every figure of a run through a window, in the program and in Python."""

    @classmethod
    def setUpClass(cls):
        if not MIMUS:
            raise unittest.SkipTest("MIMUS does not name the program")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.campaign = cls.folder / "windows.yaml"
        cls.campaign.write_text(CAMPAIGN, encoding="utf-8")
        cls.mimus("run", cls.campaign, "--no-summary", "--set", "measure.jobs=10..30")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def mimus(cls, verb, *arguments):
        return subprocess.run([MIMUS, *verb.split(), *map(str, arguments), "-q",
                               *(["-o", str(cls.folder / "out")] if verb != "summary" else [])],
                              check=True, capture_output=True, text=True).stdout

    def test_figures_agree_through_every_window(self):
        for bounds, window in (("jobs: 10..30", "jobs=10..30"), ("jobs: 35..", "jobs=35.."),
                               ("jobs: ..1", "jobs=0..1"), ("jobs: 0..40", "jobs=0..40"),
                               ("from: 5 min, until: 25 min", "from=5min,until=25min"),
                               ("until: 333.5 s", "until=333.5s"), ("from: 20 min", "from=20min")):
            self.mimus("campaign merge", self.campaign, "--set", f"measure={{{bounds}}}")
            table = pd.read_csv(self.folder / "out" / "metrics.csv")
            self.assertEqual(set(table["measured"]), {window})
            campaign = mimus_results.load(self.folder / "out" / "campaign.h5")
            self.assertEqual(campaign.measured, window)
            loose = sorted((self.folder / "out").glob("0*.h5"))
            again = mimus_results.load(loose).window(window)
            pd.testing.assert_frame_equal(campaign.metrics(), again.metrics())
            ours = campaign.metrics().set_index(["label", "metric"])["value"]
            for row in table.itertuples():
                found = ours.get((row.label, row.metric), np.nan)
                np.testing.assert_allclose(found, row.value, rtol=1e-9, atol=1e-12,
                                           err_msg=f"{window}: {row.label}, {row.metric}")
            self.assertGreater(table["value"].notna().sum(), 50)

    def test_sums_of_the_tables_are_those_that_the_program_counted(self):
        files = sorted((self.folder / "out").glob("0*.h5"))
        for cell in mimus_results.load(files, measure="all").cells:
            counted, of_tables = totals.totals(cell), sums.of_tables(cell)
            self.assertGreater(counted["arriving_up_seconds", "all"], 0)
            for name in counted.index.union(of_tables.index):
                np.testing.assert_allclose(of_tables.get(name, 0.0), counted[name], rtol=1e-9,
                                           err_msg=f"{cell.label}: {name}")

    def test_files_say_what_is_measured_of_them(self):
        files = sorted((self.folder / "out").glob("0*.h5"))
        campaign = mimus_results.load(files)
        self.assertEqual(campaign.measured, "jobs=10..30")
        self.assertIn("measured: jobs=10..30", campaign.notes)
        self.assertEqual(campaign.jct()["job"].nunique(), 20)
        self.assertEqual(set(campaign.intervals("jct_mean")["measured"]), {"jobs=10..30"})
        whole = mimus_results.load(files, measure="all")
        self.assertEqual(whole.jct()["job"].nunique(), 40)
        self.assertNotIn("measured", whole.intervals("jct_mean"))
        self.assertIn("measured: jobs=10..30", self.mimus("summary", *files))

    def test_the_command_line_measures_and_says_so(self):
        files = list(map(str, sorted((self.folder / "out").glob("0*.h5"))))
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(["metrics", *files, "--measure", "jobs=0..7"])
        self.assertEqual(code, 0)
        found = pd.read_csv(io.StringIO(out.getvalue()))
        self.assertEqual(set(found["measured"]), {"jobs=0..7"})
        self.assertEqual(set(found.loc[found["metric"] == "jobs", "value"]), {7})
        self.assertIn("measured: jobs=0..7", err.getvalue())

    def test_the_report_says_what_each_section_is_of(self):
        files = list(map(str, sorted((self.folder / "out").glob("0*.h5"))))
        page = self.folder / "report.html"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(cli.main(["report", *files, "-o", str(page)]), 0)
        text = page.read_text(encoding="utf-8")
        self.assertIn("<b>jobs=10..30</b> measured", text)
        self.assertIn("Measured: jobs=10..30.", text)
        self.assertIn("Of the whole run.", text)


class Figures(unittest.TestCase):
    def test_titles_say_what_is_measured(self):
        self.assertEqual(style.titled("Queueing"), "Queueing")
        with style.measured("jobs=1..3"):
            self.assertEqual(style.titled("Queueing"), "Queueing; measured: jobs=1..3")
            fig, _ = style.figure()
            style.title_of_figure(fig)
            self.assertEqual([text.get_text() for text in fig.texts], ["measured: jobs=1..3"])
            style.plt.close(fig)


if __name__ == "__main__":
    unittest.main()
