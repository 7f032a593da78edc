# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Charts as inline SVG. Colours are classes of the style sheet, so that they follow its theme.

Charts are WIDTH units wide and scale with the page; at 400 pixels a unit is about 0.8 pixels, so
that type of 13 units stays readable.
"""

from __future__ import annotations

import math
from typing import Iterable, NamedTuple, Sequence

import numpy as np

from mimus_results.figures.style import number, shorten, time_unit
from mimus_results.report.html import Markup, text

WIDTH = 460
# Number of letters of a label that fit across a chart.
LETTERS = 62
# Width of a letter of a tick label [units].
LETTER = 7.4
# Curves differ in colour first and then in their dashes.
COLOURS, DASHES = 6, 4


def line_class(index: int) -> str:
    return f"line k{index % COLOURS} d{(index + index // COLOURS) % DASHES}"


def fill_class(index: int) -> str:
    return f"fill f{index % 8}"


def line_swatch(index: int) -> Markup:
    return Markup(f'<svg class="swatch" viewBox="0 0 28 12" aria-hidden="true">'
            f'<path class="{line_class(index)}" d="M1 6H27"/></svg>')


def fill_swatch(index: int) -> Markup:
    return Markup(f'<svg class="swatch" viewBox="0 0 28 12" aria-hidden="true">'
            f'<rect class="{fill_class(index)}" x="6" width="16" height="12"/></svg>')


class Axis(NamedTuple):
    """A direction of a chart: its range, its ticks, and its name with the unit."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    name: str
    is_log: bool = False

    def share(self, value):
        """Positions of values as a share of the axis."""
        low, high = self.low, self.high
        if self.is_log:
            value, low, high = np.log(np.maximum(value, low)), math.log(low), math.log(high)
        return (np.asarray(value, dtype=float) - low) / ((high - low) or 1.0)


def _step(span: float, most: int) -> float:
    rough = max(span, 1e-300) / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)


def linear(low: float, high: float, name: str, most: int = 5, divisor: float = 1.0) -> Axis:
    """An axis with round ticks. Values are divided by `divisor` for the tick labels."""
    high = high if high > low else low + 1.0
    step = _step((high - low) / divisor, most) * divisor
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = [(at * step, f"{at * step / divisor:.6g}") for at in range(first, last + 1)]
    return Axis(low, high, ticks, name)


def time_axis(high: float, name: str = "time", low: float = 0.0) -> Axis:
    """An axis of times [s] in a readable unit."""
    divisor, unit = time_unit(high)
    return linear(low, high, f"{name} [{unit}]", divisor=divisor)


def log_times(low: float, high: float, name: str) -> Axis:
    """A logarithmic axis of times [s], in a unit that is readable at its end."""
    low = max(low, 1e-7)
    high = max(high, low * 1.01)
    divisor, unit = time_unit(high)
    decades = range(math.floor(math.log10(low / divisor)), math.ceil(math.log10(high / divisor)) + 1)
    ticks = [(10.0 ** decade * divisor, f"{10.0 ** decade:g}") for decade in decades]
    ticks = [(at, said) for at, said in ticks if low <= at <= high]
    if len(ticks) < 2:
        ticks = [(at, number(at / divisor)) for at in (low, high)]
    return Axis(low, high, ticks, f"{name} [{unit}]", True)


def log_ratios(low: float, high: float, name: str) -> Axis:
    """A logarithmic axis of plain numbers with ticks at 1, 2 and 5, or more within a decade."""
    low, high = max(low, 1e-6), max(high, low * 1.01)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if len(decades) <= 4 else (1,)
    if high < 10 * low:
        factors = (1, 1.5, 2, 3, 4, 5, 7)
    ticks = [factor * 10.0 ** decade for decade in decades for factor in factors]
    return Axis(low, high, [(at, f"{at:g}") for at in ticks if low <= at <= high], name, True)


