#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# slurm/campaign.sbatch against a Slurm of recorded calls: what it launches, that it passes signals
# on, and that it goes back to the queue exactly when the run says that it can be resumed.
set -euo pipefail

root="$(cd "${1:-$(dirname "$0")/../..}" && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
calls="$scratch/calls"
failures=0

# A command that records its arguments and then runs the given lines.
command_that() {
  printf '#!/bin/sh\nprintf "%%s\\n" "%s $*" >>"%s"\n%s\n' "$1" "$calls" "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

# shellcheck disable=SC2016  # expanded by the launcher
with_pmix='case "$1" in --mpi=list) echo "MPI plugin types are... none pmix"; exit 0 ;; esac'
# shellcheck disable=SC2016  # expanded by the launcher
without_pmix='case "$1" in --mpi=list) echo "MPI plugin types are... none pmi2"; exit 0 ;; esac'

# Runs the batch script as Slurm would, with variables given as words before "--".
submit() {
  local variables=()
  while [[ $1 != -- ]]; do variables+=("$1") && shift; done
  shift
  : >"$calls"
  env -u SLURM_ARRAY_TASK_ID -u MIMUS_LAUNCHER PATH="$scratch/bin:$PATH" MIMUS_SITE=none \
    SLURM_SUBMIT_DIR="$root" SLURM_NTASKS=5 SLURM_JOB_ID=42 "${variables[@]}" \
    bash "$root/slurm/campaign.sbatch" "$@" >"$scratch/output" 2>&1 || return $?
}

expect() {
  local what="$1" code="$2" wanted_code="$3" wanted_call="$4"
  if [[ $code -ne $wanted_code ]] || ! grep -qF -- "$wanted_call" "$calls" "$scratch/output"; then
    printf '%s: exit code %s (wanted %s), wanted in calls or output: %s\n' \
      "$what" "$code" "$wanted_code" "$wanted_call"
    cat "$calls" "$scratch/output"
    failures=$((failures + 1))
  fi
}

expect_not() {
  if grep -qF -- "$2" "$calls"; then
    printf '%s: unwanted call of %s\n' "$1" "$2"
    failures=$((failures + 1))
  fi
}

command_that scontrol ''
command_that mpirun 'exit 0'
command_that srun "$with_pmix"

code=0; submit DRY_RUN=1 -- a.yaml || code=$?
expect 'dry run prints the launch line' "$code" 0 'launch: srun --mpi=pmix --ntasks=5'
expect_not 'dry run launches nothing' 'mimus run'

code=0; submit DRY_RUN= -- a.yaml --rerun || code=$?
expect 'options are passed on' "$code" 0 'build/default/mimus run a.yaml --rerun'

code=0; submit SLURM_ARRAY_TASK_ID=7 -- a.yaml || code=$?
expect 'array task 7 runs the cells of point 7' "$code" 0 'run a.yaml --only 007-'

code=0; submit MIMUS_LAUNCHER=slurm -- a.yaml || code=$?
expect 'an unknown launcher is refused' "$code" 2 'allowed are srun and mpirun'

code=0; submit DRY_RUN= -- || code=$?
expect 'the campaign must be named' "$code" 2 'usage: sbatch'

command_that srun "$without_pmix"
code=0; submit DRY_RUN= -- a.yaml || code=$?
expect 'without PMIx mpirun launches' "$code" 0 'mpirun -n 5'
expect_not 'success does not requeue' 'scontrol'

command_that mpirun 'exit 3'
code=0; submit DRY_RUN= -- a.yaml || code=$?
expect 'a wrong configuration keeps its exit code' "$code" 3 'mpirun -n 5'
expect_not 'a wrong configuration does not requeue' 'scontrol'

# The launcher signals the batch shell, its parent, as Slurm does before the time limit.
# shellcheck disable=SC2016  # expanded by the launcher
command_that mpirun 'trap "exit 75" USR1; kill -USR1 "$PPID"; while :; do sleep 0.05; done'
code=0; submit DRY_RUN= -- a.yaml || code=$?
expect 'a signal reaches the run, which goes back to the queue' "$code" 75 'scontrol requeue 42'

exit "$failures"
