# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: `python3 -m mimus_results {tables,figures,report} ...`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mimus_results import report
from mimus_results.figures import FIGURES
from mimus_results.read import Cell, ReadError, load_all, table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mimus_results", description="Tables and figures from Mimus result files.",
        epilog="example: python3 -m mimus_results report mimus-results/quick --out figures")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    tables = verbs.add_parser("tables", help="list the tables, print one, or write all as CSV")
    tables.add_argument("--table", help="print this table of all cells as CSV")
    tables.add_argument("--csv", type=Path, metavar="FOLDER", help="write every table as CSV")
    figures = verbs.add_parser("figures", help="draw figures as PNG and PDF")
    figures.add_argument("--only", default=",".join(FIGURES), metavar="NAMES",
                         help="comma-separated, of: " + ", ".join(FIGURES))
    whole = verbs.add_parser("report", help="draw all figures and write report.md")
    for verb in (tables, figures, whole):
        verb.add_argument("paths", nargs="+", help="result files (.h5, .h5.part) or folders")
    for verb in (figures, whole):
        verb.add_argument("--out", type=Path, required=True, metavar="FOLDER",
                          help="where to write")
    return parser


def _names(cells: list[Cell]) -> list[str]:
    return list(dict.fromkeys(name for cell in cells for name in cell.tables))


def _list(cells: list[Cell]) -> None:
    for cell in cells:
        print(f"{cell.path}: {cell.label}, repetition {cell.repetition}, {cell.status}")
        for name, frame in cell.tables.items():
            print(f"  {name:<12} {len(frame):>9} rows  {', '.join(frame.columns)}")


def _tables(arguments: argparse.Namespace, cells: list[Cell]) -> None:
    names = _names(cells)
    if arguments.table and arguments.table not in names:
        raise ReadError(f'unknown table "{arguments.table}"; recorded are: {", ".join(names)}')
    if arguments.csv:
        arguments.csv.mkdir(parents=True, exist_ok=True)
        for name in names:
            table(cells, name).to_csv(arguments.csv / f"{name}.csv", index=False)
    elif arguments.table:
        table(cells, arguments.table).to_csv(sys.stdout, index=False)
    else:
        _list(cells)


def _figures(arguments: argparse.Namespace, cells: list[Cell]) -> None:
    names = arguments.only.split(",")
    for name in names:
        if name not in FIGURES:
            raise ReadError(f'unknown figure "{name}"; allowed: {", ".join(FIGURES)}')
    for name, drawing in report.draw(cells, arguments.out, names).items():
        for file in drawing.files:
            print(file)
        for note in drawing.notes:
            print(f"mimus_results: {name}: {note}", file=sys.stderr)


def main(argv: list[str] | None = None) -> int:
    """Returns 0, 1 when a file cannot be read, 2 for a wrong command line."""
    arguments = _parser().parse_args(argv)
    try:
        cells = load_all(arguments.paths)
        if arguments.verb == "tables":
            _tables(arguments, cells)
        elif arguments.verb == "figures":
            _figures(arguments, cells)
        else:
            print("\n".join(map(str, report.write(cells, arguments.out))))
    except ReadError as error:
        print(f"mimus_results: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    return 0
