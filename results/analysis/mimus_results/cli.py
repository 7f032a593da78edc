# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: `mimus-results VERB ...` with the verbs of _parser(), and `mimus-report`."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from mimus_results import Campaign, export, load
from mimus_results.export import FORMATS
from mimus_results.figures import FIGURES, draw
from mimus_results.figures.style import FORMATS as IMAGE_FORMATS
from mimus_results.metrics import METRICS
from mimus_results.read import ReadError

_PATHS = "result files (.h5, .h5.part), folders of them, or a merged campaign.h5"
_BASELINE = ("compare with this label only, or with labels of this swept value (fifo) where all "
             "else is equal")


def _formats(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in IMAGE_FORMATS:
            raise argparse.ArgumentTypeError(f'unknown format "{name}"; allowed: '
                                             f'{", ".join(IMAGE_FORMATS)}')
    return names


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 100:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100")
    return value


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", help=_PATHS)
    parser.add_argument("--measure", metavar="WINDOW",
                        help="part of the run that figures cover: jobs=4000..5000 (by arrival, from 0), "
                             "from=2h,until=20h, or all (default: what the campaign said)")


def _add_sizes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--width", type=_positive, metavar="INCHES",
                        help="of every figure (default: as its content needs)")
    parser.add_argument("--font-size", type=_positive, default=10.0, metavar="POINTS",
                        help="of their type (default: 10)")


def _add_report(parser: argparse.ArgumentParser) -> None:
    _add_paths(parser)
    parser.add_argument("-o", "--out", "--output", dest="output", type=Path, metavar="FILE",
                        default=Path("report.html"),
                        help="the page to write (default: report.html)")
    parser.add_argument("--baseline", metavar="LABEL", help=_BASELINE)
    parser.add_argument("--figures", type=Path, metavar="FOLDER",
                        help="also draw the figures for papers here")
    parser.add_argument("--format", type=_formats, default=["png", "pdf"], metavar="NAMES",
                        help="of the figures, comma-separated: " + ", ".join(IMAGE_FORMATS))
    _add_sizes(parser)
    parser.set_defaults(act=_report)


def _add_figures(parser: argparse.ArgumentParser) -> None:
    _add_paths(parser)
    parser.add_argument("--only", metavar="NAMES",
                        help="comma-separated, of: " + ", ".join(FIGURES)
                             + " (default: all; timelines of few cells only)")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER",
                        help="where to write")
    parser.add_argument("--format", type=_formats, default=["png", "pdf"], metavar="NAMES",
                        help="comma-separated, of: " + ", ".join(IMAGE_FORMATS))
    _add_sizes(parser)
    parser.set_defaults(act=_figures)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", help=_PATHS)
    parser.add_argument("--to", required=True, choices=FORMATS, metavar="FORMAT",
                        help="; ".join(f"{name}: {format.summary}"
                                       for name, format in FORMATS.items()))
    parser.add_argument("--cell", metavar="CELL",
                        help="id of the cell, or its beginning, where there are several")
    parser.add_argument("-o", "--out", "--output", dest="output", type=Path, metavar="PATH",
                        help="file or folder to write (default: named after the cell)")
    parser.set_defaults(act=_export, measure="all")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mimus-results",
        description="Tables, statistics, figures and reports from Mimus result files.",
        epilog="example: mimus-results report mimus-results/quickstart -o report.html")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    tables = verbs.add_parser("tables", help="list the tables, print one, or write all as CSV")
    tables.add_argument("--table", help="print this table of all cells as CSV")
    tables.add_argument("--csv", type=Path, metavar="FOLDER", help="write every table as CSV")
    tables.set_defaults(act=_tables)
    metrics = verbs.add_parser("metrics", help="print the figures of all cells as tidy CSV")
    metrics.set_defaults(act=_metrics)
    intervals = verbs.add_parser("intervals", help="print means over repetitions with their "
                                                   "95 %% intervals, as CSV")
    intervals.add_argument("--metric", help="this one only, of: " + ", ".join(METRICS))
    intervals.set_defaults(act=_intervals)
    compare = verbs.add_parser("compare", help="compare labels on the same seeds, as CSV")
    compare.add_argument("--metric", default="jct_mean", help=", ".join(METRICS))
    compare.add_argument("--baseline", metavar="LABEL", help=_BASELINE)
    compare.set_defaults(act=_compare)
    published = verbs.add_parser("published", help="print figures beside those that the campaign's "
                                                   "key published names, as CSV")
    published.set_defaults(act=_published)
    for verb in (tables, metrics, intervals, compare, published):
        _add_paths(verb)
    _add_figures(verbs.add_parser("figures", help="draw figures as PNG, PDF or SVG"))
    _add_report(verbs.add_parser("report", help="write one self-contained HTML page"))
    _add_export(verbs.add_parser("export", help="write a cell for other programs"))
    return parser


