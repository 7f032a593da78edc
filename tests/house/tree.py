# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The files of the source tree that the house checks read."""

import os
import re
from pathlib import Path

FOLDERS = ("base", "workloads", "kernels", "scheduler", "results", "emulator")
"""The house, ground floor first."""

_OUTSIDE = {".git", ".cache", ".venv", "__pycache__", "build", "mimus-results", "node_modules"}
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def files(root, suffixes, under=()):
    """Paths below `root` (relative, sorted) whose name ends in one of `suffixes`.

    `under` limits the search to these folders. Build trees and results are never entered.
    """
    found = []
    for start in [root / folder for folder in under] or [root]:
        for folder, folders, names in os.walk(start):
            folders[:] = [name for name in folders if _is_inside(Path(folder), name, root)]
            found += [Path(folder) / name for name in names if name.endswith(tuple(suffixes))]
    return sorted(path.relative_to(root) for path in found)


def _is_inside(folder, name, root):
    at_top = folder == root
    return name not in _OUTSIDE and not (at_top and name.startswith("build"))


def includes(text):
    """The `#include`s of a source text, as (line number, is quoted, path)."""
    return [
        (text.count("\n", 0, match.start(1)) + 1, match.group(1) == '"', match.group(2))
        for match in _INCLUDE.finditer(text)
    ]


def read(root, path):
    return (root / path).read_text(encoding="utf-8")
