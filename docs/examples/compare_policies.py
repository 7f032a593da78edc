#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A worked analysis, cell by cell like a notebook: which policy is better, by how much, and why?

    python3 docs/examples/compare_policies.py RESULTS [FOLDER for the figure]

RESULTS is a folder of result files or a merged campaign.h5. A campaign to try it on:

    mimus run configs/twin.yaml --engine virtual --set repetitions=8 -o results/twin
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd

import mimus_results

if len(sys.argv) < 2:
    sys.exit(__doc__)

# %% 1. Load. Nothing but attributes is read yet.
campaign = mimus_results.load(sys.argv[1])
print(f"{campaign.name or 'campaign'}: {len(campaign.cells)} cells, "
      f"{len(campaign.labels)} policies and settings\n")

# %% 2. All figures are one tidy frame: pandas does the rest. A dash is what is not known.
if not campaign.complete:
    sys.exit("no cell is complete yet")
metrics = campaign.metrics()
wide = metrics.pivot_table(index="label", columns="metric", values="value", sort=False)
print("Means over repetitions:")
shown = wide.reindex(columns=["jct_mean", "jct_p99", "queueing_mean", "gpu_allocated"])
print(shown.round(2).to_string(na_rep="–"), "\n")

# %% 3. How sure are we? Intervals over repetitions, or how many are needed.
intervals = campaign.intervals("jct_mean")
for row in intervals.itertuples():
    said = row.reason or f"95 % interval {row.low:.4g} to {row.high:.4g} s"
    print(f"{row.label}: mean JCT {row.mean:.4g} s, {said}")

# %% 4. Which difference is real? Pairs of runs with the same jobs.
pairs = campaign.compare("jct_mean")
print("\nOn the same seeds:")
for row in pairs.itertuples():
    said = row.reason or f"ratio {row.ratio_low:.3g} to {row.ratio_high:.3g}, dz {row.dz:.2f}"
    print(f"{row.changed}: {row.mean:.4g} instead of {row.mean_baseline:.4g} s, {said}: {row.verdict}")

# %% 5. Why? What jobs waited for.
queueing = campaign.queueing()
causes = queueing[queueing["gang_class"] == "all"].pivot_table(
    index="label", columns="cause", values="seconds_per_job", sort=False)
print("\nMean wait per job [s]:")
print(causes.loc[:, causes.sum() > 0].round(2).to_string(na_rep="–"))

# %% 6. Was it fair? Only cells that recorded their jobs can tell.
fairness = campaign.fairness()
if len(fairness):
    worst = fairness.groupby("label", sort=False)["rho"].agg(["median", "max"])
    worst["worse off than alone"] = fairness["rho"].gt(1).groupby(fairness["label"]).mean()
    print("\nFinish-time fairness ρ:")
    print(worst.round(3).to_string())

# %% 7. A figure of your own: every frame is an ordinary one.
if len(sys.argv) > 2:
    values = metrics[metrics["metric"] == "jct_mean"]
    fig, axes = plt.subplots(figsize=(7, 0.8 + 0.3 * len(campaign.labels)),
                             constrained_layout=True)
    order = pd.Series(range(len(campaign.labels)), index=campaign.labels)
    axes.plot(values["value"], order[values["label"]], "o", markerfacecolor="none")
    axes.set_yticks(order, order.index)
    axes.set_xlabel("mean JCT [s]")
    axes.set_xlim(left=0)
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    fig.savefig(folder / "mean-jct.png")
    print(f"\n{folder / 'mean-jct.png'}")
