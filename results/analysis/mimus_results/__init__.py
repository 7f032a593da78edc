# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tables, statistics, figures and reports from Mimus result files.

    import mimus_results
    campaign = mimus_results.load("mimus-results/quickstart")
    campaign.metrics()                # tidy: one row per cell and metric
    campaign.intervals("jct_mean")    # means over repetitions with their intervals
    campaign.compare("jct_mean")      # pairs of policies on the same seeds
"""

from mimus_results.campaign import Campaign, load
from mimus_results.metrics import METRICS
from mimus_results.read import Cell, ReadError, load_all, load_cell
from mimus_results.tidy import table

__version__ = "0.1.0"

__all__ = ["Campaign", "Cell", "METRICS", "ReadError", "load", "load_all", "load_cell", "table"]
