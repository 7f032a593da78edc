# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""`mimus watch` on files that have stopped growing: watch_test.py MIMUS [unittest arguments].

Cells that run are watched in tests/live.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

from terminal_session import TerminalSession

MIMUS = None
ELASTIC = Path(__file__).resolve().parents[1] / "live" / "elastic.yaml"
CAMPAIGN = """
schema: 1
name: watched
cluster: {nodes: 4, gpus_per_node: 8, gpu: V100, network: 100 Gbit/s}
workload: {source: poisson, jobs: %d, mean_interarrival: 60 s, run_time_jobs: true,
           duration: 30 min, failure_rate: 0.1}
policy: {recovery: {name: retry, retries: 0}}
engine: {kind: virtual, step_time: duration}
record: %s
"""
LIVE = """
schema: 1
name: stopped
cluster: {nodes: 1, gpus_per_node: 2, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 9, mean_interarrival: 1 s, duration: 2 h, duration_sigma: 0,
           mix: {resnet18: 1}, gangs: {1: 1}}
engine: {kind: live, time_scale: 30}
"""


def run(*arguments, **environment):
    return subprocess.run([MIMUS, *arguments], env={**os.environ, **environment}, text=True,
                          capture_output=True, timeout=60, check=False)


class Watch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="mimus-watch-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        for level in ("full", "summary"):
            campaign = cls.folder / f"{level}.yaml"
            campaign.write_text(CAMPAIGN % (300, level), encoding="utf-8")
            done = run("run", str(campaign), "-q", "-o", str(cls.folder / level))
            assert done.returncode == 0, done.stderr
        cls.cell = str(next((cls.folder / "full").glob("*.h5")))

    def test_one_picture_of_a_complete_cell(self):
        done = run("watch", self.cell, "--once", COLUMNS="100")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("watched", "complete", "300 of 300 jobs done", "4 x 8 V100", "waiting: no job",
                     "last decisions", "h   1 given up; 0 wait"):
            self.assertIn(text, done.stdout)
        self.assertNotIn("GPUs held", done.stdout)  # no GPU is held and no job runs any more
        self.assertIn("0 . . . . . . . .   1 . . . . . . . .", done.stdout)
        self.assertNotIn("\x1b", done.stdout)

    def test_nodes_of_several_kinds_have_the_places_that_they_have(self):
        campaign = self.folder / "groups.yaml"
        groups = "[{nodes: 2, gpus_per_node: 4, gpu: V100}, {nodes: 1, gpus_per_node: 2, gpu: T4}]"
        text = (CAMPAIGN % (20, "full")).replace(
            "{nodes: 4, gpus_per_node: 8, gpu: V100, network: 100 Gbit/s}", f"{{groups: {groups}}}")
        campaign.write_text(text, encoding="utf-8")
        run("run", str(campaign), "-q", "-o", str(self.folder / "groups"))
        done = run("watch", str(self.folder / "groups"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 x 4 V100 + 1 x 2 T4", done.stdout)
        self.assertIn("V100  0 . . . .   1 . . . .\nT4    2 . .", done.stdout)

    def test_failed_jobs_are_counted(self):
        totals = run("summary", self.cell, "--json").stdout
        failed = json.loads(totals)["cells"][0]["jobs_failed"]
        self.assertGreater(failed, 0)
        self.assertIn(f"jobs done ({failed} failed)", run("watch", self.cell, "--once").stdout)

    def test_gangs_that_are_resized_are_not_given_up(self):
        out = self.folder / "elastic"
        done = run("run", str(ELASTIC), "-q", "-o", str(out), "--engine", "virtual", "--set",
                   "policy.planner.resize=in_place")
        self.assertEqual(done.returncode, 0, done.stderr)
        picture = run("watch", str(out), "--once").stdout
        self.assertIn("1 to be resized", picture)
        self.assertNotIn("given up", picture)

    def test_nothing_is_wider_than_a_narrow_terminal(self):
        for columns in (20, 40, 60, 132):
            for line in run("watch", self.cell, "--once", COLUMNS=str(columns)).stdout.splitlines():
                self.assertLessEqual(len(line), columns, line)

    def test_a_pipe_gets_no_escape_codes_and_ends_with_the_cell(self):
        done = run("watch", str(self.folder / "full"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, run("watch", self.cell, "--once").stdout)

    def test_a_merged_campaign_is_no_cell(self):
        folder = self.folder / "merged"
        shutil.copytree(self.folder / "full", folder)
        (folder / "campaign.h5").write_bytes(b"newer than the cell")
        self.assertIn("300 of 300 jobs done", run("watch", str(folder), "--once").stdout)

    def test_a_profile_is_no_cell(self):
        folder = self.folder / "profiled"
        shutil.copytree(self.folder / "full", folder)
        with h5py.File(folder / "newer.h5", "w") as file:
            file.attrs.update({"schema": "mimus-results", "schema_version": 1, "kind": "profile"})
            file["profile"] = np.zeros(0)
        self.assertIn("300 of 300 jobs done", run("watch", str(folder), "--once").stdout)

    def test_the_last_picture_stays_on_the_terminal(self):
        session = TerminalSession([MIMUS, "watch", self.cell], columns=60, rows=20)
        self.assertEqual(session.exit_code(), 0)
        after = session.seen.partition("\x1b[?1049l")[2]
        self.assertIn("300 of 300 jobs done", after)

    def test_a_cell_that_records_less_says_so(self):
        done = run("watch", str(self.folder / "summary"), "--once")
        self.assertIn("record: full would show which jobs run where", done.stdout)
        self.assertIn("complete", done.stdout)

    def test_a_cell_whose_writer_was_killed(self):
        campaign = self.folder / "long.yaml"
        campaign.write_text(CAMPAIGN % (2_000_000, "full"), encoding="utf-8")
        out = self.folder / "long"
        writer = subprocess.Popen([MIMUS, "run", str(campaign), "-q", "-j", "1", "-o", str(out)],
                                  start_new_session=True)
        session = None
        try:
            end = time.monotonic() + 60
            while " jobs done" not in run("watch", str(out), "--once").stdout:
                self.assertLess(time.monotonic(), end, "the cell recorded nothing")
                self.assertIsNone(writer.poll())
            session = TerminalSession([MIMUS, "watch", str(out), "--interval", "0.1"])
            self.assertTrue(session.read_until("running"))
        finally:
            os.killpg(writer.pid, 9)
            writer.wait()
        self.assertEqual(session.exit_code(), 0)
        after = session.seen.partition("\x1b[?1049l")[2]
        self.assertIn("its writer has ended", after)
        self.assertIn("- interrupted", after)
        self.assertNotIn("GPUs held", after)

    def test_a_cell_that_was_stopped_says_the_same_in_header_and_body(self):
        campaign = self.folder / "stopped.yaml"
        campaign.write_text(LIVE, encoding="utf-8")
        out = self.folder / "stopped"
        writer = subprocess.Popen([MIMUS, "run", str(campaign), "-q", "-o", str(out)],
                                  stderr=subprocess.DEVNULL)
        try:
            picture = self.picture_with(out, writer, r"\b2 running, [1-9]")
            running, waiting = map(int, re.search(r"(\d+) running, (\d+) waiting",
                                                  picture).groups())
            self.assertEqual(len(re.findall(r" x1 +for .* samples/s| x1 +for \S+ \S+\s*$",
                                            picture.partition("\nrunning\n")[2]
                                            .partition("waiting")[0], re.MULTILINE)), running)
            self.assertIn(f"\nwaiting: {waiting} - ", picture)
            self.assertIn("2 of 2 GPUs held", picture)
        finally:
            writer.send_signal(signal.SIGINT)
            writer.wait(60)
        picture = run("watch", str(out), "--once").stdout
        with h5py.File(next(out.glob("*.part"))) as file:
            outcomes = [outcome.decode() for outcome in file["jobs"]["outcome"]]
        done, left = outcomes.count("finished"), outcomes.count("unfinished")
        self.assertGreater(left, 0)
        self.assertIn(f"{done} of 9 jobs done, {left} unfinished", picture)
        self.assertIn(f"\nunfinished when it stopped: {left} - ", picture)
        self.assertNotIn("waiting", picture)

    def picture_with(self, out, writer, pattern):
        """The first picture of the cell that matches the pattern."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.assertIsNone(writer.poll())
            picture = run("watch", str(out), "--once", COLUMNS="200").stdout
            if re.search(pattern, picture):
                return picture
            time.sleep(0.1)
        self.fail(f"never seen: {pattern}")

    def test_what_is_not_there_is_refused(self):
        done = run("watch", str(self.folder / "none.h5"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such file or folder", done.stderr)
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        done = run("watch", str(empty))
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds no result file", done.stderr)
        (self.folder / "text.h5").write_text("text", encoding="utf-8")
        self.assertEqual(run("watch", str(self.folder / "text.h5")).returncode, 1)


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
