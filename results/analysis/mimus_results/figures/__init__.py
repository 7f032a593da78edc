# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""One module per figure; each has `draw(cells, folder)`, which returns the files it wrote."""

from mimus_results.figures import goodput, interference, jct, queueing, timeline

FIGURES = {
    "timeline": timeline.draw,
    "jct": jct.draw,
    "interference": interference.draw,
    "goodput": goodput.draw,
    "queueing": queueing.draw,
}

__all__ = ["FIGURES"]