def _list(campaign: Campaign) -> None:
    for cell in campaign.cells:
        print(f"{cell.path}: {cell.label}, repetition {cell.repetition}, {cell.status}")
        for name, frame in cell.tables.items():
            print(f"  {name:<12} {len(frame):>9} rows  {', '.join(frame.columns)}")


def _tables(arguments: argparse.Namespace, campaign: Campaign) -> None:
    names = list(dict.fromkeys(name for cell in campaign.cells for name in cell.tables))
    if arguments.table and arguments.table not in names:
        raise ReadError(f'unknown table "{arguments.table}"; recorded are: {", ".join(names)}')
    if arguments.csv:
        arguments.csv.mkdir(parents=True, exist_ok=True)
        for name in names:
            campaign.table(name).to_csv(arguments.csv / f"{name}.csv", index=False)
    elif arguments.table:
        campaign.table(arguments.table).to_csv(sys.stdout, index=False)
    else:
        _list(campaign)


def _metrics(_: argparse.Namespace, campaign: Campaign) -> None:
    campaign.metrics().to_csv(sys.stdout, index=False)


def _intervals(arguments: argparse.Namespace, campaign: Campaign) -> None:
    campaign.intervals(arguments.metric).to_csv(sys.stdout, index=False)


def _published(_: argparse.Namespace, campaign: Campaign) -> None:
    found = campaign.published()
    found.to_csv(sys.stdout, index=False)
    if found.empty:
        print("mimus-results: no complete cell has a published figure; campaigns name them under "
              "published: (docs/campaigns.md)", file=sys.stderr)


def _compare(arguments: argparse.Namespace, campaign: Campaign) -> None:
    found = campaign.compare(arguments.metric, arguments.baseline)
    found.to_csv(sys.stdout, index=False)
    if found.empty:
        known = campaign.intervals(arguments.metric)["label"].tolist()
        why = ("; has a job finished in a complete cell?" if not known else
               f" ({known[0]})" if len(known) == 1 else ", and no two of them ran the same jobs")
        print(f"mimus-results: nothing to compare: {len(known)} of {len(campaign.labels)} labels "
              f"have {arguments.metric}{why}", file=sys.stderr)


def _draw(campaign: Campaign, folder: Path, names: list[str] | None,
          arguments: argparse.Namespace) -> None:
    for name, drawing in draw(campaign.cells, folder, names, arguments.format, arguments.width,
                              arguments.font_size).items():
        for file in drawing.files:
            print(file)
        for note in drawing.notes:
            print(f"mimus-results: {name}: {note}", file=sys.stderr)


def _figures(arguments: argparse.Namespace, campaign: Campaign) -> None:
    names = arguments.only.split(",") if arguments.only else None
    for name in names or ():
        if name not in FIGURES:
            raise ReadError(f'unknown figure "{name}"; allowed: {", ".join(FIGURES)}')
    _draw(campaign, arguments.out, names, arguments)


def _report(arguments: argparse.Namespace, campaign: Campaign) -> None:
    from mimus_results import report  # tables need no templates
    print(report.write(campaign, arguments.output, arguments.baseline))
    if arguments.figures:
        _draw(campaign, arguments.figures, None, arguments)


def _export(arguments: argparse.Namespace, campaign: Campaign) -> None:
    cell = export.chosen(campaign.cells, arguments.cell)
    path = arguments.output or export.default_output(cell, arguments.to)
    for note in FORMATS[arguments.to].write(cell, path):
        print(f"mimus-results: {note}", file=sys.stderr)
    print(path)


def _loaded(paths: list[str], measure: str | None) -> Campaign:
    """Loads the campaign. Notes for the user go to stderr."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # printed as notes
        campaign = load(paths, measure)
    for note in campaign.notes:
        print(f"mimus-results: {note}", file=sys.stderr)
    return campaign


def _acted(arguments: argparse.Namespace) -> None:
    campaign = _loaded(arguments.paths, arguments.measure)
    try:
        arguments.act(arguments, campaign)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        unverified = [str(cell.path) for cell in campaign.cells if not cell.is_verified]
        if not unverified:
            raise
        raise ReadError(f"{type(error).__name__}: {error}; of these files without checksums one may "
                        f"be damaged, leave them out: {', '.join(unverified)}") from error


def _run(arguments: argparse.Namespace) -> int:
    try:
        _acted(arguments)
    except ReadError as error:
        print(f"mimus-results: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    return 0


def main(argv: list[str] | None = None) -> int:
    """Returns 0, 1 if a file cannot be read, or 2 for a wrong command line."""
    return _run(_parser().parse_args(argv))


def report_main(argv: list[str] | None = None) -> int:
    """`mimus-report`: the verb `report` as a separate command."""
    parser = argparse.ArgumentParser(
        prog="mimus-report", description="One self-contained HTML page about a campaign.",
        epilog="example: mimus-report mimus-results/quickstart -o report.html")
    _add_report(parser)
    return _run(parser.parse_args(argv))
