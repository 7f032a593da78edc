# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Selects which labels to compare: those that differ in a single swept value."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

SEPARATOR = " / "


class Comparison(NamedTuple):
    """A comparison of `label` with `baseline`. `changed` says which value was replaced by which."""

    baseline: str
    label: str
    changed: str


class BaselineError(ValueError):
    """The baseline is neither a label nor a swept value. The message lists the possible ones."""


def parts(label: str) -> list[str]:
    """The swept values of a label."""
    return label.split(SEPARATOR)


def _changed(baseline: str, label: str) -> list[tuple[str, str]] | None:
    """The values that differ, before and after; None if the labels have different numbers of
    values."""
    before, after = parts(baseline), parts(label)
    if len(before) != len(after):
        return None
    return [(a, b) for a, b in zip(before, after) if a != b]


def _comparison(baseline: str, label: str) -> Comparison:
    changed = _changed(baseline, label)
    said = ([f"{baseline} → {label}"] if changed is None else [f"{a} → {b}" for a, b in changed])
    return Comparison(baseline, label, ", ".join(said))


def _differ_once(baseline: str, label: str) -> bool:
    changed = _changed(baseline, label)
    return changed is not None and len(changed) == 1


def comparisons(labels: list[str], baseline: str | None = None) -> list[Comparison]:
    """Every pair of labels that differ in one swept value: policies at one load, one policy at two.

    If no other label matches a label in all values but one, as in sweeps that change several values
    at once, it is compared with the first label. `baseline` is a label, with which all others are
    compared, or a swept value ("fifo"). Labels with that value are compared with those that have
    another value in its place and are equal otherwise. Raises BaselineError.
    """
    if baseline is not None:
        return _with_baseline(labels, baseline)
    found = [_comparison(*pair) for pair in combinations(labels, 2) if _differ_once(*pair)]
    covered = {name for pair in found for name in (pair.baseline, pair.label)}
    return found + [_comparison(labels[0], label) for label in labels[1:] if label not in covered]


def _with_baseline(labels: list[str], baseline: str) -> list[Comparison]:
    if baseline in labels:
        return [_comparison(baseline, label) for label in labels if label != baseline]
    bases = [label for label in labels if baseline in parts(label)]
    if not bases:
        values = dict.fromkeys(value for label in labels for value in parts(label))
        raise BaselineError(f'unknown baseline "{baseline}"; the labels are: {"; ".join(labels)}; '
                            f'the swept values are: {", ".join(values)}')
    return [_comparison(base, label) for base in bases for label in labels
            if _differ_once(base, label) and _changed(base, label)[0][0] == baseline]
