#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Compares virtual runs of public traces with figures that independent programs print for them:
run_conformance.py MIMUS [--only TEXT] [--list].

Every case is one `mimus run` of a campaign written here, as a user would run it. Reads the traces
in MIMUS_SHARED (default: ../shared beside the project) and says "skipped: no shared data" when
they are not there (exit code 77).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import CASES

SKIPPED = 77
TIMEOUT_S = 300
PROJECT = Path(__file__).resolve().parents[2]


def shared_data():
    folder = os.environ.get("MIMUS_SHARED")
    return Path(folder) if folder else PROJECT.parent / "shared"


def run(mimus, case, folder):
    """The summary of the case as the command line prints it."""
    campaign = Path(folder) / f"{case.slug}.yaml"
    # JSON is YAML, so no other writer is needed.
    campaign.write_text(json.dumps(case.campaign()), encoding="utf-8")
    environment = {**os.environ, "MIMUS_SHARED": str(shared_data()), "NO_COLOR": "1"}
    command = [mimus, "run", str(campaign), "-q", "--json", "-o", str(Path(folder) / case.slug)]
    done = subprocess.run(command, env=environment, timeout=TIMEOUT_S, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
    return combined(json.loads(done.stdout)["cells"])


def combined(cells):
    """Means over the jobs of all cells, and sums. For one cell, its summary."""
    if len(cells) == 1:
        return cells[0]
    jobs = sum(cell["jobs_finished"] for cell in cells)
    means = {name: sum(cell[name] * cell["jobs_finished"] for cell in cells) / jobs
             for name in ("jct_mean_s", "queueing_mean_s")}
    return {**means, "preemptions": sum(cell["preemptions"] for cell in cells)}


def differences(case, summary):
    """One line per figure that differs from the printed one."""
    out = []
    for figure, printed in case.expected.items():
        value = summary[figure]
        if not printed.matches(value):
            out.append(f"{figure}: {value!r} instead of {printed}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mimus")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in case.name]
    if options.list:
        for case in cases:
            print(case.name)
        return 0
    if not shared_data().is_dir():
        print("skipped: no shared data")
        return SKIPPED
    failed = 0
    with tempfile.TemporaryDirectory(prefix="mimus-conformance-") as folder:
        for case in cases:
            try:
                wrong = differences(case, run(options.mimus, case, folder))
            except (RuntimeError, KeyError, subprocess.TimeoutExpired) as error:
                wrong = [f"{type(error).__name__}: {error}"]
            print(f"{'ok' if not wrong else 'FAILED':6} {case.name}", flush=True)
            for line in wrong:
                print(f"       {line}")
            failed += bool(wrong)
    print(f"{len(cases) - failed} of {len(cases)} agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
