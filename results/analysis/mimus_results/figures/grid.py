# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Orders the cells of a campaign by their swept values, which their labels join by " / "."""

from __future__ import annotations

import re
from typing import NamedTuple

from mimus_results.sweep import SEPARATOR

# More curves than this in one pair of axes cannot be distinguished.
MOST_CURVES = 8


class Place(NamedTuple):
    """The place of a label: its first swept value, and its other values joined."""

    first: str
    second: str


class Grid(NamedTuple):
    """Labels by first and other swept values; `second` is [""] where only one value was swept."""

    first: list[str]
    second: list[str]
    label: dict[Place, str]

    @property
    def is_grouped(self) -> bool:
        return len(self.second) > 1


def of(labels: list[str]) -> Grid:
    """The grid of the labels. Labels that do not form a grid are placed one below the other."""
    parts = [label.split(SEPARATOR) for label in labels]
    places = [Place(part[0], SEPARATOR.join(part[1:])) for part in parts]
    first = list(dict.fromkeys(place.first for place in places))
    second = list(dict.fromkeys(place.second for place in places))
    same_length = len({len(part) for part in parts}) == 1
    # A grid has several values in both directions, and most of its places are taken.
    if not same_length or len(first) < 2 or len(second) < 2 or \
            2 * len(labels) < len(first) * len(second):
        return Grid(labels, [""], {Place(label, ""): label for label in labels})
    return Grid(first, second, dict(zip(places, labels)))


class Panel(NamedTuple):
    """One pair of axes of a figure with curves: its subject, and its labels by curve."""

    title: str
    curves: dict[str, str]


def _is_number(value: str) -> bool:
    """Whether this is the label of a swept number, e.g. "load=0.9"."""
    return re.fullmatch(r"\w+=-?[\d.]+", value) is not None


def panels(labels: list[str]) -> list[Panel]:
    """A few curves form one panel. Those of a grid form one panel per value of its shorter side."""
    grid = of(labels)
    if len(labels) <= MOST_CURVES or not grid.is_grouped:
        return [Panel("", {label: label for label in labels})]
    numbers = [all(map(_is_number, values)) for values in (grid.first, grid.second)]
    # Policies become curves, and loads become panels.
    by_first = (numbers[0] if numbers[0] != numbers[1] else len(grid.first) <= len(grid.second))
    outer, inner = (grid.first, grid.second) if by_first else (grid.second, grid.first)
    found = []
    for value in outer:
        places = {curve: Place(value, curve) if by_first else Place(curve, value)
                  for curve in inner}
        found.append(Panel(value, {curve: grid.label[place] for curve, place in places.items()
                                   if place in grid.label}))
    return found
