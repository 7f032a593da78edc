# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Functions of the batch scripts: run Mimus on the allocation, pass signals on, requeue the job.

# shellcheck source=slurm/env.sh disable=SC1091  # found when checked from the root
source "${MIMUS_SLURM:-slurm}/env.sh"
mimus="${MIMUS:-build/default/mimus}"
mimus_scratch="$(mktemp -d "${TMPDIR:-/tmp}/mimus-job-XXXXXX")"
# The check is needed because a background child that is killed before bash has reset its traps
# would run this trap, too.
trap '[[ $BASHPID != "$$" ]] || rm -rf "$mimus_scratch"' EXIT

# 75 (EX_TEMPFAIL): mimus was stopped on request, keeps complete cells and can be resumed.
mimus_interrupted=75

# mimus_run ARGUMENT...: `mimus run` on all ranks of the allocation. Ends the script with the exit
# code of the run, after a requeue if the run was interrupted by USR1.
mimus_run() {
  local code=0
  mimus_choose_launcher "$mimus_scratch"
  local command=("${mimus_launcher[@]}" "$mimus" run "$@")
  printf 'job %s, restart %s, nodes %s\n' "${SLURM_JOB_ID:-none}" "${SLURM_RESTART_COUNT:-0}" \
    "${SLURM_JOB_NODELIST:-none}"
  printf 'launch:%s\n' "$(printf ' %q' "${command[@]}")"
  if [[ -n "${DRY_RUN:-}" ]]; then exit 0; fi
  mimus_launch "${command[@]}" || code=$?
  if [[ $code -eq $mimus_interrupted && $mimus_asked == USR1 ]]; then mimus_requeue "$@"; fi
  if ((code > 128 || code == mimus_interrupted)) && [[ -z $mimus_asked ]] &&
    ! mimus_outlives_workers; then
    mimus_say_how_to_resume "$code"
  fi
  exit "$code"
}

# Runs a command as mimus_pass_signals_to does, and again if mpirun itself crashes. Open MPI 4.1 does so
# now and then when a rank of another host has died (1 of 37 runs): it relays the others' messages about
# that. All ranks end with it, and the next launch continues with the cells that are not complete.
mimus_launch() {
  local code launches=0
  while :; do
    code=0
    mimus_pass_signals_to "$@" || code=$?
    launches=$((launches + 1))
    if ((code != 128 + 6 && code != 128 + 11 || launches == 3)) || [[ -n $mimus_asked ]] ||
      ! mimus_outlives_workers; then
      return "$code"
    fi
    echo "mpirun has crashed (exit code $code); it is launched again for the cells that are left"
  done
}

# Slurm may end all ranks before one of them can report which one has died. Rank 0 then takes the
# signal for a request.
mimus_say_how_to_resume() {
  echo "the launcher has ended all ranks (exit code $1), as srun does when one has died: see above." \
    "Complete cells are kept: submit again to continue with the rest. With engine.on_lost_rank: continue a" \
    "run continues without the GPU of a rank that dies; it is then launched by mpirun."
}

# Runs a command in the background, so that this shell can receive a signal and pass it on, even a
# signal that comes before the command exists. Returns its exit code; mimus_asked is the last signal.
mimus_pass_signals_to() {
  local step="" code=0 signals=0 seen watcher
  local left="$mimus_scratch/exit-code"
  rm -f "$left"
  if [[ -n "${SLURM_HET_SIZE:-}" ]] || mimus_outlives_workers; then
    export MIMUS_EXIT_CODE_FILE="$left"
  fi
  mimus_asked=""
  trap 'mimus_asked=USR1 signals=$((signals + 1)); mimus_pass_on' USR1
  trap 'mimus_asked=TERM signals=$((signals + 1)); mimus_pass_on' TERM
  "$@" &
  step=$!
  if [[ -n $mimus_asked ]]; then mimus_pass_on; fi
  mimus_end_stuck_srun "$step" "$left" &
  watcher=$!
  while :; do
    seen=$signals
    wait "$step" && code=0 || code=$?
    # A signal ends the wait, not the command.
    if ((code <= 128 || signals == seen)); then break; fi
  done
  trap - USR1 TERM
  kill "$watcher" 2>/dev/null || true
  if [[ $code -eq $((128 + 9)) && -s $left ]]; then code="$(<"$left")"; fi
  if mimus_outlives_workers; then code="$(mimus_code_of_rank_0 "$code" "$left")"; fi
  # A launcher that gets the signal before it can forward it dies of it. Nothing has run yet then.
  if [[ $mimus_asked == USR1 && $code -eq $((128 + 10)) ]]; then code=$mimus_interrupted; fi
  return "$code"
}

# srun of a heterogeneous step may wait for ever for a thread of its PMIx plugin that has ended (Slurm
# 22.05: 2 of 14 runs). Rank 0, on the host of this script, writes its exit code to a file.
# $1: srun, $2: the file.
mimus_end_stuck_srun() {
  local grace="${MIMUS_SRUN_GRACE_S:-20}"
  [[ -n "${SLURM_HET_SIZE:-}" ]] || return 0
  until [[ -s $2 ]]; do sleep 1; done
  sleep "$grace"
  echo "srun has not ended $grace s after rank 0, which came to $(<"$2"); it is ended"
  kill -KILL "$1"
}

# An mpirun that lets ranks outlive others returns 0 whatever happens to them, or the code of the
# signal that ends it. $1: its exit code, $2: the file to which rank 0 writes its own.
mimus_code_of_rank_0() {
  if [[ -s $2 ]]; then
    cat "$2"
  elif (($1 == 0)); then
    echo "rank 0 has died without a report" >&2
    echo $((128 + 9))
  else
    echo "$1"
  fi
}

mimus_pass_on() {
  if [[ -n $step ]]; then kill -s "$mimus_asked" "$step" 2>/dev/null || true; fi
}

# Requeues the job, whose next start continues with the incomplete cells. If three starts in a row
# complete no cell, a cell needs more than the time limit. The job is then not requeued, and a message
# says so.
mimus_requeue() {
  [[ -n "${SLURM_JOB_ID:-}" ]] || return 0
  local due memory="${MIMUS_SLURM:-slurm}/requeued-$SLURM_JOB_ID" last_due=-1 fruitless=0
  due="$("$mimus" run "$@" --dry-run 2>/dev/null | wc -l)" || true
  if [[ -r $memory ]]; then read -r last_due fruitless <"$memory"; fi
  if ((due == last_due)); then fruitless=$((fruitless + 1)); else fruitless=0; fi
  if ((fruitless >= ${MIMUS_FRUITLESS_STARTS:-2})); then
    echo "not requeued: $((fruitless + 1)) starts completed no cell ($due are left). Raise" \
      "resources.walltime or engine.time_scale, then submit again; complete cells are kept."
    rm -f "$memory"
    return 0
  fi
  if ! echo "$due $fruitless" >"$memory"; then
    echo "not requeued: cannot write $memory"
    return 0
  fi
  echo "interrupted with $due cells left; back to the queue"
  scontrol requeue "$SLURM_JOB_ID"
}
