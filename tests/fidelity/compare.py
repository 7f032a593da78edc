# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""compare.py REAL.json [SHARING=]PROFILE.h5...: the table of errors, real against synthetic.

Prints Markdown; writes DIR/fidelity.json, fidelity-solo.csv and fidelity-pairs.csv. Exit code 0
whenever there was something to compare, whatever the verdicts: they stand in the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from errors import Verdict, compare_pairs, compare_solo, judge_all
from measurements import Measurements, WrongSharing, joined, load_profile, load_real
from tables import report

MEMORIES = ("device", "reserved", "allocated")


def profile_argument(text: str) -> tuple[str, Path]:
    """"mps=profile.h5" or "profile.h5", whose pairs took turns."""
    sharing, equals, path = text.rpartition("=")
    return (sharing if equals else "time_slice", Path(path))


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="compare.py", description=__doc__)
    parser.add_argument("real", type=Path, metavar="REAL.json")
    parser.add_argument("profiles", type=profile_argument, nargs="+",
                        metavar="[SHARING=]PROFILE.h5",
                        help="profiles of mimus calibrate; mps= says that its pairs used MPS")
    parser.add_argument("--out", type=Path, default=Path("."), metavar="DIR")
    parser.add_argument("--memory", choices=MEMORIES, default="device",
                        help="which memory of the real jobs is held against memory_peak: all that "
                             "the process takes on the device, or what PyTorch has reserved or "
                             "allocated")
    return parser.parse_args(arguments)


def write(folder: Path, solo: pd.DataFrame, pairs: pd.DataFrame, verdicts: list[Verdict],
          real: Measurements) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    solo.to_csv(folder / "fidelity-solo.csv", index=False)
    pairs.to_csv(folder / "fidelity-pairs.csv", index=False)
    content = {"environment": real.environment, "notes": real.notes,
               "verdicts": [{**asdict(verdict), "verdict": verdict.verdict}
                            for verdict in verdicts],
               "solo": json.loads(solo.to_json(orient="records")),
               "pairs": json.loads(pairs.to_json(orient="records"))}
    for verdict in content["verdicts"]:
        if verdict["verdict"] == "not measured":
            verdict["reached"] = None  # JSON has no NaN
    (folder / "fidelity.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    real = load_real(options.real, options.memory)
    try:
        synthetic = joined([load_profile(path, sharing) for sharing, path in options.profiles])
    except WrongSharing as wrong:
        print(f"compare.py: {wrong}; say mps= before profiles under MPS and nothing before others",
              file=sys.stderr)
        return 1
    solo, pairs = compare_solo(real, synthetic), compare_pairs(real, synthetic)
    if not len(solo) and not len(pairs):
        print(f"compare.py: {options.real} holds no measurements", file=sys.stderr)
        return 1
    verdicts = judge_all(solo, pairs)
    write(options.out, solo, pairs, verdicts, real)
    print(report(solo, pairs, verdicts, real))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
