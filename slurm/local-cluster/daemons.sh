# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Part of local-cluster.sh: starts, watches and stops the daemons. Uses its variables.
# shellcheck disable=SC2154  # set by parse_options

# Words that run a command under a separate host name; none if the kernel does not allow it.
as_named_host() {
  if [[ $(id -u) -eq 0 ]]; then
    echo unshare --uts
  else
    echo unshare --user --map-current-user --keep-caps --uts
  fi
}

nodes_can_have_names() {
  # shellcheck disable=SC2046  # several words on purpose
  [[ $network == yes ]] || $(as_named_host) hostname node0 2>/dev/null
}

munge_works() {
  munge --no-input --socket="$folder/run/munge.socket" |
    unmunge --socket="$folder/run/munge.socket"
}

controller_answers() { timeout 10 scontrol ping | grep -q 'is UP'; }

start_munged() {
  munged --force --key-file="$folder/munge.key" --socket="$folder/run/munge.socket" \
    --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" \
    --seed-file="$folder/run/munged.seed" 9>&- 2>>"$folder/log/munged.log" ||
    die 4 "munged does not start here; see $folder/log/munged.log"
  wait_for 20 'munge key' "$folder/log/munged.log" munge_works
}

# start_slurmd NODE: starts it in its namespace, under its own host name if possible.
start_slurmd() {
  local node="$1" prefix=()
  # shellcheck disable=SC2016  # for the inner shell
  local named=(sh -c 'hostname "$1" && shift && exec "$@"' sh "$node")
  if [[ $network == yes ]]; then prefix=(nsenter "--net=$(namespace_path "$node")"); fi
  if nodes_can_have_names; then
    # shellcheck disable=SC2207  # words without blanks
    prefix+=($(as_named_host) "${named[@]}")
  fi
  "${prefix[@]}" slurmd -N "$node" -f "$SLURM_CONF" 9>&- >>"$folder/log/slurmd.$node.log" 2>&1 ||
    die 4 "slurmd of $node does not start here; see $folder/log/slurmd.$node.log"
}

all_nodes_idle() {
  [[ $(sinfo --noheader --Node --states=idle --format=%N | sort -u | wc -l) -eq $nodes ]]
}

start_daemons() {
  local node
  start_munged
  slurmctld -c -f "$SLURM_CONF" 9>&- >>"$folder/log/slurmctld.log" 2>&1 ||
    die 4 "slurmctld does not start here; see $folder/log/slurmctld.log"
  wait_for 30 'controller' "$folder/log/slurmctld.log" controller_answers
  for node in $(node_names); do start_slurmd "$node"; done
  wait_for 60 'nodes idle' "$folder/log/slurmctld.log" all_nodes_idle
  # Only a job on all nodes shows that jobs can start.
  timeout 60 srun --nodes="$nodes" --ntasks="$nodes" --chdir=/ true 9>&- ||
    die 1 "stage \"first job\": srun did not run on $nodes nodes; see $folder/log"
}

pid_files() { compgen -G "$folder/run/*.pid" || true; }

all_daemons_live() {
  local file count=0
  for file in $(pid_files); do
    kill -0 "$(cat "$file")" 2>/dev/null || return 1
    count=$((count + 1))
  done
  ((count >= 3))
}

# Checks that the process is still the daemon that wrote the file, because process ids are reused.
daemon_of() {
  local pid name
  pid="$(cat "$1" 2>/dev/null)" || return 1
  name="$(basename "$1")"
  [[ $(cat "/proc/$pid/comm" 2>/dev/null) == "${name%%.*}" ]] && echo "$pid"
}

# The helper processes for job steps of this cluster, and all their descendants.
step_processes() {
  local entry pid
  for entry in /proc/[0-9]*; do
    [[ $(cat "$entry/comm" 2>/dev/null) == slurmstepd ]] || continue
    # The process may have ended by now.
    { tr '\0' '\n' <"$entry/environ"; } 2>/dev/null | grep -qx "SLURM_CONF=$SLURM_CONF" || continue
    pid="${entry#/proc/}"
    echo "$pid"
    descendants "$pid"
  done
}

descendants() {
  local child
  # shellcheck disable=SC2013  # words without blanks
  for child in $(cat "/proc/$1/task"/*/children 2>/dev/null); do
    echo "$child"
    descendants "$child"
  done
}

# stop_processes PID...: asks them to end and kills them after five seconds. Returns when they have ended.
stop_processes() {
  local give_up=$((SECONDS + 5)) left=("$@") pid
  kill "$@" 2>/dev/null || true
  while ((${#left[@]} > 0)); do
    if ((SECONDS >= give_up)); then kill -KILL "${left[@]}" 2>/dev/null || true; fi
    sleep 0.05
    local alive=()
    for pid in "${left[@]}"; do
      [[ $(awk '{ print $3 }' "/proc/$pid/stat" 2>/dev/null || echo Z) == Z ]] || alive+=("$pid")
    done
    left=("${alive[@]}")
    ((SECONDS < give_up + 10)) || die 1 "stage \"stop\": processes ${left[*]} do not end"
  done
}

# Slurm's commands wait for minutes for a controller that is busy or gone, so each one gets 10 s.
no_jobs() {
  local jobs
  jobs="$(timeout 10 squeue --noheader)" && [[ -z $jobs ]]
}

end_jobs() {
  local jobs give_up=$((SECONDS + 15))
  if ! [[ -r $SLURM_CONF ]] || ! controller_answers 2>/dev/null; then return 0; fi
  mapfile -t jobs < <(timeout 10 squeue --noheader --format=%A | sort -u)
  ((${#jobs[@]} > 0)) || return 0
  say "cancelling ${#jobs[@]} jobs"
  timeout 10 scancel --signal=KILL --full "${jobs[@]}" 2>/dev/null || true
  timeout 10 scancel "${jobs[@]}" 2>/dev/null || true
  # Remaining processes are then ended one by one.
  until no_jobs || ((SECONDS >= give_up)); do sleep 0.1; done
}

stop_everything() {
  local file pid pids=()
  end_jobs
  for file in $(pid_files); do
    if pid="$(daemon_of "$file")" && [[ $file != */munged.pid ]]; then pids+=("$pid"); fi
  done
  mapfile -t -O "${#pids[@]}" pids < <(step_processes)
  if pid="$(daemon_of "$folder/run/munged.pid")"; then pids+=("$pid"); fi
  if ((${#pids[@]} > 0)); then stop_processes "${pids[@]}"; fi
  remove_network
  rm -rf "${folder:?}"/{run,state,spool,tmp,dev,settings,munge.key}
}
