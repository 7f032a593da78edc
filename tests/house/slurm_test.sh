#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# The scripts of slurm/ against a Slurm of recorded calls: what they launch, that they pass signals
# on, and that they go back to the queue exactly when the run says that it can be resumed. Against a
# real Slurm: tests/slurm.
set -euo pipefail

root="$(cd "${1:-$(dirname "$0")/../..}" && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/slurm"
cp "$root"/slurm/*.sh "$scratch/slurm"
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

# Runs a batch script as Slurm would, with variables given as words before "--".
submit() {
  local variables=() script=campaign.sbatch
  while [[ $1 != -- ]]; do variables+=("$1") && shift; done
  shift
  if [[ ${1:-} == *.sbatch ]]; then script="$1" && shift; fi
  : >"$calls"
  env -u SLURM_ARRAY_TASK_ID -u MIMUS_LAUNCHER PATH="$scratch/bin:$PATH" MIMUS_SITE=none \
    SLURM_SUBMIT_DIR="$root" SLURM_NTASKS=5 SLURM_JOB_ID=42 TMPDIR="$scratch" \
    MIMUS_SLURM="$scratch/slurm" "${variables[@]}" \
    bash "$root/slurm/$script" "$@" >"$scratch/output" 2>&1 || return $?
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
expect 'dry run prints the launch line' "$code" 0 'launch: srun --mpi=pmix --cpus-per-task=1 --cpu-bind=none --kill-on-bad-exit=1 --ntasks=5 '
expect_not 'dry run launches nothing' 'mimus run'

code=0; submit DRY_RUN= -- a.yaml --rerun || code=$?
expect 'options are passed on' "$code" 0 'build/default/mimus run a.yaml --rerun'

code=0; submit SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=9 -- array.sbatch a.yaml || code=$?
expect 'an array task runs its share' "$code" 0 'run a.yaml --slice 8/9'

code=0
submit SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=1 MIMUS_ARRAY_TASKS=9 -- array.sbatch a.yaml ||
  code=$?
expect 'a task submitted again runs the same share' "$code" 0 'run a.yaml --slice 8/9'

code=0; submit SLURM_ARRAY_TASK_ID=7 -- a.yaml || code=$?
expect 'an array of the whole campaign is refused' "$code" 2 'slurm/array.sbatch'

# mpirun prints its hosts and starts a daemon on the last one.
components=(SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0=n2 SLURM_JOB_NODELIST_HET_GROUP_1=n1
  SLURM_NTASKS_PER_NODE_HET_GROUP_0=3 SLURM_NTASKS_PER_NODE_HET_GROUP_1=2)
# shellcheck disable=SC2016  # expanded by the commands
command_that scontrol 'echo "$3"'
# shellcheck disable=SC2016  # expanded by the commands
command_that mpirun 'cat "$4"; exec "${13}" n1 orted --daemon'
code=0; submit MIMUS_LAUNCHER=mpirun "${components[@]}" -- a.yaml || code=$?
expect 'mpirun gets the hosts of all components' "$code" 0 'n2 slots=3'
expect 'mpirun gets the hosts of all components' "$code" 0 'n1 slots=2'
expect 'daemons start in their component' "$code" 0 'srun --het-group=1 --nodelist=n1 '
expect 'daemons start in their component' "$code" 0 'bash -c orted --daemon'
command_that scontrol ''
command_that mpirun 'exit 0'

code=0; submit SLURM_HET_SIZE=2 -- a.yaml || code=$?
expect 'srun starts ranks on all components' "$code" 0 '--het-group=0-1'

# Nine ranks on two hosts: the rank that schedules and four workers, then four workers.
# shellcheck disable=SC2016  # expanded by the launcher
command_that scontrol '[ "$1" != show ] || printf "n0\nn1\n"'
# shellcheck disable=SC2016  # expanded by the launcher
command_that srun "$with_pmix"'; tr "\n" , <"$SLURM_HOSTFILE" >>"'"$calls"'"'
code=0; submit SLURM_JOB_NUM_NODES=2 SLURM_JOB_NODELIST=n[0-1] MIMUS_RANKS=9 -- a.yaml || code=$?
expect 'emulated nodes stay on one host' "$code" 0 'n0,n0,n0,n0,n0,n1,n1,n1,n1,'
code=0
submit SLURM_JOB_NUM_NODES=2 SLURM_JOB_NODELIST=n[0-1] MIMUS_RANKS=9 MIMUS_HOST_RANKS='3 6' -- a.yaml ||
  code=$?
expect 'hosts of unlike nodes have the ranks of their nodes' "$code" 0 'n0,n0,n0,n1,n1,n1,n1,n1,n1,'
# shellcheck disable=SC2016  # expanded by the launcher
command_that mpirun 'while [ "$1" != --hostfile ]; do shift; done; tr "\n" , <"$2" >>"'"$calls"'"'
code=0
submit SLURM_JOB_NUM_NODES=2 SLURM_JOB_NODELIST=n[0-1] MIMUS_RANKS=9 MIMUS_LAUNCHER=mpirun -- a.yaml ||
  code=$?
expect 'emulated nodes stay on one host under mpirun' "$code" 0 'n0 slots=5,n1 slots=4,'
command_that scontrol ''
command_that mpirun 'exit 0'

# PMIx of Slurm ends a step when a rank dies, and an mpirun that does not has no exit code of its own.
# shellcheck disable=SC2016  # expanded by the launcher
command_that mpirun 'echo 3 >"$MIMUS_EXIT_CODE_FILE"'
code=0; submit DRY_RUN= MIMUS_ON_LOST_RANK=continue -- a.yaml || code=$?
expect 'a run that outlives workers has the exit code of rank 0' "$code" 3 'mpirun -n 5 --enable-recovery'
command_that mpirun 'exit 0'
code=0; submit DRY_RUN= MIMUS_ON_LOST_RANK=continue -- a.yaml || code=$?
expect 'a rank 0 that says nothing has died' "$code" 137 'rank 0 has died without a report'

command_that srun "$with_pmix; exit 137"
code=0; submit DRY_RUN= -- a.yaml || code=$?
expect 'a step that Slurm has ended is explained' "$code" 137 'Complete cells are kept: submit again'
expect_not 'a rank that dies does not requeue' 'scontrol'

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

# The launcher signals the batch shell, its parent, as Slurm does before the time limit. Three cells
# are due, before and after: no start completes one.
printf '#!/bin/sh\nprintf "a\\nb\\nc\\n"\n' >"$scratch/bin/mimus"
chmod +x "$scratch/bin/mimus"
# shellcheck disable=SC2016  # expanded by the launcher
command_that mpirun 'trap "exit 75" USR1; kill -USR1 "$PPID"; while :; do sleep 0.05; done'
for start in 0 1; do
  code=0; submit MIMUS=mimus SLURM_RESTART_COUNT=$start -- a.yaml || code=$?
  expect "start $start: a signal reaches the run, which goes back" "$code" 75 'scontrol requeue 42'
done
code=0; submit MIMUS=mimus SLURM_RESTART_COUNT=2 -- a.yaml || code=$?
expect 'three starts that complete no cell are enough' "$code" 75 'not requeued: 3 starts'
expect_not 'three starts that complete no cell are enough' 'scontrol requeue'

# shellcheck disable=SC2016  # expanded by the launcher
command_that mpirun 'kill -USR1 "$PPID"; while :; do sleep 0.05; done'
code=0; submit MIMUS=mimus -- a.yaml || code=$?
expect 'a launcher that dies from the signal lost nothing' "$code" 75 'scontrol requeue 42'

# shellcheck disable=SC2016  # expanded by the launcher
command_that mpirun 'trap "exit 75" TERM; kill -TERM "$PPID"; while :; do sleep 0.05; done'
code=0; submit MIMUS=mimus -- a.yaml || code=$?
expect 'a cancelled job ends resumable' "$code" 75 'launch:'
expect_not 'a cancelled job stays out of the queue' 'scontrol requeue'

# A process without children is the end of it: what stops a cluster waits for this list.
sh -c 'sleep 60 & wait' &
parent=$!
until child="$(cat "/proc/$parent/task/$parent/children")" && [[ -n $child ]]; do sleep 0.05; done
# shellcheck disable=SC2016  # expanded by the inner shell
found="$(timeout 10 bash -c '. "$1"; descendants "$2"' - \
  "$root/slurm/local-cluster/daemons.sh" "$parent")" || found+=" and no end"
if [[ $found != "${child% }" ]]; then
  printf 'descendants of a process: %q (wanted %q)\n' "$found" "${child% }"
  failures=$((failures + 1))
fi
kill "$parent" "${child% }"

exit "$failures"
