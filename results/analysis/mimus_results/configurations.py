# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Which files of a folder belong to the present configuration of its campaign.

A campaign that was changed and run again into its folder leaves the old files there. They have the
same labels and seeds as the new ones, so both together would look like repetitions. A run writes
the ids of its cells to CAMPAIGN.last-run, without their numbers, which change with the rest of the
sweep. If that file is missing, the newest files count. results/campaign/newest_files.hpp does the
same in C++.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from mimus_results.read import Cell

# Keys that change no result, such as how long to wait. `config_hash` leaves them out, too.
_NO_RESULT = "stage_timeout:"


class _Label(NamedTuple):
    """The files of one label: those of its present configuration, whether it had another one,
    and whether a file of the last run is among them."""

    kept: list[Cell]
    changed: bool
    ran_last: bool


def newest(cells: list[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Cells of the present configuration, and those of others, both in the order given.

    In a folder and campaign the configuration of the last run counts, or if that is unknown, the
    configuration of the newest file of each label. Of each repetition it takes the file of the last
    run, else the newest file, because an older one had another seed or other inputs. Once a
    configuration has changed, labels without a file of the last run, or with older files only,
    belong to another configuration, too.
    """
    campaigns: dict[tuple, dict[str, list[Cell]]] = {}
    for cell in cells:
        place = cell.path.parent, str(cell.attributes.get("campaign") or "")
        campaigns.setdefault(place, {}).setdefault(cell.label, []).append(cell)
    kept = {cell for place, labels in campaigns.items()
            for cell in _newest_of(labels, _last_run(*place))}
    return [cell for cell in cells if cell in kept], [cell for cell in cells if cell not in kept]


def note_on(others: list[Cell]) -> str:
    """A note that these cells were left out and how to see them; "" if there are none."""
    if not others:
        return ""
    folders = ", ".join(dict.fromkeys(str(cell.path.parent) for cell in others))
    files = ("1 file of another configuration is" if len(others) == 1 else
             f"{len(others)} files of other configurations are")
    return (f"{folders}: {files} left out, because they are not of the last run; "
            "mimus campaign status counts them, mimus campaign merge takes only the cells of one campaign")


def _last_run(folder: Path, campaign: str) -> set[str]:
    """Ids of the cells of the last run into the folder; empty if no run has recorded them."""
    try:
        return set((folder / f"{campaign}.last-run").read_text(encoding="utf-8", errors="replace")
                   .splitlines())
    except OSError:
        return set()


def _newest_of(labels: dict[str, list[Cell]], last_run: set[str]) -> list[Cell]:
    found = [_newest_of_label(cells, last_run) for cells in labels.values()]
    began = min((_written(cell) for label in found if label.changed for cell in label.kept),
                default=())
    if began and any(label.ran_last for label in found):
        return [cell for label in found if label.ran_last for cell in label.kept]
    return [cell for label in found for cell in label.kept
            if label.changed or max(map(_written, label.kept)) >= began]


def _newest_of_label(cells: list[Cell], last_run: set[str]) -> _Label:
    by_rank = sorted(cells, key=lambda cell: (_name(cell) in last_run, _written(cell)))
    last = by_rank[-1]
    same = [last] if len(cells) == 1 else [
        cell for cell in by_rank if _configuration(cell) == _configuration(last)]
    return _Label(list({cell.repetition: cell for cell in same}.values()), len(same) < len(cells),
                  _name(last) in last_run)


def _name(cell: Cell) -> str:
    return re.sub(r"^\d+-", "", cell.id)


def _written(cell: Cell) -> tuple:
    """When the file was written. Its date has whole seconds, in which many runs of a virtual
    cell fit."""
    return str(cell.attributes.get("date", "")), cell.changed_at


def _configuration(cell: Cell) -> list[str]:
    return [line for line in cell.config.splitlines()
            if not line.lstrip().startswith(_NO_RESULT)]
