# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page about a campaign: `write(campaign, path)`.

`page` puts together what the modules of `sections` say; `facts` reads what they all need, within
the bounds of `choose`; `svg` and `html` draw; `assets` holds the style sheet and the scripts.
"""

from mimus_results.report.page import build, write

__all__ = ["build", "write"]
