# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A Markdown page with the cells' completion times and all figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mimus_results.figures import FIGURES
from mimus_results.read import Cell


def _seconds(value: float) -> str:
    return f"{value:.4g}"


def cell_line(cell: Cell) -> str:
    """One row of the table of cells."""
    jobs = cell.table("jobs")
    finished = jobs[jobs["outcome"] == "finished"] if not jobs.empty else jobs
    times = ["–"] * 3
    if not finished.empty:
        jct = finished["jct"].to_numpy()
        times = [_seconds(value) for value in (jct.mean(), *np.percentile(jct, [50, 99]))]
    name = cell.label.replace("|", "\\|")
    return (f"| {name} | {cell.repetition} | {cell.status} | {len(finished)}/{len(jobs)} | "
            + " | ".join(times) + " |")


def _section(name: str, files: list[Path], folder: Path) -> str:
    images = [file.relative_to(folder).as_posix() for file in files if file.suffix == ".png"]
    return f"## {name}\n\n" + "\n".join(f"![{name}]({image})" for image in images) + "\n"


def draw(cells: list[Cell], folder: Path, names: list[str]) -> dict[str, list[Path]]:
    """Draws the named figures; returns the files of each."""
    return {name: FIGURES[name](cells, folder) for name in names}


def write(cells: list[Cell], folder: Path) -> list[Path]:
    """Draws all figures and writes `report.md` beside them."""
    figures = draw(cells, folder, list(FIGURES))
    head = ("# Results\n\n| cell | repetition | status | finished | JCT mean [s] | p50 [s] | "
            "p99 [s] |\n|---|---|---|---|---|---|---|\n")
    body = "\n".join(cell_line(cell) for cell in cells) + "\n\n"
    sections = "\n".join(_section(name, files, folder) for name, files in figures.items())
    page = folder / "report.md"
    page.write_text(head + body + sections, encoding="utf-8")
    return [page] + [file for files in figures.values() for file in files]
