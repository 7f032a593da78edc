#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs fuzz targets one after the other and prints a row of figures for each.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/fuzz/run.sh BUILD SECONDS [TARGET...]

Runs the fuzz targets (all, or those named, such as helios or campaign) that are built in the folder
BUILD until each has used so many seconds of CPU. Inputs with new coverage are kept in
BUILD/fuzz/TARGET/found, so that the next run goes on from them; what crashed or hung lies in
BUILD/fuzz/TARGET beside the log. Exit code 1 when a target found something.
TEXT
}

[[ ${1:-} == -h || ${1:-} == --help ]] && usage && exit 0
[[ $# -ge 2 && $2 =~ ^[0-9]+$ ]] || { usage >&2 && exit 2; }
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
build="$1"
seconds="$2"
shift 2
targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
  for program in "$build"/tests/fuzz/fuzz_*; do
    [[ -x $program && -f $program ]] && targets+=("${program##*/fuzz_}")
  done
fi
[[ ${#targets[@]} -gt 0 ]] || { echo "no targets in $build: build the target fuzz" >&2 && exit 4; }

# The last number behind a word in libFuzzer's progress: "cov: 4711 ft: 10000".
last() { grep -oE "$1 [0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo 0; }

# Whole seconds of CPU that ended children of this shell have used.
cpu_seconds() { awk -v ticks="$(getconf CLK_TCK)" '{ print int(($16 + $17) / ticks) }' "/proc/$$/stat"; }

# Fuzzes for a minute of wall time; false when something was found.
fuzz_a_minute() {
  "$build/tests/fuzz/fuzz_$1" -dict="$dictionary" -max_len=4000 -timeout=300 -max_total_time=60 \
    -print_final_stats=1 -artifact_prefix="$folder/" \
    "$folder/found" "$here/corpus/$1" >"$folder/log" 2>&1
}

fuzz() {
  local target="$1" result=clean executed=0 begin spent=0
  folder="$build/fuzz/$target"
  dictionary="$here/traces.dict"
  [[ -f "$here/$target.dict" ]] && dictionary="$here/$target.dict"
  mkdir -p "$folder/found"
  begin="$(cpu_seconds)"
  while [[ $result == clean && $spent -lt $seconds ]]; do
    fuzz_a_minute "$target" || result="found, see $folder/log"
    executed=$((executed + $(last number_of_executed_units: "$folder/log")))
    spent=$(($(cpu_seconds) - begin))
  done
  printf '| %s | %d | %d | %d | %d | %d | %s |\n' "$target" "$spent" "$executed" \
    "$(last cov: "$folder/log")" "$(last ft: "$folder/log")" "$(last corp: "$folder/log")" "$result"
  [[ $result == clean ]]
}

found=0
echo '| target | CPU s | executions | edges | features | inputs kept | result |'
echo '|---|---|---|---|---|---|---|'
for target in "${targets[@]}"; do
  fuzz "$target" || found=1
done
exit "$found"
