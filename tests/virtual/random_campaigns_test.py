#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Campaigns drawn at random, under every preset and free rows: what must hold of any virtual run.

random_campaigns_test.py MIMUS [--count N] [--first N] [--keep FOLDER]. Each number is one campaign, the same one
whenever it is drawn. It is run with every level of `record`; a refusal must say why.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from properties_test import tables

PRESETS = sorted(path.stem for path in (Path(__file__).parents[2] / "configs" / "policies").glob("*.yaml"))
# They read traces, tables of profiles or a script.
PRESETS = [name for name in PRESETS if name not in ("shockwave", "gavel-packed")]
MODELS = ["resnet18", "resnet50", "bert-base", "yolov3", "deepspeech2", "neumf"]
GPUS = ["T4", "V100", "K80", "A100", "P100"]
WAITS = ["capacity", "fragmentation", "order", "quota", "backoff", "restart", "round", "boot"]


def cluster(draw):
    network = draw.choice(["10 Gbit/s", "25 Gbit/s", "100 Gbit/s"])
    if draw.random() < 0.25:
        kinds = draw.sample(GPUS, draw.randint(2, 3))
        per_node = draw.choice([2, 4, 8])
        made = {"groups": [{"nodes": draw.randint(1, 3), "gpus_per_node": per_node, "gpu": gpu, "network": network}
                           for gpu in kinds]}
        nodes = sum(group["nodes"] for group in made["groups"])
    else:
        nodes = draw.randint(1, 6)
        made = {"nodes": nodes, "gpus_per_node": draw.choice([1, 2, 4, 8]), "gpu": draw.choice(GPUS),
                "network": network}
    if draw.random() < 0.2 and nodes > 1:
        made["nodes_per_rack"] = draw.randint(1, nodes)
    if draw.random() < 0.25:
        begin = draw.randint(10, 2000)
        made["outages"] = [{"node": draw.randrange(nodes), "down": f"{begin} s",
                            "up": f"{begin + draw.randint(5, 900)} s"}]
    if draw.random() < 0.2:
        made["node_failures"] = {"mean_time_between": f"{draw.randint(1, 12)} h",
                                 "repair": f"{draw.randint(1, 20)} min", "faulty": draw.choice([0, 0.3])}
    return made


def workload(draw, gpus):
    sizes = [gang for gang in (1, 1, 2, 3, 4, 8) if gang <= gpus]
    made = {"source": "poisson", "jobs": draw.randint(3, 30), "mean_interarrival": f"{draw.randint(1, 90)} s",
            "duration": f"{draw.randint(20, 1200)} s", "duration_sigma": draw.choice([0, 0.7, 1.5]),
            "mix": {model: draw.randint(1, 3) for model in draw.sample(MODELS, draw.randint(1, 4))},
            "gangs": {gang: draw.randint(1, 3) for gang in draw.sample(sizes, min(3, len(sizes)))},
            "failure_rate": draw.choice([0, 0, 0, 0.1, 0.5])}
    if draw.random() < 0.2:
        made = {"source": "philly-like", "jobs": draw.randint(10, 60), "load": draw.choice([0.5, 0.9, 1.3])}
    if draw.random() < 0.3:
        made["opportunistic"] = draw.choice([0.3, 0.6])
    if draw.random() < 0.3:
        made["checkpoint_every"] = f"{draw.choice([20, 60, 300])} s"
    if draw.random() < 0.15:
        made["deadlines"] = [1.5, 3]
    return made


def policy(draw):
    if draw.random() < 0.7:
        return draw.choice(PRESETS)
    made = {"order": draw.choice(["fifo", {"name": "fifo", "skip": True}, {"name": "las", "limits": ["5 min"]}]),
            "placement": draw.choice(["consolidated", "counting", "strict", "pack", "spread", "best_fit"]),
            "sharing": draw.choice(["exclusive", {"name": "tenants", "per_gpu": draw.randint(2, 3)}]),
            "batch": draw.choice(["fixed", "goodput"]),
            "preemption": draw.choice(["none", "checkpoint", {"name": "checkpoint", "min_run": "0 s"}])}
    if draw.random() < 0.4:
        made["recovery"] = {"name": "retry", "retries": 20, "quarantine": {"after": 2, "for": "2 min"}}
    return made


def engine(draw):
    made = {"kind": "virtual"}
    if draw.random() < 0.3:
        made["interference"] = draw.choice(["none", "mps", "slices"])
    if draw.random() < 0.3:
        made["report_every"] = draw.choice(["7 s", "60 s", "5 min"])
    if draw.random() < 0.2:
        made.update(mode="rounds", round=draw.choice(["20 s", "60 s", "6 min"]))
    if draw.random() < 0.15:
        made["until"] = draw.choice(["last_arrival", "20 min"])
    if draw.random() < 0.2:
        made["costs"] = {"start": "12 s", "checkpoint": "3.5 s", "restore": "2 s"}
    return made


def campaign(number):
    draw = random.Random(number)
    machines = cluster(draw)
    gpus = sum(group["nodes"] * group["gpus_per_node"] for group in machines.get("groups", [machines]))
    made = {"schema": 1, "name": f"random-{number}", "seed": number, "cluster": machines,
            "workload": workload(draw, gpus), "policy": policy(draw), "engine": engine(draw)}
    if made["workload"]["source"] == "philly-like":
        made["engine"]["step_time"] = "duration"
    if "node_failures" in machines:  # jobs that outlast what the nodes do would never end
        made["engine"].setdefault("until", "2 d")
    return made


