# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Horizontal bars, one per cell, under a heading for each value of the first swept key."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from mimus_results.figures import grid, style

# Height of a row of bars [inch].
LINE = 0.24


class Line(NamedTuple):
    """One row of the figure: a bar, or a heading, which has no label."""

    text: str
    label: str | None


def lines_of(labels: list[str]) -> list[Line]:
    """Bars in the order of the grid, with headings if several values were swept."""
    cells = grid.of(labels)
    if not cells.is_grouped:
        return [Line(label, label) for label in labels]
    lines = []
    for first in cells.first:
        lines.append(Line(first, None))
        lines += [Line(second, cells.label[place]) for second in cells.second
                  if (place := grid.Place(first, second)) in cells.label]
    return lines


def figure(lines: list[Line]):
    """A figure that is high enough for the rows."""
    return style.figure(7.6, 1.3 + LINE * max(len(lines), 2))


def name_lines(axes, lines: list[Line]) -> None:
    """Writes the texts of the rows on the vertical axis."""
    texts = [line.text + style.marked(line.label or "")[len(line.label or ""):] for line in lines]
    axes.set_yticks(range(len(lines)), [style.shorten(text, 40) for text in texts])
    for tick, line in zip(axes.get_yticklabels(), lines):
        tick.set_fontsize(style.size(9))
        if line.label is None:
            tick.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def stack_times(axes, lines: list[Line], parts: pd.DataFrame, fills: dict) -> str:
    """Draws stacked bars of the columns of `parts` [s], one per label, with their sum at the end
    of each.

    Returns the unit of the axis.
    """
    divisor, unit = style.time_unit(parts.sum(axis=1).max())
    rows = {line.label: at for at, line in enumerate(lines) if line.label in parts.index}
    left = pd.Series(0.0, index=rows.keys())
    for part in parts.columns:
        widths = parts.loc[list(rows), part] / divisor
        axes.barh(list(rows.values()), widths, left=left, height=0.74, label=part, linewidth=0.5,
                  **fills[part])
        left += widths
    for label, total in left.items():
        axes.text(total, rows[label], f" {style.number(total)}", va="center",
                  fontsize=style.size(8))
    axes.set_xlim(0, max(left.max() * 1.12, 1e-9))
    return unit
