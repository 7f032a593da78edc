# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""No words that mark unfinished work, no paths of one machine, a licence line on top."""

import re

import tree

SOURCES = (".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".sbatch")
TEXTS = SOURCES + (".md", ".yaml", ".yml", ".json", ".txt", ".cmake", ".toml")

UNFINISHED = re.compile(
    r"\b(TODO|FIXME|XXX|HACK)\b"
    r"|\b(?i:not (yet )?implemented|placeholder|stubs?|dummy|for now|simplified)\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(home|root|work|Users|mnt|scratch)/[\w.]")
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def problems(root):
    found = []
    for path in tree.files(root, TEXTS):
        if path.parts[:2] == ("tests", "house"):
            continue
        text = tree.read(root, path)
        is_source = path.name.endswith(SOURCES)
        for number, line in enumerate(text.splitlines(), start=1):
            found += _line_problems(f"{path}:{number}", line, is_source)
        if is_source and LICENCE not in "\n".join(text.splitlines()[:4]):
            found.append(f"{path}:1: no line \"{LICENCE}\"")
    return found


def _line_problems(where, line, is_source):
    found = []
    unfinished = UNFINISHED.search(line) if is_source else None
    if unfinished:
        found.append(f"{where}: \"{unfinished.group(0)}\" marks unfinished work")
    machine = MACHINE_PATH.search(line)
    if machine:
        found.append(f"{where}: \"{machine.group(0)}\" is a path of one machine")
    return found
