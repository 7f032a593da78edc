# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the links between the documents lead somewhere."""

import re

import tree

_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def problems(root):
    found = []
    for path in tree.files(root, (".md",)):
        text = _FENCE.sub("", tree.read(root, path))
        for target in _LINK.findall(text):
            if "://" not in target and not (root / path.parent / target).exists():
                found.append(f"{path}: link to {target}: no such file")
    return found
