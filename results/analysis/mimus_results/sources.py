# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tells campaigns that are read together apart: their cells may have the same labels and ids.

Two folders, or two campaigns in one folder, are no repetitions of each other. Their names become
the first of the swept values, so that they are compared like policies.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from mimus_results.read import Cell


class Source(NamedTuple):
    """Where cells come from: the folder of their files, and the campaign that they name."""

    folder: Path
    campaign: str


def of(cell: Cell) -> Source:
    return Source(cell.path.parent.resolve(), str(cell.attributes.get("campaign") or ""))


def names(sources: list[Source]) -> dict[Source, str]:
    """What each is called: nothing when it is alone, else by campaign, folder, or both."""
    sources = list(dict.fromkeys(sources))
    if len(sources) < 2:
        return dict.fromkeys(sources, "")
    campaigns = [source.campaign for source in sources]
    top = Path(os.path.commonpath([source.folder for source in sources]))
    folders = [str(source.folder.relative_to(top)) if source.folder != top else top.name
               for source in sources]
    both = [": ".join(filter(None, pair)) for pair in zip(folders, campaigns)]
    found = next((some for some in (campaigns, folders) if all(some) and _differ(some)), both)
    return dict(zip(sources, found))


def _differ(texts: list[str]) -> bool:
    return len(set(texts)) == len(texts)
