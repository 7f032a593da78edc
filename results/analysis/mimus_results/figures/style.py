# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What all figures share: sizes, colours that colour-blind people can tell apart, saving."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable, Iterator

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
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
})


def fills(names: Iterable[str]) -> dict[str, dict]:
    """A fill for each name, the same for the same set of names; hatched after eight."""
    unique = sorted(set(names))
    return {name: {"facecolor": PALETTE[i % len(PALETTE)],
                   "hatch": HATCHES[i // len(PALETTE) % len(HATCHES)],
                   "edgecolor": "white"} for i, name in enumerate(unique)}


def lines() -> Iterator[dict]:
    """Line styles that also differ in black and white."""
    i = 0
    while True:
        yield {"color": PALETTE[i % 6], "linestyle": LINES[i % len(LINES)], "linewidth": 1.8}
        i += 1


def text_colour(background) -> str:
    """Black or white, whichever reads better on `background`."""
    red, green, blue = to_rgb(background)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else "black"


def figure(width: float = 7.2, height: float = 4.0):
    """A figure with one pair of axes; sizes in inches."""
    return plt.subplots(figsize=(width, height), constrained_layout=True)


def note(axes, text: str) -> None:
    """Says in the middle of empty axes why they are empty."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center",
              color="#555555", wrap=True)


def legend_below(axes, handles, labels, title: str | None = None) -> None:
    """A legend under the axes, in as many columns as fit."""
    if not labels:
        return
    inches = axes.figure.get_size_inches()
    longest = max(len(label) for label in labels)
    columns = max(1, min(len(labels), int(inches[0] * 11 / (longest + 6))))
    # A fixed distance below the axes leaves room for ticks and their label at every height.
    below = axes.transAxes + ScaledTranslation(0, -0.55, axes.figure.dpi_scale_trans)
    axes.legend(handles, labels, title=title, loc="upper center", ncol=columns,
                bbox_to_anchor=(0.5, 0.0), bbox_transform=below, borderaxespad=0)


def save(fig, folder: Path, name: str) -> list[Path]:
    """Writes `name` as PNG and PDF, byte for byte the same for the same figure."""
    folder.mkdir(parents=True, exist_ok=True)
    png, pdf = folder / f"{name}.png", folder / f"{name}.pdf"
    fig.savefig(png, metadata={"Software": None})
    fig.savefig(pdf, metadata={"CreationDate": None, "Producer": None, "Creator": None})
    plt.close(fig)
    return [png, pdf]
