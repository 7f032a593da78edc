# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A Slurm on this machine for the duration of a test run, and queries to it."""
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "slurm" / "local-cluster.sh"
NODES = 3
GPUS = 2
TYPES = ("v100", "t4", "v100")  # of each node
OPTIONS = ("--nodes", str(NODES), "--gpus", str(GPUS), "--gpu-types", "v100,t4")
CANNOT = 4  # exit code of the script if this machine cannot run it
LIMIT_S = 300


class Unavailable(Exception):
    """This machine has no Slurm, or its daemons do not run here."""


class Cluster:
    """`up` is repeated safely; `down` leaves nothing running."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="mimus-slurm-", dir="/tmp")
        self.folder = pathlib.Path(self._folder.name)

    def call(self, verb, *options):
        return subprocess.run([SCRIPT, verb, "--folder", self.folder, *options],
                              capture_output=True, text=True, timeout=LIMIT_S)

    def up(self):
        done = self.call("up", *OPTIONS)
        if done.returncode == CANNOT:
            raise Unavailable(done.stderr.strip())
        if done.returncode != 0:
            raise RuntimeError(f"{done.stderr}\n{self.logs()}")
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")

    def logs(self):
        return "\n".join(f"== {log.name}\n{log.read_text(errors='replace')[-2000:]}"
                         for log in sorted((self.folder / "log").glob("*.log")))

    def down(self):
        done = self.call("down")
        self._folder.cleanup()
        return done


def slurm(*command):
    """Standard output of a Slurm command that must succeed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=LIMIT_S)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def record(job):
    """What Slurm knows of a job or of one array task, as a mapping."""
    line = slurm("scontrol", "--oneliner", "show", "job", job).splitlines()[0]
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


def wait_until(stage, holds, limit_s=LIMIT_S):
    """The first true value of holds(). The limit is generous, because the machine may be busy."""
    give_up = time.monotonic() + limit_s
    while not (value := holds()):
        if time.monotonic() > give_up:
            raise TimeoutError(f"stage \"{stage}\": nothing after {limit_s} s; jobs:\n" +
                               slurm("squeue", "--array"))
        time.sleep(0.1)
    return value


def wait_for_end(*jobs):
    """Waits until none of the jobs is in the queue."""
    ids = "--jobs=" + ",".join(jobs)

    def gone():
        done = subprocess.run(["squeue", "--noheader", "--array", ids], capture_output=True,
                              text=True, timeout=LIMIT_S)
        return not done.stdout.strip() and (done.returncode == 0 or "Invalid job id" in done.stderr)
    wait_until(f"end of jobs {', '.join(jobs)}", gone)
