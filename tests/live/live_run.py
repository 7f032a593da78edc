# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A live run that a test starts, watches and ends."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "small.yaml"
MIMUS = ""  # the test's main program fills it in
RANKS = 5  # 1 scheduler + 2 GPUs x 2 lanes
RUN_LIMIT_S = 200  # a busy host takes longer: the emulated clock waits for it


def parent(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def children(pid):
    """Processes below pid, nearest first."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.name))
    return found + [below for child in found for below in children(child)]


def ranks_of(launcher):
    """Maps MPI ranks to the processes that a launcher has started."""
    out = {}
    for pid in children(launcher):
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        for entry in environment:
            if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                out.setdefault(int(entry.partition(b"=")[2]), pid)  # its own children inherit it
    return out


def segments_of(ranks):
    """Files of the shared memory through which Open MPI's ranks of one host send messages."""
    return {line.split()[-1] for rank in ranks
            for line in pathlib.Path(f"/proc/{rank}/maps").read_text().splitlines()
            if "/vader_segment." in line}


def skip_without_python_planners(campaign):
    """Ends the test, skipped, in a build without planners in Python."""
    probe = subprocess.run([MIMUS, "run", str(campaign), "--dry-run", "--set", "engine.kind=virtual"],
                           capture_output=True, text=True)
    if "not compiled" in probe.stderr:
        print("skipped: no planners in Python")
        sys.exit(77)


def pauses_of(tables, reasons):
    """(Job, from the last step of an attempt to the first one of the next [s]), by job and attempt, of
    each attempt but the last that ended for one of `reasons`."""
    pauses = []
    steps = tables["steps"]
    attempts = sorted(tables["attempts"], key=lambda row: (row["job"], row["attempt"]))
    for before, after in zip(attempts, attempts[1:]):
        if after["job"] == before["job"] and before["reason"] in reasons:
            end = steps["end"][steps["attempt"] == before["attempt"]].max()
            begin = steps["begin"][steps["attempt"] == after["attempt"]].min()
            pauses.append((int(before["job"]), float(begin - end)))
    return pauses


def is_running(pid):
    try:
        state = (pathlib.Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


class LiveRun(unittest.TestCase):
    """Runs small.yaml in a separate folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, *arguments):
        return [MIMUS, "run", str(CAMPAIGN), "-o", str(self.folder / "out"), *arguments]

    def run_mimus(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True,
                              timeout=RUN_LIMIT_S)

    def start_mimus(self, *arguments, **environment):
        return subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env={**os.environ, **environment})

    def wait_for_training(self, process):
        """Until the first cell has recorded steps. `process`, where it is given, is one that may not
        end before."""
        for _ in range(RUN_LIMIT_S * 10):
            for part in (self.folder / "out").glob("*.h5.part"):
                try:
                    with h5py.File(part, "r") as file:
                        if len(file["attempts"]) > 0 or len(file["steps"]) > 0:
                            return
                except (OSError, KeyError):
                    pass
            if process is not None:
                self.assertIsNone(process.poll(), "the run ended before it trained anything")
            time.sleep(0.1)
        self.fail("no training within the limit")

    def unfinished(self):
        """The file of the cell that has not ended. On a busy host the first one may have."""
        part, = (self.folder / "out").glob("*.h5.part")
        return part

    def results(self):
        return sorted((self.folder / "out").glob("*.h5"))

    def assert_all_finished(self, path):
        with h5py.File(path, "r") as file:
            self.assertEqual(file.attrs["status"].decode().rstrip("\0"), "complete")
            outcomes = [row.decode() for row in file["jobs"]["outcome"]]
        self.assertEqual(outcomes, ["finished"] * 4)
