# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The HTML report as text: complete, self-contained, escaped, bounded, and explicit about gaps."""

import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd

from mimus_results import Campaign, cli, load, read
from mimus_results.report import build, choose, html, svg
from mimus_results.report.sections import SECTIONS, batches, comparison, interference, timeline
from in_memory import figures_of, totals_of, with_counts

RESULTS = os.environ.get("MIMUS_SYNTHETIC_RESULTS")
GRID = os.environ.get("MIMUS_SYNTHETIC_GRID")
VOID = {"meta", "link", "input", "br"}


class Outline(HTMLParser):
    """Ids, unclosed tags, and addresses that a page would request."""

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.addresses, self.problems = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids += [values["id"]] if "id" in values else []
        self.addresses += [values[name] for name in ("src", "href") if values.get(name)]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"{tag} at {self.getpos()}")


class TablesInMemory(dict):
    """Tables that are used like those of a file."""

    def fetch(self, names, most_rows=None):
        pass

    def forget(self, but=()):
        pass


class CellInMemory(read.Cell):
    config, command_line = "a: <1>", "mimus run <x>"


def cell_of(label, number=0, attributes=(), **tables):
    return CellInMemory(Path(f"{number}.h5"), {"cell": f"{number:03}", "label": label,
                                               "status": "complete", **dict(attributes)},
                        TablesInMemory(with_counts(tables)))


def counted(jct=10.0, jobs=4, **more):
    """Counts of jobs that all took `jct`."""
    return {"totals": totals_of(jobs=jobs, finished=jobs, wait_order=1),
            "figures": figures_of(jobs=jobs, jobs_finished=jobs, jct_mean=jct,
                                  queueing_mean=1 / jobs, makespan=50, **more)}


