# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of made-up cells, as in every result file."""

import pandas as pd

from mimus_results.metrics import METRICS
from mimus_results.program import COLUMNS


def figures_of(**values):
    """The table `figures` with these values."""
    return pd.DataFrame([(name, float(value), METRICS[name].unit) for name, value in values.items()],
                        columns=COLUMNS["figures"])


def totals_of(**values):
    """The table `totals` with these values, over all rows."""
    return pd.DataFrame([(name, "all", float(value)) for name, value in values.items()],
                        columns=COLUMNS["totals"])


def with_counts(tables):
    """These tables, and without rows those of the counts that are not among them."""
    return {**{name: pd.DataFrame(columns=columns) for name, columns in COLUMNS.items()}, **tables}
