# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Pieces of HTML. Everything that comes from a result file passes through `text`."""

from __future__ import annotations

import html
import json
import math
from typing import Iterable, NamedTuple, Sequence

from mimus_results.figures.style import duration, number

UNKNOWN = "–"

text = html.escape


class Section(NamedTuple):
    """A part of the page; `body` is HTML."""

    name: str
    title: str
    body: str


class Cell(NamedTuple):
    """A cell of a table: what is shown (HTML), and what it is sorted by."""

    shown: str
    key: float | str
    is_number: bool = False


def words(value) -> Cell:
    return Cell(text(str(value)), str(value))


def figure(value: float | None, shown: str | None = None) -> Cell:
    """A number in a table; a dash where it is not known."""
    if value is None or not math.isfinite(value):
        return Cell(UNKNOWN, -math.inf, True)
    return Cell(text(shown if shown is not None else number(value)), float(value), True)


def empty(reason: str) -> str:
    """Stands where a figure would: why there is none."""
    return f'<p class="empty">{text(reason)}</p>'


def note(sentence: str) -> str:
    return f'<p class="note">{text(sentence)}</p>'


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], label: str,
          is_long: bool = False) -> str:
    """A table that sorts by click; on narrow screens each row becomes a card."""
    head = "".join(f'<th scope="col"><button type="button">{text(name)}</button></th>'
                   for name in heads)
    lines = []
    for row in rows:
        cells = "".join(
            f'<td data-head="{text(name)}" data-key="{text(_key(cell))}"'
            f'{" class=num" if cell.is_number else ""}>{cell.shown}</td>'
            for name, cell in zip(heads, row))
        lines.append(f"<tr>{cells}</tr>")
    tall = " tall" if is_long else ""
    return (f'<div class="table{tall}" tabindex="0" role="region" aria-label="{text(label)}">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>")


def _key(cell: Cell) -> str:
    return repr(cell.key) if isinstance(cell.key, float) else cell.key


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and what there is to say of them, side by side."""
    items = "".join(f"<dt>{text(name)}</dt><dd>{text(said)}</dd>" for name, said in rows if said)
    return f'<dl class="facts">{items}</dl>'


def count(number_of: int, one: str, many: str = "") -> str:
    """ "1 cell", "2 cells"."""
    return f"{number_of} {one if number_of == 1 else many or one + 's'}"


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """A legend of (swatch, name); swatches are SVG."""
    items = "".join(f"<li>{swatch}<span>{text(name)}</span></li>" for swatch, name in entries)
    return f'<ul class="legend">{items}</ul>'


def panels(charts: Iterable[str]) -> str:
    """Charts in rows of three on a wide page, or of four where three leave one alone."""
    charts = list(charts)
    names = "panels narrow" if len(charts) > 3 and len(charts) % 3 == 1 else "panels"
    return f'<div class="{names}">{"".join(charts)}</div>'


def details(summary: str, body: str, is_open: bool = False) -> str:
    return (f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>"
            f"{body}</details>")


def data(name: str, value) -> str:
    """Data for scripts, as JSON that cannot end its element."""
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    escaped = written.replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return f'<script type="application/json" id="{name}">{escaped}</script>'


def quantity(value: float, unit: str) -> str:
    """A value in its unit, as people say it: durations in s … d, shares in %."""
    if not math.isfinite(value):
        return UNKNOWN
    if unit == "s":
        return f"{number(value * 1e3)} ms" if 0 < abs(value) < 0.1 else signed(value)
    return number(value) + (f" {unit}" if unit else "")


def signed(seconds: float) -> str:
    """A duration that may be negative."""
    return ("−" if seconds < 0 else "") + duration(abs(seconds))
