# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tables and figures from Mimus result files."""

from mimus_results.read import Cell, ReadError, load, load_all, table

__all__ = ["Cell", "ReadError", "load", "load_all", "table"]
