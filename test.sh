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
sanitizers (asan) and the concurrent ones under the thread sanitizer (tsan). The last two run beside
the first; their output is in build/sanitizers.log, and comes last.

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

# Sanitizers are built and run beside the tests of the whole program, which wait for ranks and daemons most
# of their time. At the lowest priority they take nothing from those whose pace is measured.
sanitizing=''
begin_sanitizing() {
  mkdir -p build
  set -m # a process group of its own, to be ended as a whole
  {
    renice -n 19 -p "$BASHPID"
    for sanitizer in "${sanitizers[@]}"; do
      say "build of $sanitizer"
      configure_and_build "$sanitizer"
      say "tests of $sanitizer"
      ctest --preset "$sanitizer" --parallel "$jobs"
    done
  } >build/sanitizers.log 2>&1 &
  sanitizing=$!
  set +m
}
finish_sanitizing() {
  local code=0
  say "waiting for the sanitizers"
  wait "$sanitizing" || code=$?
  sanitizing=''
  cat build/sanitizers.log
  return "$code"
}
trap '[[ -z $sanitizing ]] || kill -- "-$sanitizing" 2>/dev/null || true' EXIT  # it may have ended

exec </dev/null
./setup.sh test
# Compiled 64 sources at a time, as default, asan and tsan are, a first build takes a quarter of the time. A folder
# that is there already stays as it is: another choice would compile everything anew.
whole=()
[[ -e build/$preset/CMakeCache.txt ]] ||
  whole=(-D MIMUS_PRECOMPILE=ON -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=64
    -D CMAKE_CXX_FLAGS=--param=ggc-min-heapsize=4000000) # GCC tidies its memory for a tenth of its time
say "build of $preset"
configure_and_build "$preset" -D MIMUS_UNIT_TESTS="$unit_tests" "${whole[@]}"
((${#sanitizers[@]} == 0)) || begin_sanitizing
say "tests of $preset"
ctest --preset "$preset" --parallel $((2 * jobs))
[[ -z $sanitizing ]] || finish_sanitizing
say "all passed"
