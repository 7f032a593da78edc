# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A campaign of one or more cells and what its summary must say."""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Printed:
    """A figure as another program printed it, which must agree to the last digit."""

    text: str

    def matches(self, value):
        decimals = len(self.text.partition(".")[2])
        half_a_digit = 0.5 * 10.0**-decimals
        return abs(value - float(self.text)) <= half_a_digit * (1 + 1e-9)

    def __str__(self):
        return self.text


@dataclass(frozen=True)
class Within:
    """A figure that another program approximates, with a relative tolerance."""

    text: str
    tolerance: float

    def matches(self, value):
        return abs(value / float(self.text) - 1.0) <= self.tolerance

    def __str__(self):
        return f"{self.text} within {100 * self.tolerance:g} %"


@dataclass(frozen=True)
class Case:
    name: str
    workload: dict
    nodes: int
    gpus_per_node: int
    policy: dict
    expected: dict
    engine: dict = field(default_factory=lambda: {"step_time": "duration"})
    sweep: dict = field(default_factory=dict)  # figures then cover the jobs of all cells

    @property
    def slug(self):
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    def campaign(self):
        return {
            "schema": 1,
            "name": self.slug,
            "record": "summary",
            "cluster": {"nodes": self.nodes, "gpus_per_node": self.gpus_per_node, "gpu": "P100",
                        "network": "100 Gbit/s"},
            "workload": self.workload,
            "policy": self.policy,
            "engine": {"kind": "virtual", "interference": "none", **self.engine},
            **({"sweep": self.sweep} if self.sweep else {}),
        }
