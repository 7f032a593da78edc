# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""`mimus export`: what it writes is read as the formats' specifications have it."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path

import pandas as pd

from mimus_results import export, load_all, load_cell
from mimus_results.read import ReadError

MIMUS = os.environ.get("MIMUS")
WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")

# One GPU: b stops a at 10 and leaves at 30, a continues until 120; c arrives at 200.
CAMPAIGN = """
schema: 1
name: exported
cluster: {nodes: 1, gpus_per_node: 1, gpu: T4, network: 25 Gbit/s}
workload: {source: csv, path: jobs.csv}
policy: srtf
engine: {kind: virtual, step_time: duration, interference: none}
"""
JOBS = """name,user,virtual_cluster,arrival,gang,run_time
a,ann,vision,0,1,100
b,bob,nlp,10,1,20
c,ann,nlp,200,1,5.5
"""


def swf_lines(text):
    """Header comments by label and rows of numbers, as in version 2.2 of the format."""
    header, rows = defaultdict(list), []
    for line in text.splitlines():
        if line.startswith(";"):
            label, value = line[1:].strip().split(": ", 1)
            header[label].append(value)
            continue
        fields = line.split()
        assert len(fields) == 18, line
        rows.append([float(field) for field in fields])
    return header, rows


def check_swf(case, text):
    header, rows = swf_lines(text)
    case.assertEqual(header["Version"], ["2.2"])
    case.assertEqual([int(header[name][0]) for name in ("MaxJobs", "MaxRecords")],
                     [len(rows)] * 2)
    case.assertEqual([row[0] for row in rows], list(range(1, len(rows) + 1)))
    case.assertEqual(rows, sorted(rows, key=lambda row: row[1]))
    case.assertEqual(len(header["Queue"]), int(header["MaxQueues"][0]))
    for row in rows:
        case.assertGreaterEqual(min(row), -1)
        case.assertIn(row[10], (-1, 0, 1, 5))
        case.assertLessEqual(row[4], int(header["MaxProcs"][0]))
        for number in (row[4], row[7], *row[11:15]):
            case.assertTrue(number == int(number) and number != 0, row)
        case.assertLessEqual(row[14], len(header["Queue"]))
    return header, rows


def check_batsim(case, document):
    """The fields that Batsim's documentation requires for jobs and for profiles of type delay."""
    case.assertEqual(len({job["id"] for job in document["jobs"]}), len(document["jobs"]))
    for job in document["jobs"]:
        case.assertIsInstance(job["id"], str)
        case.assertGreaterEqual(job["subtime"], 0.0)
        case.assertIsInstance(job["res"], int)
        case.assertTrue(0 < job["res"] <= document["nb_res"])
        profile = document["profiles"][job["profile"]]
        case.assertEqual(profile["type"], "delay")
        case.assertGreater(profile["delay"], 0.0)


def check_perfetto(case, document):
    """The rules of the Trace Event Format for the phases M, X, b, e, i and C."""
    last, ends, opened, owner = -1.0, defaultdict(list), defaultdict(list), {}
    for event in document["traceEvents"]:
        case.assertGreater(event["pid"], 0)
        if "tid" in event:
            case.assertEqual(owner.setdefault(event["tid"], event["pid"]), event["pid"])
        if event["ph"] == "M":
            continue
        case.assertGreaterEqual(event["ts"], last)
        last = event["ts"]
        case.assertTrue(event["name"])
        if event["ph"] == "X":  # nests on its thread
            end, above = event["ts"] + event["dur"], ends[event["tid"]]
            while above and above[-1] <= event["ts"] + 1e-3:
                above.pop()
            case.assertTrue(not above or end <= above[-1] + 1e-3, event)
            above.append(end)
        elif event["ph"] in "be":  # nests by category and id
            key = (event["cat"], event["id"])
            if event["ph"] == "b":
                opened[key].append(event["name"])
            else:
                case.assertEqual(opened[key].pop(), event["name"])
        elif event["ph"] == "i":
            case.assertEqual(event["s"], "t")
        else:
            case.assertEqual(event["ph"], "C")
            for value in event["args"].values():
                case.assertIsInstance(value, (int, float))
    case.assertFalse([key for key, names in opened.items() if names])


