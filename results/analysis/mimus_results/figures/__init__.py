# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""One module per figure; each has `draw(cells, folder)`, which returns the files it wrote and notes
on what it left out."""

from mimus_results.figures import (comparison, goodput, interference, jct, queueing,
                                   queueing_by_gang, timeline, utilisation)

FIGURES = {
    "comparison": comparison.draw,
    "jct": jct.draw,
    "queueing": queueing.draw,
    "queueing_by_gang": queueing_by_gang.draw,
    "utilisation": utilisation.draw,
    "interference": interference.draw,
    "goodput": goodput.draw,
    "timeline": timeline.draw,
}

__all__ = ["FIGURES"]
