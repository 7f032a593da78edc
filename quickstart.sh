#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# From a fresh clone to a finished campaign with figures, without a GPU.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ./quickstart.sh [--clean]

Installs what is missing (Debian 12), builds Mimus into build/default, runs configs/quickstart.yaml
and writes its report and figures. Repeating it rebuilds what changed and keeps cells that are complete.

  --clean  remove the build and the results of the quickstart first
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")"
build=build/default
results=mimus-results/quickstart
started=$SECONDS

stage() { printf '\n== %s (at %d s)\n' "$*" "$((SECONDS - started))"; }

case "${1:-}" in
  "") ;;
  --clean) rm -rf "$build" "$results" ;;
  -h | --help) usage && exit 0 ;;
  *) printf 'quickstart: unknown argument "%s"\n' "$1" >&2 && usage >&2 && exit 2 ;;
esac

stage "Provide what Mimus needs"
./setup.sh run

stage "Build"
cuda=AUTO
nvidia-smi -L >/dev/null 2>&1 || cuda=OFF # nothing to run it on
cmake --preset default -D MIMUS_WITH_CUDA="$cuda"
cmake --build --preset default

stage "Run the campaign configs/quickstart.yaml"
"$build/mimus" run configs/quickstart.yaml --output "$results"

stage "One cell in full"
"$build/mimus" summary "$results" --cell 001

stage "Write the report, draw figures"
python="$(./setup.sh --python)"
PYTHONPATH=results/analysis "$python" -m mimus_results report "$results" \
  -o "$results/report.html" --figures "$results/figures"

stage "Done"
cat <<TEXT
results  $results/*.h5             one HDF5 file per cell; tables explained in docs/results.md
report   $results/report.html      open it in a browser
figures  $results/figures/
again    $build/mimus run configs/quickstart.yaml --rerun
next     $build/mimus --help       and the table of docs/README.md
TEXT
