# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Kills workers of live runs over three nodes of a Slurm on this machine, at random moments.

Usage: random_kills.py MIMUS_BINARY [--kills 50] [--seed 1]

Counts the kills that hit a cell under way: those that its result names. At most two of six GPUs are
lost, so that every job can finish. Exit code 1 where a run did not end as it should.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import h5py

from cluster import LIMIT_S, NODES, Cluster, record, slurm, wait_for_end, wait_until

CAMPAIGN = pathlib.Path(__file__).resolve().parent / "two_hosts.yaml"
OPTIONS = ("--no-aggregate", "--set", "policy.placement=pack", "--set", f"cluster.nodes={NODES}",
           "--set", f"resources.nodes={NODES}", "--set", "engine.on_lost_rank=continue", "--set",
           "engine.time_scale=12")  # cells of seconds
MOST_GPUS_LOST = 2


def submit(mimus, out):
    done = subprocess.run([mimus, "submit", CAMPAIGN, "-o", out, *OPTIONS], capture_output=True, text=True,
                          timeout=LIMIT_S, check=True)
    return done.stdout.strip()


def ranks_of_cell(out):
    """Processes of the workers of a cell that has begun. Empty before."""
    for part in out.glob("*.h5.part"):
        try:
            with h5py.File(part, "r") as file:
                return [int(pid) for pid in file["ranks"]["pid"][1:]]
        except (OSError, KeyError):  # being written
            pass
    return []


def logs_of(out):
    return [log.read_text() for log in out.glob("slurm/*.out")]


def problems_of(job, out):
    """What is wrong with the end of a run."""
    found = [f"{key} {value}" for key, value in record(job).items()
             if (key, value) in (("JobState", "FAILED"), ("JobState", "TIMEOUT"))]
    files = list(out.glob("[0-9]*.h5"))
    if len(files) != 1:
        return [*found, f"{len(files)} complete cells", *logs_of(out)]
    with h5py.File(files[0], "r") as file:
        return found + [f"job {row['job']}: {row['outcome']}" for row in file["jobs"]
                        if row["outcome"] != b"finished"]


def hits_in(out, killed):
    """How many of the killed processes the results name."""
    lost = ""
    for path in out.glob("[0-9]*.h5"):
        with h5py.File(path, "r") as file:
            lost += file.attrs["ranks_lost"].decode()
    return sum(f"(process {pid})" in lost for pid in killed)


def run(mimus, draw, length_s):
    """One run with a kill at one or two moments. Returns hits, the moments and the problems."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        job = submit(mimus, out)
        workers = wait_until("a cell", lambda: ranks_of_cell(out))
        begin = time.monotonic()
        victims = draw.sample(workers, draw.randint(1, MOST_GPUS_LOST))
        moments = sorted(draw.uniform(0, length_s) for _ in victims)
        killed = []
        for moment, victim in zip(moments, victims):
            time.sleep(max(0.0, begin + moment - time.monotonic()))
            try:
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
            except ProcessLookupError:  # the run has ended
                pass
        try:
            wait_for_end(job)
        except TimeoutError as hang:
            slurm("scancel", job)
            wait_for_end(job)
            return 0, moments, [str(hang), *logs_of(out)]
        return hits_in(out, killed), moments, problems_of(job, out)


def undisturbed_length(mimus):
    """Wall time from the begin of the cell to the end of a run without kills [s]."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        submit(mimus, out)
        wait_until("a cell", lambda: ranks_of_cell(out))
        begin = time.monotonic()
        wait_until("its end", lambda: list(out.glob("[0-9]*.h5")))
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mimus")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    mimus = str(pathlib.Path(options.mimus).resolve())
    draw = random.Random(options.seed)
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    cluster = Cluster()
    cluster.up()
    hits = runs = bad = 0
    try:
        length_s = undisturbed_length(mimus)
        while hits < options.kills:
            hit, moments, problems = run(mimus, draw, length_s)
            runs, hits, bad = runs + 1, hits + hit, bad + bool(problems)
            print(f"{runs}: at {', '.join(f'{m:.2f}' for m in moments)} s of {length_s:.1f} s: {hit} hit, "
                  f"{hits} so far; {problems or 'well'}", flush=True)
    finally:
        cluster.down()
    print(f"{hits} kills in cells under way, in {runs} runs, of which {bad} did not end well")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
