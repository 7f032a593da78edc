# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Watches a live cell while it runs: watch_live_test.py MIMUS [unittest arguments]."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from terminal_session import TerminalSession  # noqa: E402

CAMPAIGN = HERE / "small.yaml"
MIMUS = ""
LIMIT_S = 100


def picture(path, **environment):
    return subprocess.run([MIMUS, "watch", str(path), "--once"], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=LIMIT_S, check=True).stdout


class WatchedRun(unittest.TestCase):
    def test_a_live_campaign_from_its_first_job_to_its_end(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            # So slow that jobs still run when a busy host has started the programs that look.
            command = [MIMUS, "run", str(CAMPAIGN), "-q", "--time-scale", "30", "-o", str(out)]
            run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
            try:
                part = self.running_cell(out, run)
                self.look_once(part)
                self.look_on_a_terminal(part)
                self.follow_to_the_end(part)
            finally:
                _, errors = run.communicate(timeout=LIMIT_S)
            self.assertEqual(run.returncode, 0, errors)  # the writer was not disturbed
            self.compare_with_the_file(out)

    def running_cell(self, out, run):
        """The first cell in which a job holds GPUs."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            self.assertIsNone(run.poll())
            for part in out.glob("*.h5.part"):
                if re.search(r"\n0 [A-D. ]*[A-D]", picture(part)):
                    return part
            time.sleep(0.1)
        self.fail("no job was seen running")

    def look_once(self, part):
        for columns in (60, 100):
            text = picture(part, COLUMNS=str(columns))
            self.assertIn("live, 1 x 2 T4", text)
            self.assertRegex(text, r"of 4 jobs done")
            self.assertRegex(text, r"\n[A-D] +\d +(resnet|neumf|bert)", "who runs")
            self.assertNotIn("\x1b", text)
            self.assertLessEqual(max(map(len, text.splitlines())), columns)

    def look_on_a_terminal(self, part):
        for keys, environment in (("q", {}), ("\x03", {"NO_COLOR": "1"})):
            command = [MIMUS, "watch", str(part), "--interval", "0.2"]
            session = TerminalSession(command, environment=environment)
            # Colours appear with running jobs, and at first none may be running.
            wanted = "last decisions" if environment else "\x1b[38;5;"
            self.assertTrue(session.read_until(wanted), session.seen)
            if environment:
                self.assertNotIn("\x1b[38;5;", session.seen)
            session.press(keys)
            self.assertEqual(session.exit_code(), 0)
            self.assertTrue(session.seen.startswith("\x1b[?1049h"))
            self.assertIn("\x1b[?1049l", session.seen)

    def follow_to_the_end(self, part):
        done = subprocess.run([MIMUS, "watch", str(part), "--interval", "0.5"], timeout=LIMIT_S,
                              capture_output=True, text=True, check=True)
        pictures = done.stdout.split("\n\nlive-test")
        self.assertGreater(len(pictures), 1)
        self.assertIn("complete", pictures[-1])
        self.assertIn("4 of 4 jobs done", pictures[-1])
        self.assertNotIn("writer is gone", done.stdout)

    def compare_with_the_file(self, out):
        cell = sorted(out.glob("*.h5"))[0]
        with h5py.File(cell, "r") as file:
            events = file["events"][:]
            placements = file["placements"][:]
        for row in events[events["kind"] == b"attempt_granted"]:
            held = sorted(placements["gpu"][placements["attempt"] == row["attempt"]])
            runs = [run.split("-") for run in row["detail"].decode().split()[1:]]
            named = [gpu for run in runs for gpu in range(int(run[0]), int(run[-1]) + 1)]
            self.assertEqual(named, list(held))


if __name__ == "__main__":
    MIMUS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
