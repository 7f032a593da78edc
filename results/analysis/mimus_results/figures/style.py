# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What all figures share: sizes, colours that colour-blind people can tell apart, saving."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Collection, Iterable, NamedTuple

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.transforms import ScaledTranslation  # noqa: E402

from mimus_results.figures.units import energy_unit, time_unit, unit_of  # noqa: E402, F401

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
    """A fill for each name, the same for the same set of names. Hatched from the ninth on."""
    unique = sorted(set(names))
    return {name: {"facecolor": PALETTE[i % len(PALETTE)],
                   "hatch": HATCHES[i // len(PALETTE) % len(HATCHES)],
                   "edgecolor": "white"} for i, name in enumerate(unique)}


def ordered_fills(names: list[str]) -> dict[str, dict]:
    """Fills in the order of the names, which also differ in black and white."""
    return {name: {"facecolor": PALETTE[i % 6], "hatch": HATCHES[(i + i // 6) % len(HATCHES)],
                   "edgecolor": "white"} for i, name in enumerate(dict.fromkeys(names))}


def lines(names: Iterable[str]) -> dict[str, dict]:
    """Line styles in the order of the names, which also differ in black and white."""
    return {name: {"color": PALETTE[i % 6], "linestyle": LINES[(i + i // 6) % len(LINES)],
                   "linewidth": 1.6} for i, name in enumerate(dict.fromkeys(names))}


def line_key(line: dict) -> Line2D:
    """The line as it appears in a legend."""
    return Line2D([], [], **line)


def text_colour(background) -> str:
    """Black or white, whichever is more readable on `background`."""
    red, green, blue = to_rgb(background)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else "black"


class Drawing(NamedTuple):
    """The files of a figure, and notes for the reader, e.g. why a picture is missing."""

    files: list[Path]
    notes: list[str]


def skip(reason: str) -> Drawing:
    """Records why a picture is missing. A missing picture is better than an empty one."""
    return Drawing([], [reason])


class Settings(NamedTuple):
    """How figures are saved and what is marked in them; `width` in inches, `font_size` in
    points."""

    formats: tuple[str, ...] = ("png", "pdf")
    width: float | None = None
    font_size: float = 10.0
    late: Collection[str] = ()  # labels with a repetition whose host could not keep the pace
    measured: str = ""  # of the run; "" for the whole run


_settings = Settings()


def size(points: float) -> float:
    """The type size that corresponds to `points` at the base size of 10 points."""
    return points * _settings.font_size / 10


def marked(label: str) -> str:
    """The label, with a mark if one of its repetitions was late."""
    return f"{label} (late)" if label in _settings.late else label


def marked_name(name: str, labels: Iterable[str]) -> str:
    """A name that represents several labels, with a mark if one of them was late."""
    return f"{name} (late)" if any(marked(label) != label for label in labels) else name


def _inches(width: float, height: float) -> tuple[float, float]:
    """A natural size in inches: heights scale with the type, and the width is the requested one."""
    return _settings.width or size(width), size(height)


def figure(width: float = 7.2, height: float = 4.0):
    """A figure with one pair of axes; sizes in inches."""
    return plt.subplots(figsize=_inches(width, height), constrained_layout=True)


def figures(rows: int, columns: int, width: float, height: float, **options):
    """A figure with `rows` × `columns` pairs of axes of this size [inch] each."""
    return plt.subplots(rows, columns, figsize=_inches(width * columns, height * rows),
                        squeeze=False, constrained_layout=True, **options)


def columns_for(count: int, most: int) -> int:
    """The number of columns, about `most`, for this many panels, such that no row has a single
    panel."""
    if count <= most:
        return count
    return next((columns for columns in (*range(most, 1, -1), most + 1, most + 2)
                 if count % columns != 1), most)


def panels(count: int, width: float, height: float, most: int = 3, **options):
    """A figure with this many pairs of axes, with fewer columns if it is narrow."""
    if _settings.width:
        most = max(1, min(most, int(_settings.width / size(2.0))))
    columns = columns_for(count, most) if most > 1 else 1
    fig, axes = figures(-(-count // columns), columns, width, height, **options)
    for pair in list(axes.flat)[count:]:
        pair.set_visible(False)
    return fig, axes


def number(value: float) -> str:
    """Three significant digits, but all digits of the integer part."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def in_unit(value: float, unit: str) -> str:
    """A number whose unit is in the heading or on the axis. Shares have one decimal."""
    return f"{value:.1f}" if unit == "%" else number(value)


def duration(seconds: float) -> str:
    """A span in a common unit: "19 s", "5.6 d"."""
    if seconds <= 0:
        return "0"
    for longest, divisor, unit in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < longest:
            return f"{number(seconds / divisor)} {unit}"
    return f"{number(seconds / 86400)} d"


def log_axis(axes) -> None:
    """Makes the horizontal axis logarithmic, with plain numbers."""
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def label_bottom(axes, across: str) -> None:
    """Names the horizontal axis below the last pair of axes shown in each column of a grid."""
    for column in axes.T:
        shown = [pair for pair in column if pair.get_visible()]
        if shown:
            shown[-1].tick_params(labelbottom=True)
            shown[-1].set_xlabel(across)


def shorten(name: str, most: int = 28) -> str:
    """The name, shortened in the middle, because both ends distinguish cells."""
    if len(name) <= most:
        return name
    head = (most - 1) // 2
    return name[:head] + "…" + name[len(name) - (most - 1 - head):]


def legend_columns(labels: list[str], width: float) -> int:
    """The number of columns in which the labels fit into `width` inches, with rows as even as
    possible."""
    entry = size(0.083 * max(map(len, labels)) + 0.66)
    columns = max(1, min(len(labels), int((width + 0.28) / entry)))
    rows = -(-len(labels) // columns)
    return -(-len(labels) // rows)


def legend_below(axes, handles, labels, title: str | None = None) -> None:
    """A legend under the axes, in as many columns as fit."""
    if not labels:
        return
    columns = legend_columns(labels, axes.figure.get_size_inches()[0])
    # A fixed distance below the axes leaves room for ticks and their label at any height.
    below = axes.transAxes + ScaledTranslation(0, -size(0.55), axes.figure.dpi_scale_trans)
    axes.legend(handles, labels, title=title, loc="upper center", ncol=columns,
                bbox_to_anchor=(0.5, 0.0), bbox_transform=below, borderaxespad=0)


def legend_of_figure(fig, handles: Iterable, labels: Iterable[str]) -> None:
    """A legend for all pairs of axes, below them, in as many columns as fit."""
    labels = list(labels)
    width, height = fig.get_size_inches()
    columns = legend_columns(labels, width)
    rows = -(-len(labels) // columns)
    # The layout does not consider legends of figures, so it gets the space above this one.
    room = size(0.12 + 0.21 * rows)
    fig.set_size_inches(width, height + room)
    share = room / (height + room)
    fig.get_layout_engine().set(rect=(0, share, 1, 1 - share))
    fig.legend(list(handles), labels, loc="lower center", ncol=columns, borderaxespad=0.3)


# Metadata that would differ between two files of the same figure.
FORMATS = {"png": {"Software": None},
           "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
           "svg": {"Date": None, "Creator": None}}


@contextlib.contextmanager
def drawn_with(settings: Settings):
    """Context in which figures are drawn and saved with these settings."""
    global _settings
    before, _settings = _settings, settings
    try:
        with plt.rc_context({"font.size": size(10), "axes.titlesize": size(11)}):
            yield
    finally:
        _settings = before


@contextlib.contextmanager
def measured(window: str):
    """Context in which the title of each figure names this window, unless it is ""."""
    with drawn_with(_settings._replace(measured=window)):
        yield


def titled(title: str) -> str:
    """The title, with the measured window if it is not the whole run."""
    said = f"measured: {_settings.measured}" if _settings.measured else ""
    return "; ".join(filter(None, [title, said]))


def title_of_figure(fig, title: str = "") -> None:
    """Adds a title above all panels that names the measured window, if there is one."""
    if titled(title):
        fig.suptitle(titled(title), x=0.01, ha="left", fontsize=size(11))


def save(fig, folder: Path, name: str, notes: Iterable[str] = ()) -> Drawing:
    """Writes `name` in the requested formats. The same figure gives identical bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.{kind}" for kind in _settings.formats]
    for file, kind in zip(files, _settings.formats):
        fig.savefig(file, metadata=FORMATS[kind])
    plt.close(fig)
    return Drawing(files, list(notes))
