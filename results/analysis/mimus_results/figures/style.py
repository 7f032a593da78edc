# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What all figures share: sizes, colours that colour-blind people can tell apart, saving."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Iterable, NamedTuple

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import NullFormatter  # noqa: E402
from matplotlib.transforms import ScaledTranslation  # noqa: E402

# Okabe & Ito (2008), "Color Universal Design", without black.
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]
HATCHES = ["", "///", "...", "xxx"]
LINES = ["-", "--", "-.", ":"]

plt.rcParams.update({
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "mimus",
    "svg.fonttype": "none",
})


def fills(names: Iterable[str]) -> dict[str, dict]:
    """A fill for each name, the same for the same set of names; hatched after eight."""
    unique = sorted(set(names))
    return {name: {"facecolor": PALETTE[i % len(PALETTE)],
                   "hatch": HATCHES[i // len(PALETTE) % len(HATCHES)],
                   "edgecolor": "white"} for i, name in enumerate(unique)}


def lines(names: Iterable[str]) -> dict[str, dict]:
    """A line for each name, in their order, that also differs in black and white."""
    return {name: {"color": PALETTE[i % 6], "linestyle": LINES[(i + i // 6) % len(LINES)],
                   "linewidth": 1.6} for i, name in enumerate(dict.fromkeys(names))}


def line_key(line: dict) -> Line2D:
    """The line as it stands in a legend."""
    return Line2D([], [], **line)


def text_colour(background) -> str:
    """Black or white, whichever reads better on `background`."""
    red, green, blue = to_rgb(background)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else "black"


class Drawing(NamedTuple):
    """The files of a figure, and what the reader must know: why a picture is missing, say."""

    files: list[Path]
    notes: list[str]


def skip(reason: str) -> Drawing:
    """No picture is better than an empty one."""
    return Drawing([], [reason])


def figure(width: float = 7.2, height: float = 4.0):
    """A figure with one pair of axes; sizes in inches."""
    return plt.subplots(figsize=(width, height), constrained_layout=True)


def figures(rows: int, columns: int, width: float, height: float, **options):
    """A figure with `rows` × `columns` pairs of axes of this size each."""
    return plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False,
                        constrained_layout=True, **options)


def time_unit(longest: float) -> tuple[float, str]:
    """Seconds per unit, and the unit, in which spans of up to `longest` seconds read well."""
    if longest < 7200:
        return 1.0, "s"
    return (3600.0, "h") if longest < 96 * 3600 else (86400.0, "d")


def number(value: float) -> str:
    """Three significant digits, and all of the integer."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def duration(seconds: float) -> str:
    """A span in the unit in which people say it: "19 s", "5.6 d"."""
    if seconds <= 0:
        return "0"
    for longest, divisor, unit in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < longest:
            return f"{number(seconds / divisor)} {unit}"
    return f"{number(seconds / 86400)} d"


def bar_text(seconds: float, unit: str) -> str:
    """What stands behind a bar on an axis of that unit: short spans in a smaller one."""
    return f"{number(seconds)} s" if unit == "s" and seconds > 0 else duration(seconds)


# Where a logarithmic axis of times has its numbers [s].
LOG_TIMES = {0.001: "1 ms", 0.01: "10 ms", 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min",
             600: "10 min", 3600: "1 h", 86400: "1 d", 864000: "10 d", 8640000: "100 d"}


def log_time_axis(axes, least: float, most: float) -> None:
    """Makes the horizontal axis logarithmic, in seconds, with the numbers that people use."""
    axes.set_xscale("log")
    ticks = {time: text for time, text in LOG_TIMES.items() if least <= time <= most}
    if len(ticks) >= 2:
        axes.set_xticks(list(ticks), ticks.values())
        axes.xaxis.set_minor_formatter(NullFormatter())


def label_bottom(axes, across: str) -> None:
    """Names the horizontal axis below the last pair of axes shown in each column of a grid."""
    for column in axes.T:
        shown = [pair for pair in column if pair.get_visible()]
        if shown:
            shown[-1].tick_params(labelbottom=True)
            shown[-1].set_xlabel(across)


def shorten(name: str, most: int = 28) -> str:
    """The name cut in the middle: both ends tell cells apart."""
    if len(name) <= most:
        return name
    head = (most - 1) // 2
    return name[:head] + "…" + name[len(name) - (most - 1 - head):]


def legend_columns(labels: list[str], width: float) -> int:
    """In how many columns the labels fit into `width` inches, with rows as even as can be."""
    entry = 0.083 * max(map(len, labels)) + 0.66
    columns = max(1, min(len(labels), int((width + 0.28) / entry)))
    rows = -(-len(labels) // columns)
    return -(-len(labels) // rows)


def legend_below(axes, handles, labels, title: str | None = None) -> None:
    """A legend under the axes, in as many columns as fit."""
    if not labels:
        return
    columns = legend_columns(labels, axes.figure.get_size_inches()[0])
    # A fixed distance below the axes leaves room for ticks and their label at every height.
    below = axes.transAxes + ScaledTranslation(0, -0.55, axes.figure.dpi_scale_trans)
    axes.legend(handles, labels, title=title, loc="upper center", ncol=columns,
                bbox_to_anchor=(0.5, 0.0), bbox_transform=below, borderaxespad=0)


def legend_of_figure(fig, handles: Iterable, labels: Iterable[str]) -> None:
    """A legend for all pairs of axes, below them, in as many columns as fit."""
    labels = list(labels)
    width, height = fig.get_size_inches()
    columns = legend_columns(labels, width)
    rows = -(-len(labels) // columns)
    # The layout knows nothing of legends of figures: it gets what is left above this one.
    room = 0.12 + 0.21 * rows
    fig.set_size_inches(width, height + room)
    share = room / (height + room)
    fig.get_layout_engine().set(rect=(0, share, 1, 1 - share))
    fig.legend(list(handles), labels, loc="lower center", ncol=columns, borderaxespad=0.3)


# What would make two files of the same figure differ.
FORMATS = {"png": {"Software": None},
           "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
           "svg": {"Date": None, "Creator": None}}
_formats = ["png", "pdf"]


@contextlib.contextmanager
def written_as(formats: Iterable[str]):
    """Within, figures are saved in these formats, names of FORMATS."""
    global _formats
    before, _formats = _formats, list(formats)
    try:
        yield
    finally:
        _formats = before


def save(fig, folder: Path, name: str, notes: Iterable[str] = ()) -> Drawing:
    """Writes `name` in the formats wanted, byte for byte the same for the same figure."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.{kind}" for kind in _formats]
    for file, kind in zip(files, _formats):
        fig.savefig(file, metadata=FORMATS[kind])
    plt.close(fig)
    return Drawing(files, list(notes))