def names_of(document, kind):
    """Names of processes or threads by their ids."""
    return {event["pid" if kind == "process" else "tid"]: event["args"]["name"]
            for event in document["traceEvents"] if event["name"] == f"{kind}_name"}


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not MIMUS:
            raise unittest.SkipTest("MIMUS does not name the program")
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "campaign.yaml").write_text(CAMPAIGN, encoding="utf-8")
        (cls.folder / "jobs.csv").write_text(JOBS, encoding="utf-8")
        cls.mimus("run", "campaign.yaml", "-o", "results")
        cls.cell = load_all(cls.folder / "results")[0]

    @classmethod
    def mimus(cls, *arguments):
        done = subprocess.run([MIMUS, *arguments], cwd=cls.folder, text=True, check=False,
                              capture_output=True,
                              env={**os.environ, "MIMUS_PYTHON": sys.executable})
        if done.returncode:
            raise AssertionError(done.stderr)
        return done.stdout

    def exported(self, form, name):
        self.mimus("export", "results", "--to", form, "-o", name)
        return self.folder / name

    def test_perfetto_has_attempts_waits_decisions_and_counters(self):
        document = json.loads(self.exported("perfetto", "cell.json").read_text(encoding="utf-8"))
        check_perfetto(self, document)
        events = document["traceEvents"]
        process, thread = names_of(document, "process"), names_of(document, "thread")
        held = [(thread[event["tid"]], event["name"], event["ts"] / 1e6, event["dur"] / 1e6)
                for event in events if event["ph"] == "X"]
        self.assertEqual(held, [("GPU 0", "a", 0, 10), ("GPU 0", "b", 10, 20),
                                ("GPU 0", "a", 30, 90), ("GPU 0", "c", 200, 5.5)])
        self.assertIn("node 0 (T4)", process.values())
        waits = [(event["ph"], event["id"], event["ts"] / 1e6) for event in events
                 if event["ph"] in "be" and event["name"].startswith("waiting")]
        self.assertEqual(waits, [("b", "0", 10), ("e", "0", 30)])
        queued = [(event["ts"] / 1e6, event["args"]["jobs"]) for event in events
                  if event["ph"] == "C" and event["name"] == "queued"]
        self.assertEqual(queued, [(0, 0), (10, 1), (30, 0), (205.5, 0)])
        decisions = [event["name"] for event in events if event.get("cat") == "decision"]
        self.assertEqual(decisions[:3], ["1 start", "1 stop", "1 start"])
        self.assertEqual(document["otherData"]["campaign"], "exported")

    def test_swf_has_a_line_per_job(self):
        header, rows = check_swf(self, self.exported("swf", "cell.swf").read_text("utf-8"))
        self.assertEqual(header["Queue"], ["1 vision", "2 nlp"])
        self.assertEqual(header["Preemption"], ["TS"])
        # number, submit, wait, run time, GPUs, …, GPUs asked for, …, status, user, …, queue
        chosen = [[row[i] for i in (0, 1, 2, 3, 4, 7, 10, 11, 14)] for row in rows]
        self.assertEqual(chosen, [[1, 0, 0, 100, 1, 1, 1, 1, 1], [2, 10, 0, 20, 1, 1, 1, 2, 2],
                                  [3, 200, 0, 5.5, 1, 1, 1, 1, 2]])

    def test_the_program_reads_what_swf_has(self):
        path = self.exported("swf", "cell.swf")
        done = subprocess.run([MIMUS, "workload", "check", path, "--format", "swf"],
                              capture_output=True, text=True, check=True)
        self.assertIn("3 rows, 3 jobs, no bad row", done.stdout)

    def test_batsim_has_run_times_as_delays(self):
        document = json.loads(self.exported("batsim", "cell.batsim").read_text("utf-8"))
        check_batsim(self, document)
        self.assertEqual([(job["name"], job["subtime"],
                           document["profiles"][job["profile"]]["delay"])
                          for job in document["jobs"]],
                         [("a", 0, 100), ("b", 10, 20), ("c", 200, 5.5)])

    def test_csv_is_what_pandas_reads_back(self):
        folder = self.exported("csv", "tables")
        for name, frame in self.cell.tables.items():
            read = pd.read_csv(folder / f"{name}.csv", keep_default_na=False)
            self.assertEqual(list(read.columns), list(frame.columns))
            if len(frame):
                numbers = frame.select_dtypes("number")
                again = read[numbers.columns].replace("", float("nan")).astype(numbers.dtypes)
                pd.testing.assert_frame_equal(again, numbers, check_names=False)
        units = pd.read_csv(folder / "columns.csv").set_index(["table", "column"])["unit"]
        self.assertEqual(units["jobs", "jct"], "s")

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "no pyarrow")
    def test_parquet_is_what_pyarrow_reads_back(self):
        import pyarrow.parquet
        folder = self.exported("parquet", "parquet")
        for name, frame in self.cell.tables.items():
            read = pyarrow.parquet.read_table(folder / f"{name}.parquet")
            pd.testing.assert_frame_equal(read.to_pandas(), frame, check_names=False)
        jobs = pyarrow.parquet.read_table(folder / "jobs.parquet")
        self.assertEqual(jobs.schema.field("jct").metadata[b"unit"], b"s")
        self.assertEqual(jobs.schema.metadata[b"campaign"], b"exported")

    def test_a_summary_has_no_jobs_to_export(self):
        self.mimus("run", "campaign.yaml", "--set", "record=summary", "-o", "summary")
        cell = load_all(self.folder / "summary")[0]
        for form in ("perfetto", "swf", "batsim"):
            with self.assertRaisesRegex(ReadError, "record: summary; run it with record: jobs"):
                export.FORMATS[form].write(cell, self.folder / "none")
        self.assertFalse((self.folder / "none").exists())
        self.assertEqual(list(self.folder.glob("*.part")), [])


