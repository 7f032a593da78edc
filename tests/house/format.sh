#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Sources are formatted as .clang-format says, by the version that Debian 12 ships: other versions
# break lines elsewhere. Skipped (77) where that version is absent.
set -eu
cd "${1:-$(dirname "$0")/../..}"

formatter=clang-format-14
command -v "$formatter" >/dev/null || formatter=clang-format
case "$("$formatter" --version 2>/dev/null)" in
  *"version 14."*) ;;
  *)
    echo "skipped: no clang-format 14"
    exit 77
    ;;
esac

unformatted="$(
  find base workloads kernels scheduler results emulator tests bench \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 2>/dev/null |
    xargs -0 "$formatter" --dry-run 2>&1 | sed -n 's/^\([^ :]*\):[0-9].*Wclang-format.*/\1/p' | sort -u
)"
[ -z "$unformatted" ] && exit 0
printf 'not formatted; run %s -i on\n%s\n' "$formatter" "$unformatted"
exit 1
