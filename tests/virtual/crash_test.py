#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Kills campaigns at random moments: crash_test.py MIMUS [--moments N] [--seed S] [--jobs N].

After each kill every result file opens, with h5py and with `mimus summary`; its rows are the first
rows that an undisturbed run has, so that nothing is lost but the end and nothing is made up; and
`mimus campaign resume` ends with the same results as the undisturbed run. How long ago the rows of a
killed cell had last become more is printed: the recorder flushes every second.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py

from properties_test import WALL_CLOCK_COLUMNS, tables

# Updated in place, or written when the cell stops.
NOT_APPENDED = ("fairness", "figures", "totals", "quantiles")
LIMIT_S = 300
# A writer that never flushes would be far older than this, however busy the machine is.
FLUSH_LIMIT_S = 30
LOOK_EVERY_S = 0.05


def campaign(jobs):
    return {"schema": 1, "name": "crash", "seed": 5, "record": "full",
            "cluster": {"nodes": 16, "gpus_per_node": 4, "gpu": "V100", "network": "100 Gbit/s"},
            "workload": {"source": "philly-like", "jobs": jobs, "load": 0.9},
            "engine": {"kind": "virtual", "step_time": "duration", "interference": "none"},
            "sweep": {"grid": {"policy": ["fifo-skip", "sjf-true", "fifo"]}}}


def wait_for_end_of_group(group):
    """Killed processes take a moment to exit and hold their locks until then."""
    def alive():
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, own = stat.read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue  # gone meanwhile
            if int(own) == group and state not in "ZX":
                return True
        return False

    end = time.monotonic() + LIMIT_S
    while alive():
        require(time.monotonic() < end, f"processes of group {group} outlive SIGKILL")
        time.sleep(0.01)


class Flushes:
    """When the number of valid rows of growing files last increased, observed from outside."""

    def __init__(self):
        self.seen = {}  # path -> (rows, time)

    def look(self, out):
        for path in out.glob("*.h5.part"):
            try:
                with h5py.File(path, "r") as file:
                    rows = sum(int(item.attrs["rows"]) for item in file.values()
                               if isinstance(item, h5py.Dataset))
            except (OSError, KeyError, RuntimeError):
                continue  # in the middle of a flush
            if path not in self.seen or self.seen[path][0] != rows:
                self.seen[path] = (rows, time.monotonic())

    def oldest(self, out, killed):
        """Of the files that a kill has left, the longest time without new rows before it."""
        self.look(out)  # rows flushed since the last look count as flushed now
        left = [seen for path, (_, seen) in self.seen.items() if path.exists()]
        return max((max(0.0, killed - seen) for seen in left), default=0.0)


