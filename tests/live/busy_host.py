#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A busy host does not change the results of live cells; they only take longer.

Usage: busy_host.py MIMUS -o FOLDER [--campaign FILE] [--disturb alone,stopped,busy-4,busy-8]

Runs a campaign by itself, beside processes that compute without end, and with one worker of every
cell stopped for 5 s; writes the mean completion time of every cell with each, how far it is from
that of the first, and the wall time. It ends with 1 where one is more than 1 % off. What is in FOLDER
already is not run again. It is no test of ctest: it takes tens of minutes, and means most on a machine
where nothing else runs.
"""
import argparse
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time

import h5py

import live_run

HERE = pathlib.Path(__file__).resolve().parent
STOPPED_S = 5
SAME = 0.01
WORKER = 1  # serves a lane of the first GPU, which every cell uses
# Ends with this script, even where a signal ends that.
BUSY = [sys.executable, "-c", "import os\nparent = os.getppid()\n"
        "while os.getppid() == parent:\n  sum(range(100_000))"]


@contextlib.contextmanager
def busy(count):
    others = [subprocess.Popen(BUSY) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def trains(folder):
    """The cell that has recorded steps and is not complete, if any."""
    for part in folder.glob("*.h5.part"):
        with contextlib.suppress(OSError, KeyError), h5py.File(part, "r") as file:
            if len(file["steps"]) > 0:
                return part
    return None


def stop_worker_of_each_cell(process, folder):
    stopped = set()
    while process.poll() is None:
        cell = trains(folder)
        worker = live_run.ranks_of(process.pid).get(WORKER)
        if worker and cell is not None and cell not in stopped:
            stopped.add(cell)
            os.kill(worker, signal.SIGSTOP)
            time.sleep(STOPPED_S)
            os.kill(worker, signal.SIGCONT)
        time.sleep(0.1)


def run(arguments, disturbance):
    folder = arguments.output / disturbance
    command = [arguments.mimus, "run", str(arguments.campaign), "-q", "-o", str(folder),
               *(word for setting in arguments.set for word in ("--set", setting))]
    count = int(disturbance.partition("-")[2] or 0)
    with busy(count):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        if disturbance == "stopped":
            stop_worker_of_each_cell(process, folder)
        if process.wait() != 0:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return folder


def cells_of(folder):
    """Label -> (mean completion time, wall time, of it held), in seconds."""
    cells = {}
    for path in sorted(folder.glob("*.h5")):
        with h5py.File(path, "r") as file:
            jobs = file["jobs"][:]
            label = file.attrs["label"]
            label = label.decode().rstrip("\0") if isinstance(label, bytes) else label
            cells[label] = ((jobs["end"] - jobs["arrival"]).mean(), float(file.attrs["wall_seconds"]),
                            float(file.attrs.get("clock_held_seconds", "nan")))
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("mimus")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--campaign", type=pathlib.Path,
                        default=HERE.parents[1] / "configs" / "quickstart.yaml")
    parser.add_argument("--disturb", default="alone,stopped,busy-4,busy-8")
    parser.add_argument("--set", action="append", default=[], help="as of mimus run")
    arguments = parser.parse_args()

    reference, worst = None, 0.0
    print(f"{'cell':34} {'disturbed':10} {'mean JCT':>9} {'off':>8} {'wall':>7} {'held':>7}")
    for disturbance in arguments.disturb.split(","):
        cells = cells_of(run(arguments, disturbance))
        reference = reference or cells
        for label, (jct, wall, held) in cells.items():
            off = jct / reference[label][0] - 1
            worst = max(worst, abs(off))
            print(f"{label:34} {disturbance:10} {jct:9.2f} {off:+8.2%} {wall:7.1f} {held:7.1f}",
                  flush=True)
    print(f"largest difference {worst:.2%}")
    return 0 if worst <= SAME else 1


if __name__ == "__main__":
    sys.exit(main())
