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

say() { printf '\n== %s (at %d s)\n' "$1" "$SECONDS"; }

# configure_and_build PRESET [OPTIONS of cmake]
configure_and_build() {
  cmake --preset "$1" "${@:2}"
  cmake --build --preset "$1" --parallel "$jobs"
}

# The next preset is built beside the tests of the one before, which wait for ranks and daemons most of
# their time. At the lowest priority it takes nothing from those whose pace is measured.
building=''
begin_build() {
  set -m # a process group of its own, to be ended as a whole
  {
    renice -n 19 -p "$BASHPID"
    configure_and_build "$1"
  } >"build/$1.log" 2>&1 &
  building=$!
  set +m
}
finish_build() {
  local code=0
  wait "$building" || code=$?
  building=''
  say "build of $1"
  cat "build/$1.log"
  return "$code"
}
trap '[[ -z $building ]] || kill -- "-$building" 2>/dev/null || true' EXIT  # it may have ended

exec </dev/null
./setup.sh test
# Compiled as a whole, as default, asan and tsan are, a first build takes a quarter of the time. A folder
# that is there already stays as it is: another choice would compile everything anew.
whole=()
[[ -e build/$preset/CMakeCache.txt ]] ||
  whole=(-D MIMUS_PRECOMPILE=ON -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=0)
say "build of $preset"
configure_and_build "$preset" -D MIMUS_UNIT_TESTS="$unit_tests" "${whole[@]}"
for next in "${sanitizers[@]}" ''; do
  [[ -z $next ]] || begin_build "$next"
  say "tests of $preset"
  ctest --preset "$preset" --parallel $((2 * jobs))
  [[ -z $next ]] || finish_build "$next"
  preset="$next"
done
say "all passed"
