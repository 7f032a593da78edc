#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Scripts at the root refuse an unknown argument with exit code 2 before they do anything.
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 1

failures=0
for script in ./setup.sh ./quickstart.sh ./test.sh; do
  output="$("$script" --no-such-option 2>&1 </dev/null)"
  code=$?
  case "$code:$output" in
    2:*'unknown argument "--no-such-option"'*) ;;
    *)
      printf '%s --no-such-option: exit code %s, output:\n%s\n' "$script" "$code" "$output"
      failures=$((failures + 1))
      ;;
  esac
done
exit "$failures"
