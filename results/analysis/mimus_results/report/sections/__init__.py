# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""One module per section of the report; each has `section(facts)`, which returns a Section.

A section without data says why it has none.
"""

from mimus_results.report.sections import (allocation, batches, cells, comparison, decisions, devices,
                                           fairness, gpu_types, interference, jct, load, native,
                                           over_time, provenance, published, queueing, search, timeline)

#: In the order of the page.
SECTIONS = [cells.section, native.section, comparison.section, published.section, load.section,
            allocation.section,
            jct.section, queueing.section, gpu_types.section,
            fairness.section, timeline.section, over_time.section, devices.section,
            interference.section, batches.section, search.section, decisions.section, provenance.section]

__all__ = ["SECTIONS"]
