# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Figures with one curve per cell, in one pair of axes or, for many cells, in one panel per
swept value."""

from __future__ import annotations

from typing import Iterator

from mimus_results.figures import grid, style


class Frame:
    """The axes of such a figure. A curve looks the same in all panels, and there is one legend."""

    def __init__(self, labels: list[str], **options):
        self.panels = grid.panels(labels)
        size = (7.2, 3.5) if len(self.panels) == 1 else (3.5, 2.7)
        self.fig, axes = style.panels(len(self.panels), *size, sharey=True, **options)
        self.grid = axes
        self.axes = list(axes.flat)
        names = list(dict.fromkeys(name for panel in self.panels for name in panel.curves))
        self.lines = style.lines(names)

    def curves(self) -> Iterator[tuple]:
        """The axes, the label and the line style of every curve."""
        for panel, pair in zip(self.panels, self.axes):
            for name, label in panel.curves.items():
                yield pair, label, self.lines[name]

    def shown_axes(self) -> list:
        return self.axes[:len(self.panels)]

    def finish(self, title: str, across: str, up: str) -> None:
        """Adds titles, names of the axes and the legend."""
        for panel, pair in zip(self.panels, self.axes):
            pair.set_title(panel.title, fontsize=style.size(10))
        style.title_of_figure(self.fig, title)
        style.label_bottom(self.grid, across)
        for row in self.grid:
            row[0].set_ylabel(up)
        style.legend_of_figure(self.fig, [style.line_key(line) for line in self.lines.values()],
                               [style.shorten(self._marked(name), 40) for name in self.lines])

    def _marked(self, name: str) -> str:
        """The name of a curve, with a mark if it belongs to a late label."""
        return style.marked_name(name, [panel.curves[name] for panel in self.panels
                                        if name in panel.curves])
