# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Kills workers of live runs at random moments and checks the outcome of each run.

Usage: random_kills.py MIMUS_BINARY [--kills 200] [--seed 1] [--time-scale X]

Counts the kills that hit a cell under way: those that its result names. The campaigns take turns:
tenants, checkpoints and solo baselines; gangs that are resized in place and by restarts, in two cells
of one world; models that are split over GPUs; gangs that are suspended. Exit code 1 where a run did not end as it should.
"""
import argparse
import dataclasses
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import h5py

import live_run

HERE = pathlib.Path(__file__).resolve().parent
CAMPAIGNS = ("survival.yaml", "elastic.yaml", "survival_split.yaml", "turns.yaml")
GPUS = 4            # of each of them
MOST_GPUS_LOST = 2  # what is left has to be enough for most jobs
MOST_KILLS = 4      # a GPU with two tenants has two workers
RUN_LIMIT_S = 300
START_LIMIT_S = 60


@dataclasses.dataclass
class Ended:
    """The outcome of one run."""
    code: int
    stderr: str
    pids: list = dataclasses.field(default_factory=list)  # of the workers that were killed
    complete: int = 0  # cells
    lost: str = ""     # what the last cell says of lost ranks
    wrong: list = dataclasses.field(default_factory=list)

    def hits(self):
        """The killed ranks that the last cell's result names."""
        return [pid for pid in self.pids if f"(process {pid})" in self.lost]

    def read(self, out):
        """The contents of the results. A job may not have ended if too few GPUs are left for it."""
        for path in sorted(out.glob("*.h5")):
            with h5py.File(path, "r") as file:
                self.complete += 1
                self.lost = file.attrs["ranks_lost"].decode()
                self.wrong += [f"job {job['job']}: {job['outcome']}, {job['detail']}"
                               for job in file["jobs"] if job["outcome"] != b"finished"
                               and b" left" not in job["detail"]]

    def problems(self, cells):
        found = [] if self.code == 0 else [f"exit code {self.code}"]
        if self.complete != cells:
            found.append(f"{self.complete} of {cells} cells complete")
        return found + self.wrong


def cells_of(mimus, campaign):
    listed = subprocess.run([mimus, "run", campaign, "--dry-run"], capture_output=True, text=True,
                            check=True)
    return len(listed.stdout.split())


def wait_for_cell(process, out):
    """Waits until the first cell has begun."""
    give_up = time.monotonic() + START_LIMIT_S
    while not list(out.glob("*.h5.part")):
        if process.poll() is not None or time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True


def victims_of(ranks, draw):
    """Workers of as many GPUs as may be lost, in the order in which they are killed."""
    lanes = (len(ranks) - 1) // GPUS
    victims = [1 + gpu * lanes + lane for gpu in draw.sample(range(GPUS), MOST_GPUS_LOST)
               for lane in range(lanes)]
    draw.shuffle(victims)
    return victims


def state_of(out, ranks):
    """What a run that does not end has recorded last, and what its ranks do."""
    lines = []
    for path in out.glob("*.h5.part"):
        with h5py.File(path, "r") as file:
            lines += [f"{row['time']:.1f} s: {row['kind'].decode()}, job {row['job']}, attempt "
                      f"{row['attempt']}: {row['detail'].decode()}" for row in file["events"][-10:]]
    for rank, pid in ranks.items():
        if live_run.is_running(pid):
            status = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            seconds = (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")
            lines.append(f"rank {rank}, process {pid}: state {status[0]}, {seconds:.1f} CPU s")
    return "\n".join(lines)


def run_with_kills(mimus, campaign, moments, draw, *arguments):
    """Runs a campaign in which a worker is killed at each of these moments [s after its first
    cell begins]."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        process = subprocess.Popen([mimus, "run", str(campaign), "-q", "-o", str(out), *arguments],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        pids, segments, ranks = [], set(), {}
        if wait_for_cell(process, out):
            begin = time.monotonic()
            ranks = live_run.ranks_of(process.pid)
            segments = live_run.segments_of(ranks.values())
            for moment, victim in zip(sorted(moments), victims_of(ranks, draw)):
                time.sleep(max(0.0, begin + moment - time.monotonic()))
                if process.poll() is None and live_run.is_running(ranks[victim]):
                    os.kill(ranks[victim], signal.SIGKILL)
                    pids.append(ranks[victim])
        try:
            _, stderr = process.communicate(timeout=RUN_LIMIT_S)
        except subprocess.TimeoutExpired:
            state = state_of(out, ranks)
            process.kill()
            stderr = f"did not end within {RUN_LIMIT_S} s\n{state}\n" + process.communicate()[1]
        end = Ended(process.returncode, stderr, pids)
        end.read(out)
        end.wrong += [f"left: {pid}" for pid in ranks.values() if live_run.is_running(pid)]
        end.wrong += [f"left: {path}" for path in segments if pathlib.Path(path).exists()]
        return end


def duration_of(mimus, campaign, *arguments):
    """Wall time from the begin of the first cell to the end of an undisturbed run [s]."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        process = subprocess.Popen([mimus, "run", str(campaign), "-q", "-o", str(out), *arguments],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not wait_for_cell(process, out):
            raise RuntimeError(f"{campaign} does not run")
        begin = time.monotonic()
        process.wait(timeout=RUN_LIMIT_S)
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mimus")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--campaigns", nargs="*", default=CAMPAIGNS)
    parser.add_argument("--time-scale", help="in place of that of the campaigns: a number, or max")
    options = parser.parse_args()
    mimus = str(pathlib.Path(options.mimus).resolve())
    draw = random.Random(options.seed)
    campaigns = [HERE / name for name in options.campaigns]
    speed = ["--time-scale", options.time_scale] if options.time_scale else []
    lengths = {path: duration_of(mimus, path, *speed) for path in campaigns}
    cells = {path: cells_of(mimus, path) for path in campaigns}
    hits = runs = bad = 0
    while hits < options.kills:
        campaign = campaigns[runs % len(campaigns)]
        moments = [draw.uniform(0, lengths[campaign]) for _ in range(draw.randint(1, MOST_KILLS))]
        end = run_with_kills(mimus, campaign, moments, draw, *speed)
        problems = end.problems(cells[campaign])
        runs += 1
        hits += len(end.hits())
        bad += bool(problems)
        print(f"{runs}: {campaign.name} at {', '.join(f'{m:.2f}' for m in sorted(moments))} s: "
              f"{len(end.hits())} of {len(end.pids)} hit, {hits} so far; {problems or 'well'}", flush=True)
        if problems:
            print(end.stderr, flush=True)
    print(f"{hits} kills in cells under way, in {runs} runs, of which {bad} did not end well")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