def files_of(writer, folder, *arguments):
    if not writer:
        raise unittest.SkipTest("MIMUS_SYNTHETIC_... does not name the writer")
    subprocess.run([writer, str(folder), *arguments], check=True)
    return load(folder)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.campaign = files_of(RESULTS, cls.folder)
        cls.page = build(cls.campaign)
        cls.outline = Outline(cls.page)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_every_element_is_closed_and_every_id_is_given_once(self):
        self.assertEqual(self.outline.problems, [])
        self.assertEqual(self.outline.open, [])
        self.assertEqual(sorted(set(self.outline.ids)), sorted(self.outline.ids))

    def test_the_page_asks_for_nothing(self):
        self.assertEqual([address for address in self.outline.addresses
                          if not address.startswith(("#", "data:"))], [])
        self.assertNotIn("http://", self.page)
        self.assertNotIn("https://", self.page)
        self.assertIn("default-src 'none'", self.page)

    def test_every_section_is_there_and_linked(self):
        for name in ("cells", "native", "comparison", "jct", "queueing", "fairness", "timeline",
                     "over-time", "devices", "interference", "batches", "search", "decisions",
                     "provenance"):
            self.assertIn(name, self.outline.ids)
            self.assertIn(f"#{name}", self.outline.addresses)
        self.assertEqual(self.page.count("<section "), len(SECTIONS))

    def test_one_repetition_gives_no_verdict_but_a_number(self):
        self.assertIn("no verdict: 1 repetition; 6 are needed for 95 %", self.page)
        self.assertNotIn('verdict better', self.page)

    def test_the_same_results_give_the_same_page(self):
        self.assertEqual(self.page, build(load(self.folder)))

    def test_the_timeline_holds_every_placement(self):
        found = re.search(r'id="timeline-data">(.*?)</script>', self.page, re.DOTALL).group(1)
        cells = json.loads(found)["cells"]
        placements = self.campaign.cells[0].table("placements")
        self.assertEqual(len(cells[0]["row"]), len(placements))
        ends = (np.array(cells[0]["begin"]) + cells[0]["length"]) * cells[0]["tick"]
        np.testing.assert_allclose(ends, placements["end"], atol=2 * cells[0]["tick"])

    def test_a_late_cell_is_marked_in_every_section_that_shows_it(self):
        campaign = load(self.folder)
        late, in_time = campaign.cells[:2]
        figures = late.table("figures")  # read once, as every table is
        figures.loc[figures["metric"] == "late_share", "value"] = 0.02
        page = build(campaign)
        self.assertNotIn("late)", self.page)
        for name in ("jct", "queueing", "fairness", "over-time", "decisions", "batches", "timeline"):
            part = re.search(f'<section id="{name}".*?</section>', page, re.DOTALL).group(0)
            self.assertIn(f"{late.label} (late)", part, name)
            self.assertNotIn(f"{in_time.label} (late)", part, name)
        self.assertIn(f"{late.label} (1 late)", page)  # of so many repetitions, where they are counted

    def run_report(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.report_main([str(argument) for argument in arguments])
        return code, out.getvalue(), err.getvalue()

    def test_the_command_writes_the_page_and_the_figures_wanted(self):
        with tempfile.TemporaryDirectory() as other:
            page, figures = Path(other) / "deep" / "report.html", Path(other) / "figures"
            code, out, _ = self.run_report(self.folder, "-o", page, "--figures", figures,
                                           "--format", "svg")
            self.assertEqual(code, 0)
            self.assertEqual(page.read_text(encoding="utf-8"), self.page)
            self.assertIn(str(page), out)
            self.assertEqual({file.suffix for file in figures.iterdir()}, {".svg"})
            self.assertFalse(page.with_name("report.html.part").exists())

    def test_a_wrong_baseline_is_answered_with_the_labels(self):
        with tempfile.TemporaryDirectory() as other:
            code, _, err = self.run_report(self.folder, "-o", f"{other}/x.html", "--baseline", "x")
        self.assertEqual(code, 1)
        self.assertIn("pack / exclusive", err)

    def test_an_unknown_format_is_answered_with_the_known_ones(self):
        with self.assertRaises(SystemExit) as caught, \
                contextlib.redirect_stderr(io.StringIO()) as err:
            cli.report_main([str(self.folder), "--format", "gif"])
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("png, pdf, svg", err.getvalue())


class Gaps(unittest.TestCase):
    def test_sections_without_data_say_why(self):
        page = build(Campaign([cell_of("a", **counted())]))
        for reason in ("nothing to compare it with", "No GPU was shared",
                       "No placements were recorded", "No steps were recorded",
                       "tables of jobs were not recorded", "No spans of utilisation",
                       "No decisions were counted", "No physical device was sampled"):
            self.assertIn(reason, page)

    def test_cells_in_which_nothing_has_happened_make_a_page(self):
        page = build(Campaign([cell_of("a")]))
        self.assertIn("No job has ended yet.", page)
        self.assertEqual(Outline(page).problems, [])

    def test_names_from_files_cannot_become_html(self):
        evil = "</script><script>alert(1)</script>"
        tables = {**counted(), "placements": pd.DataFrame(
            {"attempt": [0], "job": [0], "node": [0], "gpu": [0], "lane": [0], "begin": [0.0],
             "end": [5.0]}), "jobs": pd.DataFrame()}
        cells = [cell_of(name, number, {"campaign": evil, "policy": evil}, **tables)
                 for number, name in enumerate((evil, "b"))]
        page = build(Campaign(cells))
        self.assertNotIn("<script>alert", page)
        self.assertEqual(page.count("</script>"), 2)
        self.assertEqual(Outline(page).problems, [])

    def test_a_failed_cell_is_listed_with_its_reason(self):
        cell = cell_of("a", attributes={"status": "failed", "status_reason": "no <memory>"})
        self.assertIn("no &lt;memory&gt;", build(Campaign([cell])))


class Bounds(unittest.TestCase):
    def test_labels_are_picked_by_rank_and_said_so(self):
        labels = [f"l{k}" for k in range(100)]
        means = pd.Series(np.arange(100.0)[::-1], index=labels)
        chosen = choose.by_rank(labels, means, 24)
        self.assertEqual(len(chosen), 24)
        self.assertIn("l0", chosen)
        self.assertIn("l99", chosen)
        self.assertIn("24 of 100 labels", choose.sentence(24, 100, "labels"))
        self.assertEqual(choose.sentence(8, 8, "labels"), "")

    def test_a_thousand_cells_stay_small(self):
        random = np.random.default_rng(3)
        cells = [cell_of(f"p{k // 10} / q", k, {"repetition": k % 10, "seed": str(k % 10)},
                         **counted(float(random.lognormal(4, 0.3)))) for k in range(1000)]
        page = build(Campaign(cells))
        self.assertLess(len(page), 5e6)
        self.assertEqual(page.count('data-head="repetition"'), 1000)
        self.assertIn("24 of 100 labels are drawn", page)
        self.assertEqual(Outline(page).problems, [])

    def test_many_curves_go_into_several_panels(self):
        found = choose.panels([f"l{k}" for k in range(20)])
        self.assertEqual([len(panel.curves) for panel in found], [8, 8, 4])

    def test_timelines_keep_the_longest_placements_and_say_so(self):
        many = choose.MOST_BARS + 50
        placements = pd.DataFrame({"attempt": 0, "job": range(many), "node": 0, "gpu": 0,
                                   "lane": 0, "begin": np.arange(many, dtype=float)})
        placements["end"] = placements["begin"] + np.where(placements.index < 50, 0.1, 1.0)
        found = timeline.timeline_of(cell_of("a", placements=placements), [])
        self.assertEqual(len(found["row"]), choose.MOST_BARS)
        self.assertEqual(min(found["job"]), 50)
        self.assertIn(f"{choose.MOST_BARS} longest of {many}", found["note"])

    def test_a_large_cluster_shows_its_first_gpus(self):
        gpus = pd.DataFrame({"gpu": range(512), "node": np.arange(512) // 8})
        placements = pd.DataFrame({"attempt": [0], "job": [0], "node": [63], "gpu": [511],
                                   "lane": [511], "begin": [0.0], "end": [1.0]})
        found = timeline.timeline_of(cell_of("a", gpus=gpus, placements=placements), [])
        self.assertEqual(len(set(found["gpu"])), choose.MOST_GPUS)
        self.assertIn("the first 128 of 512 GPUs", found["note"])

    def test_a_grid_of_results_fits_into_panels_by_swept_value(self):
        with tempfile.TemporaryDirectory() as folder:
            page = build(files_of(GRID, folder, "summary"))
        self.assertLess(len(page), 2e6)
        self.assertIn("nodes-16 → nodes-48", page)


class Drawing(unittest.TestCase):
    def test_axes_have_round_ticks(self):
        axis = svg.linear(0, 87, "x")
        self.assertEqual([label for _, label in axis.ticks], ["0", "20", "40", "60", "80"])
        hours = svg.time_axis(5 * 3600)
        self.assertEqual(hours.name, "time [h]")
        self.assertEqual([label for _, label in hours.ticks], ["0", "1", "2", "3", "4", "5"])

    def test_curves_break_where_nothing_is_known(self):
        chart = svg.Chart(svg.linear(0, 3, "x"), svg.linear(0, 1, "y"))
        chart.curve([0, 1, 2, 3], [0, np.nan, 1, 1], 0, "c")
        self.assertEqual(chart.parts[0].count("M"), 2)

    def test_infinite_effects_keep_their_sign(self):
        lower, higher = comparison._plain(-np.inf), comparison._plain(np.inf)
        self.assertEqual((lower.shown, higher.shown), ("−∞", "∞"))
        self.assertLess(lower.key, comparison._plain(-3.0).key)
        self.assertGreater(higher.key, comparison._plain(3.0).key)

    def test_the_scale_of_slowdowns_is_readable_at_both_ends(self):
        self.assertEqual(interference.colour(0.0), ("#fdea45", "#000000"))
        self.assertEqual(interference.colour(1.0), ("#00224e", "#ffffff"))

    def test_elastic_jobs_are_those_whose_batch_changed(self):
        rows = pd.DataFrame({"job": [1, 1, 2, 2, 3, 3, 3], "total_batch": [8, 8, 8, 16, 4, 8, 16]})
        self.assertEqual(batches.elastic_jobs(rows), [3, 2])

    def test_quantities_are_said_as_people_say_them(self):
        self.assertEqual([html.quantity(value, "s") for value in (0.002, 90, -7200)],
                         ["2 ms", "90 s", "−2 h"])
        self.assertEqual(html.quantity(3.14159, ""), "3.14")
        self.assertEqual(html.quantity(float("nan"), "s"), html.UNKNOWN)


if __name__ == "__main__":
    unittest.main()
