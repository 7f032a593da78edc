#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Provides what Mimus needs, as listed in cmake/packages-debian.txt.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ./setup.sh [run|test] [--check]   provide the packages to run Mimus, or also to test it
       ./setup.sh --python               print the Python that the analysis should use

On Debian 12, as root or with passwordless sudo, missing packages are installed. Anywhere else the
script looks for each of them and says which are missing. Never asks anything; safe to repeat.

  run      build and run Mimus, make figures
  test     also build and run the tests and the checks of the sources (default)
  --check  install nothing, only look

exit codes: 0 all there, 2 wrong usage, 4 something is missing and could not be installed
TEXT
}

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
list="$root/cmake/packages-debian.txt"

say() { printf 'setup: %s\n' "$*"; }

# Rows "group package probe purpose..." of the wanted groups.
wanted_rows() {
  awk -v groups="$1" '
    BEGIN { wanted["run"] = wanted["extra"] = 1; if (groups == "test") wanted["test"] = wanted["check"] = 1 }
    $1 in wanted { $3 = ""; print }
  ' "$list"
}

is_pinned_debian() {
  local release
  release="$(awk '$1 == "release" { print $2 " " $3 }' "$list")"
  [[ -r /etc/os-release ]] || return 1
  # shellcheck disable=SC1091  # a file of the host
  [[ "$(. /etc/os-release && printf '%s %s' "${ID:-}" "${VERSION_ID:-}")" == "$release" ]]
}

# Wanted packages that dpkg does not have installed.
packages_not_installed() {
  local installed
  installed="$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | awk '$1 == "ii" { print $2 }')"
  wanted_rows "$1" | awk '{ print $2 }' | grep -vxF -f <(printf '%s\n' "$installed") || true
}

# Sets `as_root` to the words that run a command with root's rights; fails when there are none.
find_root_rights() {
  as_root=()
  [[ "$(id -u)" -eq 0 ]] && return 0
  command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
  as_root=(sudo -n)
}

install_packages() {
  say "installing $# Debian packages: $*"
  if "${as_root[@]}" apt-get update -qq </dev/null &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "$@" </dev/null; then
    say "done"
  else
    say "apt-get could not install them (its message stands above): is a Debian mirror reachable?"
    return 4
  fi
}

# The interpreter with the analysis libraries: Debian's own where it has them, because a python3
# that stands first in PATH (pyenv, conda) usually does not; else whatever python3 is.
find_python() {
  local candidate
  for candidate in "${MIMUS_PYTHON:-}" /usr/bin/python3 python3; do
    if [[ -n "$candidate" ]] &&
      "$candidate" -c 'import h5py, pandas, matplotlib, scipy, jinja2' >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  command -v python3 || printf 'python3\n'
}

# Prints the names among the arguments that find_package does not find.
cmake_packages_not_found() {
  local scratch name
  scratch="$(mktemp -d)"
  {
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(probe LANGUAGES C CXX)\n'
    for name in "$@"; do
      printf 'find_package(%s QUIET)\n' "$name"
      # shellcheck disable=SC2016  # expanded by CMake
      printf 'file(APPEND "${CMAKE_BINARY_DIR}/found" "%s=${%s_FOUND}\\n")\n' "$name" "$name"
    done
  } >"$scratch/CMakeLists.txt"
  (cd "$scratch" && cmake -Wno-dev -S . -B build >/dev/null 2>&1) || true
  for name in "$@"; do
    grep -qixE "$name=(true|1|on|yes)" "$scratch/build/found" 2>/dev/null ||
      printf '%s\n' "$name"
  done
  rm -rf "$scratch"
}

probe_succeeds() {
  local kind="${1%%:*}" name="${1#*:}"
  case "$kind" in
    command) command -v "$name" >/dev/null ;;
    file) [[ -e "$name" ]] ;;
    header) printf '#include <%s>\n' "$name" | c++ -std=c++20 -fsyntax-only -x c++ - 2>/dev/null ;;
    library) printf 'int main() {}' | c++ -x c++ - "-l$name" -o /dev/null 2>/dev/null ;;
    python) "$(find_python)" -c "import $name" >/dev/null 2>&1 ;;
    cmake) ! grep -qxF "$name" <<<"$not_found_by_cmake" ;;
    *) say "unknown probe \"$1\" in $list" && exit 2 ;;
  esac
}

# For systems whose package manager this script does not drive: looks for every item itself.
probe_all() {
  local group package probe purpose required=0 absent=''
  mapfile -t names < <(wanted_rows "$1" | awk '$3 ~ /^cmake:/ { print substr($3, 7) }')
  not_found_by_cmake="$(cmake_packages_not_found "${names[@]}")"
  while read -r group package probe purpose; do
    probe_succeeds "$probe" && continue
    [[ $group == check || $group == extra ]] && purpose+=" (optional)" || required=$((required + 1))
    absent+="$(printf '  %-22s %-26s %s' "$package" "$probe" "$purpose")"$'\n'
  done < <(wanted_rows "$1")
  if [[ -n $absent ]]; then
    say "missing (Debian package, what was looked for, used for):"
    printf '%s' "$absent"
  fi
  [[ $required -eq 0 ]] && return 0
  say "$required missing that Mimus needs. $(advice)"
  return 4
}

advice() {
  if is_pinned_debian; then
    printf 'Run this script as root or with sudo, or build them with Spack: slurm/README.md.'
  else
    printf 'Install them with this system'\''s package manager or modules, or with Spack: '
    printf 'spack env activate -d slurm && spack install (slurm/README.md).'
  fi
}

main() {
  local group=test check=no
  while [[ $# -gt 0 ]]; do
    case "$1" in
      run | test) group="$1" ;;
      --check) check=yes ;;
      --python) find_python && return 0 ;;
      -h | --help) usage && return 0 ;;
      *) printf 'setup: unknown argument "%s"\n' "$1" >&2 && usage >&2 && return 2 ;;
    esac
    shift
  done

  if is_pinned_debian; then
    local missing
    mapfile -t missing < <(packages_not_installed "$group")
    if [[ ${#missing[@]} -eq 0 ]]; then
      say "all $(wanted_rows "$group" | wc -l) Debian packages are installed"
      return 0
    fi
    if [[ $check == no ]] && find_root_rights; then
      install_packages "${missing[@]}"
      return
    fi
  fi
  say "looking for what Mimus needs"
  probe_all "$group"
  say "everything that is needed is there"
}

main "$@"
