#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one check of the source tree: run.py sizes|floors|includes|words|links [ROOT].

Prints one line per problem; exit code 1 when there is any.
"""

import importlib
import sys
from pathlib import Path

CHECKS = ("sizes", "floors", "includes", "words", "links")


def main(arguments):
    if not arguments or arguments[0] not in CHECKS:
        print(f"usage: run.py {'|'.join(CHECKS)} [ROOT]", file=sys.stderr)
        return 2
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parents[2]
    found = importlib.import_module(f"check_{arguments[0]}").problems(root)
    for problem in found:
        print(problem)
    print(f"{arguments[0]}: {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
