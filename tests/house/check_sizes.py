# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""No source over 300 lines, a README of at most 60 lines in every folder of the house."""

import tree

MAX_SOURCE_LINES = 300
MAX_README_LINES = 60
SOURCES = (".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".cmake", "CMakeLists.txt")


def problems(root):
    found = []
    for path in tree.files(root, SOURCES):
        lines = tree.read(root, path).count("\n")
        if lines > MAX_SOURCE_LINES:
            found.append(f"{path}: {lines} lines, at most {MAX_SOURCE_LINES}: which second "
                         "concept moved in?")
    for folder in (*tree.FOLDERS, "configs", "slurm", "tests"):
        found += _readme_problems(root, folder)
    return found


def _readme_problems(root, folder):
    readme = root / folder / "README.md"
    if not readme.exists():
        return [f"{folder}/README.md: missing; say what lives here and how to add one more"]
    lines = readme.read_text(encoding="utf-8").count("\n")
    if lines > MAX_README_LINES:
        return [f"{folder}/README.md: {lines} lines, at most {MAX_README_LINES}"]
    return []
