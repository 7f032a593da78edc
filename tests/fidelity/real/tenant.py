# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A job of a co-location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tenant:
    """A model that trains, and its samples per step."""

    model: str
    samples: int


@dataclass(frozen=True)
class Task:
    """The data from which a job is made; `setup` is a step.Setup."""

    tenant: Tenant
    precision: str
    setup: Any