def outages(run):
    """(node, begin, end) for which a node was down."""
    since, found = {}, []
    for row in run["events"]:
        kind = row["kind"].decode()
        if kind not in ("node_down", "node_up"):
            continue
        node = int(row["detail"].decode().removeprefix("node "))
        if kind == "node_down":
            since.setdefault(node, row["time"])
        elif node in since:
            found.append((node, since.pop(node), row["time"]))
    return found + [(node, begin, np.inf) for node, begin in since.items()]


def faults(run):
    """What must not be in a fully recorded run."""
    jobs, attempts, placements = run["jobs"], run["attempts"], run["placements"]
    lanes = np.sort(placements, order=["gpu", "lane", "begin", "end"])
    same = (lanes["gpu"][1:] == lanes["gpu"][:-1]) & (lanes["lane"][1:] == lanes["lane"][:-1])
    if (lanes["begin"][1:][same] < lanes["end"][:-1][same] - 1e-9).any():
        yield "two replicas on one lane of a GPU at a time"
    for node, begin, end in outages(run):
        there = placements[placements["node"] == node]
        if ((there["begin"] < end - 1e-9) & (there["end"] > begin + 1e-9) & (there["end"] > there["begin"])).any():
            yield f"replicas on node {node} while it is down"
    waits = sum(jobs[f"wait_{cause}"] for cause in WAITS)
    if not np.allclose(waits, jobs["queueing"], atol=1e-6):
        yield "waits by cause that do not add up"
    done = jobs[jobs["outcome"] == b"finished"]
    if not np.allclose(done["jct"], done["queueing"] + done["running"] + done["suspended"], atol=1e-5):
        yield "a JCT that is not waiting, running and being suspended"
    kept = done["progress_samples"] - done["lost_samples"]
    if (kept < done["work_samples"] * (1 - 1e-6) - 1e-6).any():
        yield "a finished job whose work was not done"
    if (jobs["lost_samples"] > jobs["progress_samples"] * (1 + 1e-9) + 1e-6).any():
        yield "a job that has lost more than it had"
    spans = np.bincount(attempts["job"], attempts["end"] - attempts["begin"], minlength=jobs["job"].max(initial=-1) + 1)
    if not np.allclose(spans[jobs["job"]], jobs["running"] + jobs["suspended"], atol=1e-5):
        yield "attempts that do not add up to the running time"


def figures(mimus, path):
    done = subprocess.run([mimus, "summary", str(path), "--json"], check=True, capture_output=True, text=True)
    cell, = json.loads(done.stdout)["cells"]
    return {name: value for name, value in cell.items() if isinstance(value, (int, float)) and "latency" not in name}


def differences(one, other):
    for name in sorted(set(one) | set(other)):
        if not np.isclose(one.get(name, np.nan), other.get(name, np.nan), rtol=1e-6, atol=1e-9, equal_nan=True):
            yield f"{name} is {one.get(name)} and {other.get(name)}"


class Trial:
    """One campaign in a folder of its own."""

    def __init__(self, mimus, number, folder):
        self.mimus, self.folder = mimus, Path(folder)
        self.path = self.folder / f"random-{number}.yaml"
        self.path.write_text(json.dumps(campaign(number), indent=1), encoding="utf-8")

    def run(self, name, level):
        out = self.folder / name
        done = subprocess.run([self.mimus, "run", str(self.path), "-q", "--set", f"record={level}", "-o", str(out)],
                              capture_output=True, text=True, timeout=300)
        return done, next(iter(out.glob("*.h5")), None)

    def faults(self):
        """Returns None for a campaign that is refused with a reason."""
        done, path = self.run("full", "full")
        if done.returncode == 3 and done.stderr.strip():
            return None
        if done.returncode != 0:
            return [f"exit code {done.returncode}: {done.stderr[-800:]}"]
        full = tables(path)
        found = list(faults(full))
        again = tables(self.run("again", "full")[1])
        found += [f"another {name} when it is repeated" for name in full
                  if full[name].tobytes() != again[name].tobytes()]
        expected = figures(self.mimus, path)
        for level in ("jobs", "summary"):
            other = self.run(level, level)[1]
            found += [f"with record: {level}, {what}" for what in differences(expected, figures(self.mimus, other))]
        return found


def main():
    options = argparse.ArgumentParser()
    options.add_argument("mimus")
    options.add_argument("--count", type=int, default=50)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--keep", type=Path, help="folder for the campaigns and results")
    given = options.parse_args()
    refused = failed = 0
    for number in range(given.first, given.first + given.count):
        with tempfile.TemporaryDirectory(prefix="mimus-random-") as folder:
            if given.keep:
                folder = given.keep / str(number)
                folder.mkdir(parents=True, exist_ok=True)
            found = Trial(given.mimus, number, folder).faults()
        refused += found is None
        failed += bool(found)
        for what in found or []:
            print(f"campaign {number} ({json.dumps(campaign(number)['policy'])}): {what}", flush=True)
    print(f"{given.count} campaigns, {refused} refused, {failed} with faults")
    return 1 if failed or refused > given.count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
