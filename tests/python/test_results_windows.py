# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Measured windows in Python, compared with hand-computed values and with the program."""

import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

import mimus_results
from mimus_results import cli, frames, measured, metrics, read, totals
from mimus_results.figures import style
from in_memory import figures_of, with_counts

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
    """The cell of tests/unit/results/measured_window_test.cpp: two GPUs, first come first served."""
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
    return read.Cell(Path("four.h5"), {"label": "four", "status": "complete", "engine": "live"},
                     with_counts(dict(jobs=jobs, steps=steps, attempts=attempts, utilisation=use,
                                      **more)))


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
    """The jobs, without a file: figures of windows are the program's (measured_window_test.cpp)."""

    def test_frames_are_of_the_window(self):
        cell = through(four_jobs(), "jobs=1..3")
        self.assertEqual(frames.jct([cell])["job"].tolist(), [1, 2])
        self.assertEqual(frames.jct([cell])["measured"].tolist(), ["jobs=1..3"] * 2)
        self.assertEqual(frames.utilisation([cell])[["begin", "end"]].values.tolist(),
                         [[10, 20], [20, 50], [50, 70]])
        self.assertEqual(frames.locality([cell])["gpu_seconds"].tolist(), [80])
        self.assertEqual(frames.goodput([cell])["job"].tolist(), [1, 2])

    def test_a_window_without_jobs_says_what_there_is(self):
        with self.assertRaisesRegex(read.ReadError, r"measures none of its 4 jobs, which are "
                                                    r"jobs=0\.\.4 and arrived from 0 s to 60 s"):
            through(four_jobs(), "jobs=4..9")

    def test_a_window_that_covers_the_run_needs_no_program(self):
        cell = four_jobs(figures=figures_of(jobs=4, jct_mean=35))
        for window in ("jobs=0..4", "jobs=..99", "from=0s,until=100s"):
            self.assertEqual(metrics.of_cell(through(cell, window)), {"jobs": 4, "jct_mean": 35})

    def test_figures_of_a_part_without_the_program_say_what_to_do(self):
        cell = through(four_jobs(figures=figures_of(jobs=4)), "jobs=1..3")
        with mock.patch.dict(os.environ, {"PATH": ""}):
            os.environ.pop("MIMUS", None)
            self.assertEqual(len(frames.jct([cell])), 2)
            with self.assertRaisesRegex(read.ReadError, "computed by mimus, which is not in PATH"):
                metrics.of_cell(cell)

    def test_a_copy_without_the_files_of_its_cells_knows_its_own_window(self):
        cell = four_jobs(figures=figures_of(jobs=4))
        cell.attributes["measure"] = "jobs=1..3"
        cell.merged_figures = figures_of(jobs=2, jct_mean=40)
        self.assertEqual(metrics.of_cell(through(cell, "jobs=1..3")), {"jobs": 2, "jct_mean": 40})
        with self.assertRaisesRegex(read.ReadError, "knows no figures of jobs=0..3"):
            metrics.of_cell(through(cell, "jobs=0..3"))


def rho_of(cell, job):
    """Finish-time fairness of a job, term by term from the tables of rows (Themis, NSDI 2020)."""
    jobs, attempts, pairs = (cell.table(name) for name in ("jobs", "attempts", "pairs"))
    together = jobs["end"].clip(upper=job.end) - jobs["arrival"].clip(lower=job.arrival)
    active = together.clip(lower=0).sum() / job.jct
    own = attempts[attempts["job"] == job.job]
    service = ((own["end"] - own["begin"]) * own["replicas"]).sum()
    shared = pairs[(pairs["job"] == job.job) & (pairs["slowdown"] > 1)]
    replicas = shared["attempt"].map(own.set_index("attempt")["replicas"])
    service -= ((shared["end"] - shared["begin"]) * (1 - 1 / shared["slowdown"]) * replicas).sum()
    return job.jct * min(len(cell.table("gpus")) / active, job.gang) / service


class AsTheProgram(unittest.TestCase):
    """Every figure of a run in a window, in the program and in Python."""

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

    def test_fairness_is_what_the_rows_of_jobs_attempts_and_pairs_say(self):
        for cell in mimus_results.load(sorted((self.folder / "out").glob("0*.h5")),
                                       measure="all").cells:
            rho = cell.table("fairness").set_index("job")["rho"]
            expected = [rho_of(cell, job) for job in cell.table("jobs").itertuples()]
            np.testing.assert_allclose(rho[cell.table("jobs")["job"]], expected, rtol=1e-5)
            self.assertAlmostEqual(metrics.of_cell(cell)["rho_mean"], np.mean(expected), places=4)

    def test_frames_of_sums_and_quantiles_are_of_the_window(self):
        campaign = mimus_results.load(sorted((self.folder / "out").glob("0*.h5")))
        cell = campaign.cells[0]
        jobs = cell.table("jobs")
        self.assertEqual(len(jobs), 20)
        self.assertEqual(totals.of_all(cell)["jobs"], 20)
        np.testing.assert_allclose(totals.quantile(cell, "jct", 0.9), jobs["jct"].quantile(0.9))
        waits = campaign.queueing().query("gang_class == 'all' and cause == 'capacity'")
        np.testing.assert_allclose(waits["seconds_per_job"].iloc[0], jobs["wait_capacity"].mean())

    def test_a_file_without_figures_is_summed_up_by_the_program(self):
        file = sorted((self.folder / "out").glob("0*.h5"))[0]
        cell = mimus_results.load(file, measure="all").cells[0]
        older = read.Cell(cell.path, cell.attributes, {})
        self.assertEqual(metrics.of_cell(older), metrics.of_cell(cell))
        pd.testing.assert_series_equal(totals.totals(older), totals.totals(cell))

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
