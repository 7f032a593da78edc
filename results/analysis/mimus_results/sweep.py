# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Which labels to compare: those that differ in one swept value only."""

from __future__ import annotations

from typing import NamedTuple

SEPARATOR = " / "


class Comparison(NamedTuple):
    """`label` against `baseline`; `changed` says which value became which."""

    baseline: str
    label: str
    changed: str


def parts(label: str) -> list[str]:
    """The swept values of a label."""
    return label.split(SEPARATOR)


def _changed(baseline: str, label: str) -> str:
    before, after = parts(baseline), parts(label)
    if len(before) != len(after):
        return f"{baseline} → {label}"
    return ", ".join(f"{a} → {b}" for a, b in zip(before, after) if a != b)


def comparisons(labels: list[str], baseline: str | None = None) -> list[Comparison]:
    """Each label against the one with the first listed value in one place and all others equal.

    With `baseline` every other label is compared with that one. So is a label that no other matches
    in all values but one (with the first label), as in sweeps that change several values at once.
    """
    if baseline is not None:
        return [Comparison(baseline, label, _changed(baseline, label))
                for label in labels if label != baseline]
    known = {tuple(parts(label)): label for label in labels}
    width = max((len(key) for key in known), default=0)
    firsts = [next(key[at] for key in known if len(key) > at) for at in range(width)]
    found, covered = [], set()
    for at in range(width):
        for key, label in known.items():
            if at >= len(key) or key[at] == firsts[at]:
                continue
            other = known.get(key[:at] + (firsts[at],) + key[at + 1:])
            if other:
                found.append(Comparison(other, label, f"{firsts[at]} → {key[at]}"))
                covered |= {label, other}
    return found + [Comparison(labels[0], label, _changed(labels[0], label))
                    for label in labels[1:] if label not in covered]
