# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""All real models by name."""

from __future__ import annotations

from . import bert, deepspeech2, gpt, neumf, resnet18, resnet50, yolov3
from .reference import Reference


def references(attention: str = "eager") -> dict[str, Reference]:
    """The models in the order in which they are measured; `attention` as in attention.py."""
    every = (resnet50.REFERENCE, resnet18.REFERENCE, *bert.references(attention), yolov3.REFERENCE,
             deepspeech2.REFERENCE, neumf.REFERENCE, *gpt.references(attention))
    return {reference.name: reference for reference in every}


def chosen(names: list[str], attention: str = "eager") -> list[Reference]:
    """The named models, or all when none is named; an unknown name ends the program."""
    known = references(attention)
    for name in names:
        if name not in known:
            raise SystemExit(f"fidelity: no real model '{name}'; there are {', '.join(known)}")
    return [known[name] for name in names] or list(known.values())
