# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A Markdown page with the main figures of the cells and all pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from mimus_results import totals
from mimus_results.figures import FIGURES
from mimus_results.figures.style import Drawing
from mimus_results.read import Cell


HEAD = ("# Results\n\n| cell | repetition | status | finished | JCT mean [s] | p50 [s] | p99 [s] | "
        "queueing mean [s] | GPU time held | preemptions |\n" + "|---" * 10 + "|\n")
UNKNOWN = "–"


def _number(value: float | None, scale: float = 1.0, unit: str = "") -> str:
    return UNKNOWN if value is None or not np.isfinite(value) else f"{value * scale:.4g}{unit}"


def _ratio(sums: pd.Series, above: str, below: str) -> float | None:
    divisor = sums.get((below, "all"), 0)
    return sums[above, "all"] / divisor if divisor > 0 else None


def cell_line(cell: Cell) -> str:
    """One row of the table of cells."""
    sums = totals.totals(cell)
    count = {name: int(sums.get((name, "all"), 0)) for name in ("finished", "jobs", "preemptions")}
    figures = [
        _number(_ratio(sums, "jct", "finished")),
        _number(totals.quantile(cell, "jct", 0.5)),
        _number(totals.quantile(cell, "jct", 0.99)),
        _number(_ratio(sums, "queueing", "jobs")),
        _number(_ratio(sums, "gpu_held_seconds", "gpu_up_seconds"), 100, " %"),
    ]
    name = cell.label.replace("|", "\\|")
    return (f"| {name} | {cell.repetition} | {cell.status} | {count['finished']}/{count['jobs']} | "
            + " | ".join(figures) + f" | {count['preemptions']} |")


def _section(name: str, drawing: Drawing, folder: Path) -> str:
    images = [file.relative_to(folder).as_posix() for file in drawing.files
              if file.suffix == ".png"]
    lines = [f"![{name}]({image})" for image in images] + drawing.notes
    return f"## {name}\n\n" + "\n\n".join(lines) + "\n"


def draw(cells: list[Cell], folder: Path, names: list[str]) -> dict[str, Drawing]:
    """Draws the named figures; returns the files of each, and notes on what is missing."""
    return {name: FIGURES[name](cells, folder) for name in names}


def write(cells: list[Cell], folder: Path) -> list[Path]:
    """Draws all figures and writes `report.md` beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings = draw(cells, folder, list(FIGURES))
    body = "\n".join(cell_line(cell) for cell in cells) + "\n\n"
    sections = "\n".join(_section(name, drawing, folder) for name, drawing in drawings.items())
    page = folder / "report.md"
    page.write_text(HEAD + body + sections, encoding="utf-8")
    return [page] + [file for drawing in drawings.values() for file in drawing.files]
