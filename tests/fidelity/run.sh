#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares Mimus' synthetic training jobs with real ones on the GPU of this machine.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/fidelity/run.sh [--mimus PATH] [--out DIR] [--models A,B] [--precisions P,Q]
                             [--pairs time_slice,mps] [--launches graph|eager] [--gpu NAME]
                             [--reference FILE] [--convolutions heuristic|measured] [--quick]

Measures real PyTorch models and their synthetic twins, alone and in pairs, and prints the table of
errors as Markdown; DIR (fidelity) then also holds real.json, the profiles, fidelity.json and the
tables as CSV. Started again with the same DIR it goes on where it was; --pairs '' leaves the pairs
out. With --reference the real models are not run: FILE has what was measured of them on such a GPU,
as measured/h100.json. Algorithms of convolutions are measured on both sides; --convolutions
heuristic lets the twins trust cuDNN. MIMUS_PYTHON names the Python with torch, numpy, h5py and
pandas (python3).
TEXT
}

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="${MIMUS_PYTHON:-python3}"
mimus=mimus
out=fidelity
reference=''
both=()   # options of both sides
twins=()  # of the synthetic one
while [[ $# -gt 0 ]]; do
  case "$1" in
    -h | --help) usage && exit 0 ;;
    --quick) both+=(--quick) && shift ;;
    --mimus | --out | --models | --precisions | --pairs | --launches | --gpu | --reference | \
      --convolutions)
      [[ $# -ge 2 ]] || { usage >&2 && exit 2; }
      case "$1" in
        --mimus) mimus="$2" ;;
        --out) out="$2" ;;
        --gpu | --convolutions) twins+=("$1" "$2") ;;
        --reference) reference="$2" ;;
        *) both+=("$1" "$2") ;;
      esac
      shift 2
      ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ -z $reference || -f $reference ]] || { echo "run.sh: no file $reference" >&2 && exit 4; }
command -v "$mimus" >/dev/null || { echo "run.sh: no program $mimus; say --mimus PATH" >&2 && exit 4; }

export PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
[[ -n $reference ]] || "$python" -m real --out "$out" "${both[@]}"
"$python" "$here/synthetic.py" --mimus "$mimus" --out "$out/twins" "${twins[@]}" "${both[@]}" ||
  echo "run.sh: the table lacks what could not be measured" >&2

profiles=()
# Those of pairs first, because of a job alone the last counts: under MPS it is another measurement.
# A part: some measurement failed.
for profile in "$out"/twins/pairs-*.h5* "$out"/twins/[!p]*.h5 "$out"/twins/[!p]*.h5.part; do
  [[ -f $profile ]] || continue
  case "$profile" in
    *pairs-mps.h5*) profiles+=("mps=$profile") ;;
    *) profiles+=("$profile") ;;
  esac
done
[[ ${#profiles[@]} -gt 0 ]] || { echo "run.sh: no profile in $out/twins" >&2 && exit 1; }
mkdir -p "$out"
"$python" "$here/compare.py" "${reference:-$out/real.json}" "${profiles[@]}" --memory reserved --out "$out" | tee "$out/fidelity.md"
