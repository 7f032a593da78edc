#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Every test that needs no GPU, from a fresh clone on.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ./test.sh [--quick]

Builds with warnings as errors and runs every test that needs no GPU: those of the whole program
(preset cuda where nvcc is, else dev), then the unit tests under the address and undefined-behaviour
sanitizers (asan) and the concurrent ones under the thread sanitizer (tsan). Stops at the first of
the three that fails.

  --quick  all tests in the first of the three, without sanitizers
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")"
sanitizers=(asan tsan)
# Compiling them twice would take a third of the time; the sanitizers see more than none.
unit_tests=OFF
jobs="$(nproc)"
preset=dev
[[ -z "$(command -v nvcc)" ]] || preset=cuda

case "${1:-}" in
  "") ;;
  --quick) sanitizers=() unit_tests=ON ;;
  -h | --help) usage && exit 0 ;;
  *) printf 'test: unknown argument "%s"\n' "$1" >&2 && usage >&2 && exit 2 ;;
esac

build_and_test() {
  local preset="$1" options=("${@:2}")
  printf '\n== %s (at %d s)\n' "$preset" "$SECONDS"
  cmake --preset "$preset" "${options[@]}"
  cmake --build --preset "$preset" --parallel "$jobs"
  ctest --preset "$preset" --parallel "$jobs"
}

exec </dev/null
./setup.sh test
# Compiled as a whole, as default, asan and tsan are, a first build takes a quarter of the time. A folder
# that is there already stays as it is: another choice would compile everything anew.
whole=()
[[ -e build/$preset/CMakeCache.txt ]] ||
  whole=(-D MIMUS_PRECOMPILE=ON -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=0)
build_and_test "$preset" -D MIMUS_UNIT_TESTS="$unit_tests" "${whole[@]}"
for preset in "${sanitizers[@]}"; do
  build_and_test "$preset"
done
printf '\n== all passed (%d s)\n' "$SECONDS"
