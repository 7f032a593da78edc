# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of result files."""


class ReadError(Exception):
    """A file that cannot be read. The message names it and the next step."""


#: The end of a message about a damaged file.
REMEDY = "restore it from a copy, or remove it and run its cell again"
