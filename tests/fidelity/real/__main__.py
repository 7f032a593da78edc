# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the real models and writes DIR/real.json. Existing measurements are kept."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from .attention import IMPLEMENTATIONS
from .feed import FEEDS
from .measure import Plan
from .mps import MpsUnavailable
from .pairs import CoRun, PairMatrix, Row
from .selection import Selection, add_options
from .smoke import run_smoke
from .solo import measure_alone
from .step import Setup
from .store import Store
from .tenant import Tenant
from .timing import Limits
from .training_job import TrainingJob

MEMORY_OF_JOBS = 0.9
"""Share of the GPU's memory that jobs of pairs may take while they wait for theirs."""
QUICK = Plan(Limits(interval=0.02, seconds=10.0), activity_seconds=2.0)


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="real", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("fidelity"), metavar="DIR")
    add_options(parser)
    parser.add_argument("--pair-seconds", type=float, default=8.0,
                        help="that a pair is measured (8)")
    parser.add_argument("--attention", choices=IMPLEMENTATIONS, default="eager")
    parser.add_argument("--layout", choices=("channels_last", "contiguous"),
                        default="channels_last", help="of images")
    parser.add_argument("--feed", choices=FEEDS, default="prefetch")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--smoke", action="store_true", help="one step of each model on a CPU")
    options = parser.parse_args(arguments)
    if (options.device == "cpu") != options.smoke:
        parser.error("--device cpu and --smoke belong together: a CPU is no reference for a GPU")
    return options


def measure_pairs(selection: Selection, setup: Setup, seconds: float, store: Store) -> None:
    memory = torch.cuda.get_device_properties(0).total_memory
    run = CoRun(TrainingJob, selection.pair_precision, setup, seconds,
                int(MEMORY_OF_JOBS * memory))
    tenants = [Tenant(model.name, model.pair_batch) for model in selection.pair_models]

    def add(row: Row) -> None:
        store.add("pairs", row)
        text = row["failure"] or f"{row['slowdown']:.3f} times as long"
        print(f"{row['model']} beside {row['co_model']}, {row['sharing']}: {text}", flush=True)

    for sharing in selection.sharing:
        try:
            PairMatrix(run, sharing, add).measure(tenants, lambda row: store.has("pairs", row))
        except MpsUnavailable as error:
            store.note(f"no pairs under {sharing}: {error}")
            print(f"no pairs under {sharing}: {error}", flush=True)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    selection = Selection(options, options.attention)
    if options.smoke:
        return run_smoke(selection.models)
    if not torch.cuda.is_available():
        raise SystemExit("fidelity: PyTorch sees no GPU; --device cpu --smoke only tries the code")
    setup = Setup("cuda", options.attention, options.layout, options.feed, selection.launches)
    store = Store(options.out / "real.json")
    for precision in selection.precisions:
        for model in selection.models:
            measure_alone(model, precision, selection.batches(model), setup,
                          QUICK if selection.quick else Plan(), store)
    measure_pairs(selection, setup, options.pair_seconds, store)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
