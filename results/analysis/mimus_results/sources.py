# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Distinguishes campaigns that are read together: their cells may have the same labels and ids.

Two folders, or two campaigns in one folder, are not repetitions of each other. Their names become
the first swept value, so that they are compared like policies.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from mimus_results.read import Cell


class Source(NamedTuple):
    """The origin of cells: the folder of their files, and the campaign that they name."""

    folder: Path
    campaign: str


def of(cell: Cell) -> Source:
    return Source(cell.path.parent.resolve(), str(cell.attributes.get("campaign") or ""))


def names(sources: list[Source]) -> dict[Source, str]:
    """The name of each source: "" if there is only one, else the campaign, the folder, or both."""
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
