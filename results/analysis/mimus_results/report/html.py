# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Pieces of HTML, from the templates in `assets`.

A piece is `Markup`. Anything else that is put into a piece or added to one is text and is escaped,
as everything is that comes from a result file.
"""

from __future__ import annotations

import functools
import json
import math
from typing import Iterable, NamedTuple, Sequence

import jinja2
from markupsafe import Markup, escape

from mimus_results.figures.style import duration, number

UNKNOWN = "–"

text = escape
NOTHING = Markup("")


@functools.cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("mimus_results.report", "assets"), autoescape=True,
        trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)


def _piece(name: str, *values) -> Markup:
    return getattr(_templates().get_template("pieces.html").module, name)(*values)


class Section(NamedTuple):
    """A part of the page. `of` is the text below its title that says what it covers."""

    name: str
    title: str
    body: Markup
    of: str = ""


class Cell(NamedTuple):
    """A cell of a table: what is shown, and by what it is sorted."""

    shown: str | Markup
    key: float | str
    is_number: bool = False


def words(value) -> Cell:
    return Cell(str(value), str(value))


def figure(value: float | None, shown: str | None = None) -> Cell:
    """A number in a table, or a dash if it is unknown."""
    if value is None or not math.isfinite(value):
        return Cell(UNKNOWN, -math.inf, True)
    return Cell(shown if shown is not None else number(value), float(value), True)


def empty(reason: str) -> Markup:
    """A text in place of a figure that says why there is none."""
    return _piece("empty", reason)


def note(sentence: str) -> Markup:
    return _piece("note", sentence)


def heading(title: str) -> Markup:
    """A heading inside a section."""
    return _piece("heading", title)


def preformatted(lines: str) -> Markup:
    return _piece("preformatted", lines)


def verdict(said: str, mark: str = "") -> Markup:
    """The verdict of a comparison; `mark` is better, worse or different if two labels differ."""
    return _piece("verdict", said, mark)


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], label: str,
          is_long: bool = False) -> Markup:
    """A table that can be sorted by a click on a heading."""
    return _piece("table", heads, rows, label, is_long)


def facts(rows: Iterable[tuple[str, str]]) -> Markup:
    """Names and their values, side by side."""
    return _piece("facts", rows)


def count(number_of: int, one: str, many: str = "") -> str:
    """ "1 cell", "2 cells"."""
    return f"{number_of} {one if number_of == 1 else many or one + 's'}"


def legend(entries: Iterable[tuple[Markup, str]]) -> Markup:
    """A legend of (swatch, name) pairs."""
    return _piece("legend", entries)


def panels(charts: Iterable[Markup]) -> Markup:
    """Charts in rows."""
    return _piece("panels", list(charts))


def details(summary: str, body: Markup, is_open: bool = False) -> Markup:
    return _piece("details", summary, body, is_open)


def filter_box() -> Markup:
    """The filter box of the table of cells, handled by assets/tables.js."""
    return _piece("filter_box")


def timeline(content) -> Markup:
    """The timeline and its buttons; assets/timeline.js draws `content`."""
    return _piece("timeline") + _data("timeline-data", content)


def _data(name: str, value) -> Markup:
    """Data for scripts, as JSON that cannot close its HTML element."""
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    escaped = written.replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return Markup(f'<script type="application/json" id="{escape(name)}">{escaped}</script>')


def page(**values) -> str:
    """The whole page: the template report.html with these values."""
    return _templates().get_template("report.html").render(**values)


def quantity(value: float, unit: str) -> str:
    """A value in a readable unit: durations in s … d, shares in %."""
    if not math.isfinite(value):
        return UNKNOWN
    if unit == "s":
        return f"{number(value * 1e3)} ms" if 0 < abs(value) < 0.1 else signed(value)
    return number(value) + (f" {unit}" if unit else "")


def signed(seconds: float) -> str:
    """A duration that may be negative."""
    return ("−" if seconds < 0 else "") + duration(abs(seconds))