class Campaign:
    """The campaign in a folder of its own."""

    def __init__(self, mimus, folder, jobs):
        self.mimus, self.folder = mimus, Path(folder)
        self.file = self.folder / "crash.yaml"
        self.file.write_text(json.dumps(campaign(jobs)), encoding="utf-8")

    def command(self, verb, out):
        return [self.mimus, "campaign", verb, str(self.file), "-q", "-o", str(out)]

    def finish(self, verb, out):
        subprocess.run([*self.command(verb, out), "--jobs", "2"], check=True, timeout=LIMIT_S,
                       stdout=subprocess.DEVNULL)

    def kill_after(self, seconds, out):
        """Starts a run and kills all of its processes; returns how long ago the rows of a killed
        cell had last become more, or None when the run was faster."""
        run = subprocess.Popen([*self.command("run", out), "--jobs", "2"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
        flushes = Flushes()
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                if run.poll() is not None:
                    return None
                flushes.look(out)
                time.sleep(min(LOOK_EVERY_S, max(0.0, end - time.monotonic())))
        finally:
            killed = time.monotonic()
            if run.returncode is None:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait(timeout=LIMIT_S)
                wait_for_end_of_group(run.pid)
        return flushes.oldest(out, killed)

    def states(self, out):
        done = subprocess.run([*self.command("status", out), "--json"], check=True, text=True,
                              capture_output=True, timeout=LIMIT_S)
        return json.loads(done.stdout)["counts"]


def require(holds, what):
    if not holds:
        sys.exit(f"crash_test: {what}")


def committed(path):
    """The valid rows of every growing table, without values from the wall clock."""
    out = {}
    with h5py.File(path, "r") as file:
        for name, dataset in file.items():
            if not isinstance(dataset, h5py.Dataset) or name in NOT_APPENDED:
                continue
            rows = dataset[: int(dataset.attrs["rows"])]
            for column in WALL_CLOCK_COLUMNS.get(name, []):
                rows[column] = 0
            out[name] = rows
    return out


def check_part(part, whole):
    """Checks that every row of the killed cell is a row of the undisturbed one. Returns their
    number."""
    rows = committed(part)
    require(set(rows) == set(whole) - set(NOT_APPENDED), f"{part}: other tables")
    for name, records in rows.items():
        same = records.tobytes() == whole[name][: len(records)].tobytes()
        require(same, f"{part}: rows of {name} differ from those of the undisturbed run")
    return sum(map(len, rows.values()))


def check_killed(mimus, out, undisturbed):
    """Checks every file. Returns the number of their rows."""
    rows = 0
    for path in sorted([*out.glob("*.h5"), *out.glob("*.h5.part")]):
        name = path.name.removesuffix(".part")
        rows += check_part(path, undisturbed[name])
        subprocess.run([mimus, "summary", str(path)], check=True, timeout=LIMIT_S,
                       stdout=subprocess.DEVNULL)
    return rows


def check_resumed(out, undisturbed):
    files = {path.name: path for path in out.glob("*.h5")}
    require(set(files) == set(undisturbed), f"resume left {sorted(files)}")
    require(not [*out.glob("*.part"), *out.glob("*.new")], "resume left unfinished files")
    for name, path in files.items():
        after = tables(path)
        for table, rows in undisturbed[name].items():
            require(after[table].tobytes() == rows.tobytes(),
                    f"{path}: {table} is not what the undisturbed run has")


def one_moment(run, seconds, undisturbed):
    """Age of the last flush, rows kept and states after the kill; None if the run was faster."""
    with tempfile.TemporaryDirectory(prefix="out-", dir=run.folder) as name:
        out = Path(name)
        age = run.kill_after(seconds, out)
        if age is None:
            return None
        require(age < FLUSH_LIMIT_S, f"the last flush was {age:.1f} s old")
        rows = check_killed(run.mimus, out, undisturbed)
        states = run.states(out)
        require(states["running"] == states["failed"] == 0, f"states after the kill: {states}")
        begun = states["done"] + states["interrupted"] > 0
        run.finish("resume" if begun else "run", out)
        check_resumed(out, undisturbed)
        return age, rows, states


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mimus")
    parser.add_argument("--moments", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=10000, help="jobs per cell")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="mimus-crash-") as folder:
        run = Campaign(str(Path(options.mimus).resolve()), folder, options.jobs)
        reference = run.folder / "undisturbed"
        begin = time.monotonic()
        run.finish("run", reference)
        takes = time.monotonic() - begin
        undisturbed = {path.name: tables(path) for path in reference.glob("*.h5")}
        require(len(undisturbed) == 3, "the undisturbed run left no results")
        oldest, moments, interrupted = 0.0, 0, 0
        while moments < options.moments:
            seconds = draw.uniform(0.0, takes)
            found = one_moment(run, seconds, undisturbed)
            if found is None:  # the machine has become less busy
                takes = seconds
                continue
            age, rows, states = found
            moments += 1
            oldest = max(oldest, age)
            interrupted += states["interrupted"]
            print(f"{moments}: killed after {seconds:.2f} s, {states['done']} cells done, "
                  f"{states['interrupted']} interrupted, {rows} rows kept, last flush {age:.2f} s "
                  "old", flush=True)
        print(f"{moments} moments, {interrupted} cells interrupted, oldest last flush "
              f"{oldest:.2f} s; an undisturbed run takes about {takes:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