class Chart:
    """A pair of axes to draw into."""

    def __init__(self, across: Axis, up: Axis, title: str = "", height: int = 250):
        self.across, self.up, self.title, self.height = across, up, title, height
        letters = max((len(label) for _, label in up.ticks), default=1)
        self.left = 24 + max(3, letters) * LETTER
        self.right, self.top, self.bottom = WIDTH - 14, 12, height - 44
        self.parts: list[str] = []

    def x(self, values):
        return self.left + (self.right - self.left) * self.across.share(values)

    def y(self, values):
        return self.bottom - (self.bottom - self.top) * self.up.share(values)

    def curve(self, xs, ys, index: int, name: str) -> None:
        """A line through the points, interrupted where a value is not finite."""
        path, is_down = [], False
        for x, y in zip(np.atleast_1d(self.x(np.asarray(xs, dtype=float))),
                        np.atleast_1d(self.y(np.asarray(ys, dtype=float)))):
            if not (math.isfinite(x) and math.isfinite(y)):
                is_down = False
                continue
            path.append(f"{'L' if is_down else 'M'}{x:.1f} {y:.1f}")
            is_down = True
        if path:
            self.parts.append(f'<path class="{line_class(index)}" d="{"".join(path)}">'
                              f"<title>{text(name)}</title></path>")

    def band(self, xs, lows, highs, index: int) -> None:
        """An interval around the curve with the same index."""
        edge = [*zip(self.x(np.asarray(xs)), self.y(np.asarray(highs))),
                *zip(self.x(np.asarray(xs))[::-1], self.y(np.asarray(lows))[::-1])]
        points = "L".join(f"{x:.1f} {y:.1f}" for x, y in edge)
        self.parts.append(f'<path class="band b{index % COLOURS}" d="M{points}Z"/>')

    def stairs(self, edges, values, index: int, name: str) -> None:
        """Piecewise constant values between edges."""
        self.curve(np.repeat(edges, 2)[1:-1], np.repeat(values, 2), index, name)

    def rule(self, value: float) -> None:
        """A horizontal line for comparison."""
        y = float(self.y(value))
        self.parts.append(f'<path class="rule" d="M{self.left:.1f} {y:.1f}H{self.right}"/>')

    def _ticks(self) -> Iterable[str]:
        for value, label in self.up.ticks:
            y = float(self.y(value))
            yield f'<path class="grid" d="M{self.left:.1f} {y:.1f}H{self.right}"/>'
            yield (f'<text class="tick" x="{self.left - 6:.1f}" y="{y + 4:.1f}" '
                   f'text-anchor="end">{text(label)}</text>')
        free = 0.0
        for value, label in self.across.ticks:
            x, half = float(self.x(value)), LETTER * len(label) / 2
            yield f'<path class="grid" d="M{x:.1f} {self.top}V{self.bottom}"/>'
            # Inside the picture, and not above the previous number.
            middle = min(x, WIDTH - half)
            if middle - half < free:
                continue
            free = middle + half
            yield (f'<text class="tick" x="{middle:.1f}" y="{self.bottom + 16}" '
                   f'text-anchor="middle">{text(label)}</text>')

    def drawn(self) -> Markup:
        """The chart as a figure with its title above."""
        middle = (self.top + self.bottom) / 2
        names = (f'<text class="name" x="{(self.left + self.right) / 2:.1f}" '
                 f'y="{self.height - 6}" text-anchor="middle">{text(self.across.name)}</text>'
                 f'<text class="name" transform="translate(13 {middle}) rotate(-90)" '
                 f'text-anchor="middle">{text(self.up.name)}</text>')
        return framed(self.title, self.height, "".join(self._ticks()) + "".join(self.parts) + names)


def framed(title: str, height: float, inside: str, width: float = WIDTH) -> Markup:
    """An SVG picture of elements `inside`, with its title, both in a `figure`."""
    caption = f"<figcaption>{text(title)}</figcaption>" if title else ""
    return Markup(
        f'<figure class="chart">{caption}<svg viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{text(title or "chart")}">{inside}</svg></figure>')


def row_label(label: str, y: float) -> str:
    """The name of a row of marks. It is above the marks, so that it may be long."""
    return (f'<text class="row" x="4" y="{y:.1f}">{text(shorten(label, LETTERS))}'
            f"<title>{text(label)}</title></text>")
