# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of `python3 -m mimus_results`."""

import sys

from mimus_results.cli import main

if __name__ == "__main__":
    sys.exit(main())
