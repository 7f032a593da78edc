# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Assembles the report: a single file without network requests."""

from __future__ import annotations

from pathlib import Path

from mimus_results import sweep
from mimus_results.campaign import Campaign
from mimus_results.figures import style
from mimus_results.read import ReadError
from mimus_results.report import html
from mimus_results.report.facts import Facts
from mimus_results.report.sections import SECTIONS

#: Sections that show what happened in single cells, whatever is measured of them.
OF_RUN = ("timeline", "over-time", "batches", "devices")
SCRIPTS = ["tables.js", "timeline_view.js", "timeline_nodes.js", "timeline_paint.js", "timeline.js"]


def _tiles(facts: Facts) -> list[tuple[str, str]]:
    """The campaign at a glance: names and values."""
    cells = facts.cells
    complete = sum(cell.status == "complete" for cell in cells)
    repetitions = facts.metrics.groupby("label")["repetition"].nunique()
    jobs = int(facts.metrics.loc[facts.metrics["metric"] == "jobs", "value"].sum())
    engines = " and ".join(sorted({str(cell.attributes.get("engine", "unknown"))
                                   for cell in cells}))
    runs = int(repetitions.max()) if len(repetitions) else 0
    tiles = [(f"{complete}/{len(cells) + len(facts.campaign.absent)}", "cells complete"),
             (str(len(facts.labels)), "policies and settings"),
             (str(runs), "repetition" if runs == 1 else "repetitions"),
             (f"{jobs:,}".replace(",", "\u202f"), "jobs"), (engines, "engine")]
    if facts.campaign.measured:
        tiles.append((facts.campaign.measured, "measured"))
    return tiles


def _window(section: str, measured: str) -> str:
    """Adds the measured window below the title of a section."""
    if not measured or section in ("native", "provenance"):
        return ""
    return "Of the whole run." if section in OF_RUN else f"Measured: {measured}."


def build(campaign: Campaign, baseline: str | None = None) -> str:
    """The report as HTML. `baseline` is a label or a swept value with which others are compared."""
    try:
        sweep.comparisons(campaign.labels, baseline)
    except sweep.BaselineError as error:
        raise ReadError(str(error)) from error
    facts = Facts(campaign, baseline)
    late = facts.metrics.loc[facts.metrics["late"], "label"].unique()
    with style.drawn_with(style.Settings(late=set(late))):
        sections = [part._replace(of=_window(part.name, campaign.measured))
                    for part in (section(facts) for section in SECTIONS)]
    return html.page(name=campaign.name or "results", tiles=_tiles(facts), sections=sections,
                     scripts=SCRIPTS)


def write(campaign: Campaign, path: str | Path, baseline: str | None = None) -> Path:
    """Writes the report. The file appears when it is complete. Raises ReadError."""
    path = Path(path)
    page = build(campaign, baseline)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(page, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise ReadError(f"{path}: cannot be written: {error}") from error
    return path
