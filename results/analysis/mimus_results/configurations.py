# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Which files of a folder belong to the newest configuration of its campaign.

A campaign that was changed and run again into its folder leaves the old files there. Their labels
and seeds are those of the new ones: together they would pass for repetitions. What the campaign
says now is known to `mimus campaign merge` only; of files alone the newest are believed. The same
in C++: results/newest_files.hpp.
"""

from __future__ import annotations

from typing import NamedTuple

from mimus_results.read import Cell

# Waiting longer before giving up changes no result: it is no part of `config_hash` either.
_NO_RESULT = "stage_timeout:"


class _Label(NamedTuple):
    """The files of one label: those of its newest configuration, and whether it had another."""

    kept: list[Cell]
    changed: bool


def newest(cells: list[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Cells of the newest configuration, and those of others, both in the order given.

    In a folder and campaign the configuration of the newest file of each label holds, and in it the
    newest file of each repetition: an older one had another seed or other inputs. Once a
    configuration has changed, labels that have only files from before are of another one, too.
    """
    campaigns: dict[tuple, dict[str, list[Cell]]] = {}
    for cell in cells:
        labels = campaigns.setdefault((cell.path.parent, cell.attributes.get("campaign")), {})
        labels.setdefault(cell.label, []).append(cell)
    kept = {cell for labels in campaigns.values() for cell in _newest_of(labels)}
    return [cell for cell in cells if cell in kept], [cell for cell in cells if cell not in kept]


def note_on(others: list[Cell]) -> str:
    """Says that these were left out and how to see them; empty when there are none."""
    if not others:
        return ""
    folders = ", ".join(dict.fromkeys(str(cell.path.parent) for cell in others))
    files = ("1 file of another configuration is" if len(others) == 1 else
             f"{len(others)} files of other configurations are")
    return (f"{folders}: {files} left out, newer ones are there; mimus campaign status counts "
            "them, mimus campaign merge takes the cells of one campaign only")


def _newest_of(labels: dict[str, list[Cell]]) -> list[Cell]:
    found = [_newest_of_label(cells) for cells in labels.values()]
    began = min((_written(cell) for label in found if label.changed for cell in label.kept),
                default=())
    return [cell for label in found for cell in label.kept
            if label.changed or max(map(_written, label.kept)) >= began]


def _newest_of_label(cells: list[Cell]) -> _Label:
    if len(cells) == 1:
        return _Label(cells, False)
    by_age = sorted(cells, key=_written)
    configuration = _configuration(by_age[-1])
    same = [cell for cell in by_age if _configuration(cell) == configuration]
    return _Label(list({cell.repetition: cell for cell in same}.values()), len(same) < len(cells))


def _written(cell: Cell) -> tuple:
    """When; the date has whole seconds, in which a virtual cell is done many times over."""
    return str(cell.attributes.get("date", "")), cell.changed_at


def _configuration(cell: Cell) -> list[str]:
    return [line for line in cell.config.splitlines()
            if not line.lstrip().startswith(_NO_RESULT)]
