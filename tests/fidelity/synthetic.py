# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""synthetic.py --mimus PATH --out DIR: measures the synthetic twins with `mimus calibrate`.

One profile per model and precision, DIR/<precision>-<model>.h5, and one per way of sharing with the
pairs, DIR/pairs-<sharing>.h5. Profiles that are there already are kept.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from measurements import WrongSharing, check_sharing
from real import mps
from real.reference import Reference
from real.selection import Selection, add_options

BED = Path(__file__).resolve().parent / "twins" / "bed.yaml"


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="synthetic.py", description=__doc__)
    parser.add_argument("--mimus", default="mimus", metavar="PATH", help="the program")
    parser.add_argument("--out", type=Path, default=Path("fidelity"), metavar="DIR")
    parser.add_argument("--gpu", default="", metavar="NAME",
                        help="its name in `kernels/gpus.yaml`; found from nvidia-smi if not given")
    parser.add_argument("--convolutions", choices=("heuristic", "measured"), default="measured",
                        help="how their algorithms are chosen; the references measure them")
    add_options(parser)
    parser.add_argument("-n", "--dry-run", action="store_true", help="print the commands only")
    return parser.parse_args(arguments)


def gpu_name(product: str) -> str:
    """The name in kernels/gpus.yaml: H200 for "NVIDIA H200", RTX6000 for "Quadro RTX 6000"."""
    found = re.search(r"\b(RTX ?\d+(?: ?Ti)?|[A-Z]{1,2}\d{1,3}0?)\b", product)
    if found is None:
        raise SystemExit(f"synthetic.py: what GPU is '{product}'? Say --gpu NAME")
    name = found.group(1).replace(" ", "")
    return "A100-80" if name == "A100" and "80GB" in product else name


def installed_gpu() -> str:
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
                              capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"synthetic.py: nvidia-smi: {error}; say --gpu NAME") from None
    return gpu_name(done.stdout.splitlines()[0])


class Twins:
    """Runs the program on a testbed of one GPU of this type."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._selection = Selection(options)
        self._gpu = options.gpu or installed_gpu()
        self._failed = 0

    def alone(self, model: Reference, precision: str) -> None:
        self._calibrate(f"{precision}-{model.name}.h5", precision, [model],
                        self._selection.batches(model), [])

    def pairs(self, sharing: str) -> None:
        """Also measures their own batches alone, because `--batches` applies to every model that
        allows them."""
        models = self._selection.pair_models
        self._calibrate(f"pairs-{sharing}.h5", self._selection.pair_precision, models,
                        sorted({model.pair_batch for model in models}),
                        ["--pairs", "--set", f"engine.cuda.sharing={sharing}"])

    def all(self) -> int:
        """Returns the exit code: 1 if something is missing."""
        for precision in self._selection.precisions:
            for model in self._selection.models:
                self.alone(model, precision)
        for sharing in self._selection.sharing:
            try:
                if sharing == "mps" and not self._options.dry_run:
                    mps.check_installed()
                self.pairs(sharing)
            except mps.MpsUnavailable as error:
                print(f"synthetic.py: no pairs under {sharing}: {error}", file=sys.stderr)
            for ending in (".h5", ".h5.part"):
                self._check_sharing(self._options.out / f"pairs-{sharing}{ending}", sharing)
        return int(self._failed > 0)

    def _check_sharing(self, profile: Path, sharing: str) -> None:
        """If MPS did not serve, the program measures without it, which is not a twin."""
        try:
            if profile.exists():
                check_sharing(profile, sharing)
        except WrongSharing as wrong:
            self._failed += 1
            aside = profile.rename(profile.with_name(f"pairs-not-{sharing}"))
            print(f"synthetic.py: {wrong}; it is now {aside}", file=sys.stderr)

    def _calibrate(self, name: str, precision: str, models: list[Reference], batches: list[int],
                   extra: list[str]) -> None:
        profile = self._options.out / name
        if profile.exists():
            return
        command = [self._options.mimus, "calibrate", str(BED), "--device", "cuda",
                   "--gpu", self._gpu, "--models", ",".join(model.name for model in models),
                   "--batches", ",".join(str(batch) for batch in batches),
                   "--precision", precision, "--interval", "1%",
                   "--set", f"engine.cuda.launches={self._selection.launches}",
                   "--set", f"engine.cuda.convolutions={self._options.convolutions}", *extra,
                   "-o", str(profile)]
        print(" ".join(command), flush=True)
        if self._options.dry_run:
            return
        profile.parent.mkdir(parents=True, exist_ok=True)
        code = subprocess.run(command, check=False).returncode
        if code != 0:
            self._failed += 1
            print(f"synthetic.py: exit code {code}; {name} is missing", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(Twins(parse(sys.argv[1:])).all())