@unittest.skipUnless(WRITER, "MIMUS_SYNTHETIC_RESULTS does not name the writer")
class Synthetic(unittest.TestCase):
    """Cells with tenants, with every table, and one that was cut off before anything happened."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        subprocess.run([WRITER, str(cls.folder)], check=True)
        cls.cells = load_all(cls.folder)

    def test_every_cell_follows_every_format(self):
        for cell in self.cells:
            with self.subTest(cell=cell.path.name):
                trace, swf, batsim = (self.folder / f"out.{form}"
                                      for form in ("perfetto", "swf", "batsim"))
                export.FORMATS["perfetto"].write(cell, trace)
                check_perfetto(self, json.loads(trace.read_text(encoding="utf-8")))
                export.FORMATS["swf"].write(cell, swf)
                header, rows = check_swf(self, swf.read_text(encoding="utf-8"))
                self.assertEqual(len(rows), len(cell.table("jobs")))
                export.FORMATS["batsim"].write(cell, batsim)
                check_batsim(self, json.loads(batsim.read_text(encoding="utf-8")))

    def test_tenants_of_a_gpu_have_tracks_of_their_own(self):
        cell = next(cell for cell in self.cells if len(cell.table("pairs")))
        path = self.folder / "tenants.json"
        export.FORMATS["perfetto"].write(cell, path)
        threads = names_of(json.loads(path.read_text(encoding="utf-8")), "thread").values()
        self.assertIn("GPU 0, tenant 0", threads)
        self.assertIn("GPU 0, tenant 1", threads)

    def test_a_cell_is_chosen_by_the_beginning_of_its_id(self):
        first = self.cells[0]
        self.assertIs(export.chosen(self.cells, first.id), first)
        self.assertIs(export.chosen([first], None), first)
        with self.assertRaisesRegex(ReadError, "name one with --cell"):
            export.chosen(self.cells, None)
        with self.assertRaisesRegex(ReadError, 'no cell "none"; cells are: '):
            export.chosen(self.cells, "none")

    def test_where_nothing_can_be_written_is_said(self):
        cell = load_cell(self.cells[0].path)
        (self.folder / "file").write_text("", encoding="utf-8")
        for form in ("swf", "csv"):
            with self.assertRaisesRegex(ReadError, "cannot be"):
                export.FORMATS[form].write(cell, self.folder / "file" / "below")


if __name__ == "__main__":
    unittest.main()
