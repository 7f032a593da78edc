# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py MODULE: runs its tests; exit code 77 if the module cannot be tested here."""

import sys
import unittest
from pathlib import Path


def main(module):
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    try:
        suite = unittest.defaultTestLoader.loadTestsFromName(module)
        result = unittest.TextTestRunner(verbosity=1).run(suite)
    except unittest.SkipTest as reason:
        print(reason)
        return 77
    skipped = len(result.skipped) == result.testsRun
    for _, reason in result.skipped:
        print(reason)
    return 1 if not result.wasSuccessful() else 77 if skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
