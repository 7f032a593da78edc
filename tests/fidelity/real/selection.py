# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What both sides measure: their common options."""

from __future__ import annotations

import argparse

from .catalogue import chosen
from .pairs import SHARING
from .precision import precision_named
from .reference import Reference

PRECISIONS = ("fp32", "tf32", "bf16")
QUICK_PRECISIONS = ("bf16",)
LAUNCHES = ("graph", "eager")
QUICK_PAIRS = ("resnet50", "bert-base", "neumf")
"""A network limited by arithmetic, one by memory and products, one by launches."""


def words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a selection; read them with `Selection`."""
    parser.add_argument("--models", type=words, default=[], help="all if not given")
    parser.add_argument("--precisions", type=words, default=[],
                        help=f"{','.join(PRECISIONS)} if not given; with --quick "
                             f"{','.join(QUICK_PRECISIONS)}")
    parser.add_argument("--pairs", type=words, default=list(SHARING),
                        help=f"{','.join(SHARING)}; '' leaves the pairs out")
    parser.add_argument("--pair-precision", default="bf16", help="(bf16)")
    parser.add_argument("--launches", choices=LAUNCHES, default="graph",
                        help="of steps alone: replayed from a CUDA graph where the model allows it "
                             "(graph), which leaves the speed of the host out, or one by one (eager)")
    parser.add_argument("--quick", action="store_true",
                        help="the smallest and the largest batch, one precision, pairs of "
                             f"{', '.join(QUICK_PAIRS)} unless models are named")


class Selection:
    """Models, batches, precisions and ways of sharing. Unknown names end the program."""

    def __init__(self, options: argparse.Namespace, attention: str = "eager") -> None:
        self.quick: bool = options.quick
        self.models = chosen(options.models, attention)
        self.pair_models = (chosen(list(QUICK_PAIRS), attention)
                            if self.quick and not options.models else self.models)
        names = options.precisions or (QUICK_PRECISIONS if self.quick else PRECISIONS)
        self.precisions = [precision_named(name).name for name in names]
        self.pair_precision = precision_named(options.pair_precision).name
        self.launches: str = options.launches
        self.sharing: list[str] = options.pairs
        for name in self.sharing:
            if name not in SHARING:
                raise SystemExit(f"fidelity: --pairs {name}: expected {' or '.join(SHARING)}")

    def batches(self, model: Reference) -> list[int]:
        ends = (model.batches[0], model.batches[-1])
        return list(ends if self.quick else model.batches)
