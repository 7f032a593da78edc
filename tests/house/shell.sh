#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell scripts parse and pass shellcheck. Skipped (77) where shellcheck is absent.
set -eu
cd "${1:-$(dirname "$0")/../..}"

if ! command -v shellcheck >/dev/null; then
  echo "skipped: no shellcheck"
  exit 77
fi
find . \( -name .git -o -name build -o -name 'build-*' -o -name mimus-results \) -prune -o \
  \( -name '*.sh' -o -name '*.bash' -o -name '*.sbatch' -o -path ./.ci/run \) -print0 |
  xargs -0 shellcheck --external-sources
