#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# A real Slurm of several nodes on one machine, for tests and for users without a cluster.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: slurm/local-cluster.sh up [option...]     start a Slurm of several nodes on this machine
       slurm/local-cluster.sh down               stop it and everything that runs in it
       slurm/local-cluster.sh status             its nodes and jobs
       slurm/local-cluster.sh env                the line that makes sbatch and srun use it:
                                                 eval "$(slurm/local-cluster.sh env)"

  --nodes N     nodes, 1 to 64 (default 2)
  --gpus G      GPUs that each node offers as GRES, 0 to 16 (default 2); they exist only for Slurm
  --gpu-types L types of these GPUs, e.g. v100,t4: one for each node in turn (default: no types)
  --cpus C      CPUs that each node claims to have (default 64), whatever the machine has
  --network     each node in a separate network namespace, joined by links; needs root
  --rate R      bandwidth of those links as tc writes it (default 1gbit); implies --network
  --delay D     delay of those links, e.g. 100us; needs the kernel's netem; implies --network
  --folder DIR  folder of configuration, keys, sockets and logs
                (default: MIMUS_LOCAL_CLUSTER, else /tmp/mimus-slurm-<user id>)

Works as root and as an ordinary user. Repeating up with the same options changes nothing.

exit codes: 0 done, 1 a wait took too long, 2 wrong usage, 4 this machine cannot do it
TEXT
}

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=slurm/local-cluster/config.sh
source "$here/local-cluster/config.sh"
# shellcheck source=slurm/local-cluster/daemons.sh
source "$here/local-cluster/daemons.sh"
# shellcheck source=slurm/local-cluster/network.sh
source "$here/local-cluster/network.sh"

say() { printf 'local-cluster: %s\n' "$*" >&2; }

# die CODE MESSAGE...
die() {
  local code="$1"
  shift
  say "$*"
  exit "$code"
}

# wait_for SECONDS STAGE LOG COMMAND...: waits until COMMAND succeeds.
wait_for() {
  local limit="$1" stage="$2" log="$3" give_up=$((SECONDS + $1))
  shift 3
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= give_up)); then
      die 1 "stage \"$stage\": nothing after $limit s; see $log, then: $0 down --folder $folder"
    fi
    sleep 0.1
  done
}

# number NAME VALUE MIN MAX
number() {
  if ! [[ $2 =~ ^[0-9]{1,5}$ ]] || ((10#$2 < $3 || 10#$2 > $4)); then
    die 2 "$1 $2: expected a whole number from $3 to $4"
  fi
}

parse_options() {
  nodes=2 gpus=2 types="" cpus=64 network=no rate=1gbit delay=""
  folder="${MIMUS_LOCAL_CLUSTER:-/tmp/mimus-slurm-$(id -u)}"
  while (($# > 0)); do
    case "$1" in
      --network) network=yes && shift && continue ;;
      --nodes | --gpus | --gpu-types | --cpus | --rate | --delay | --folder) ;;
      *) die 2 "unknown argument \"$1\"; allowed are --nodes, --gpus, --gpu-types, --cpus, --network," \
        "--rate, --delay and --folder; see $0 --help" ;;
    esac
    (($# > 1)) || die 2 "$1 needs a value; see $0 --help"
    case "$1" in
      --nodes) nodes="$2" ;;
      --gpus) gpus="$2" ;;
      --gpu-types) types="$2" ;;
      --cpus) cpus="$2" ;;
      --rate) rate="$2" network=yes ;;
      --delay) delay="$2" network=yes ;;
      --folder) folder="$2" ;;
    esac
    shift 2
  done
  number --nodes "$nodes" 1 64
  number --gpus "$gpus" 0 16
  [[ $types =~ ^([a-z0-9_-]+(,[a-z0-9_-]+)*)?$ ]] ||
    die 2 "--gpu-types $types: expected names in small letters and digits, separated by commas"
  number --cpus "$cpus" 1 4096
  folder="$(realpath -m -- "$folder")"
  # slurm.conf cannot quote a path with blanks, and socket paths have at most 107 bytes.
  [[ $folder =~ ^[A-Za-z0-9._/+-]+$ ]] ||
    die 2 "--folder $folder: allowed are letters, digits and . _ - + /"
  ((${#folder} <= 85)) || die 2 "--folder $folder: longer than 85 letters; sockets need a short path"
}

check_packages() {
  local missing=() command
  for command in munged munge slurmctld slurmd sinfo srun flock; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
  ((${#missing[@]} == 0)) && return 0
  die 4 "not found: ${missing[*]}. On Debian: apt-get install slurmctld slurmd slurm-client munge" \
    "(./setup.sh installs them)"
}

settings_text() {
  printf 'nodes=%s gpus=%s types=%s cpus=%s network=%s' "$nodes" "$gpus" "$types" "$cpus" "$network"
  [[ $network == no ]] || printf ' rate=%s delay=%s' "$rate" "${delay:-0}"
  printf '\n'
}

# Whether the controller answers and every daemon lives.
is_up() {
  [[ -r $folder/settings ]] && all_daemons_live && scontrol ping 2>/dev/null | grep -q 'is UP'
}

print_use() {
  say "up: $nodes nodes with $gpus GPUs each; jobs, logs and configuration in $folder"
  say "use it:    eval \"\$($0 env --folder $folder)\""
  say "try it:    srun --nodes=$nodes hostname"
  say "stop it:   $0 down --folder $folder"
}

up() {
  check_packages
  if is_up; then
    if [[ "$(cat "$folder/settings")" == "$(settings_text)" ]]; then
      say "is up already: $(settings_text)"
      return 0
    fi
    die 2 "is up with other options ($(cat "$folder/settings")); first: $0 down --folder $folder"
  fi
  stop_everything
  if [[ $network == yes ]]; then check_network; fi
  write_configuration
  trap 'say "not up; stopping what was started"; stop_everything' EXIT
  if [[ $network == yes ]]; then make_network; fi
  start_daemons
  settings_text >"$folder/settings"
  trap - EXIT
  print_use
}

status() {
  check_packages
  is_up || die 1 "not up in $folder; start it with: $0 up"
  say "$(cat "$folder/settings")"
  sinfo --Node --Format=NodeList:10,StateLong:12,CPUsState:18,Gres:12,GresUsed:20,Reason:40
  squeue --Format=JobArrayID:12,Name:24,StateCompact:4,NumNodes:6,TimeUsed:10,ReasonList:30
}

main() {
  case "${1:-}" in
    -h | --help) usage && return 0 ;;
    up | down | status | env) ;;
    "") usage >&2 && return 2 ;;
    *) die 2 "unknown argument \"$1\"; allowed are up, down, status and env; see $0 --help" ;;
  esac
  local verb="$1"
  shift
  parse_options "$@"
  export SLURM_CONF="$folder/slurm.conf"
  PATH="$PATH:/usr/sbin:/sbin"
  case "$verb" in
    env) printf 'export SLURM_CONF=%s\n' "$SLURM_CONF" ;;
    status) status ;;
    up | down)
      mkdir -p "$folder"
      exec 9>"$folder/lock"
      flock --wait 180 9 || die 1 "stage \"lock\": another up or down has run for 180 s in $folder"
      if [[ $verb == up ]]; then up; else stop_everything && say "down; logs are in $folder/log"; fi
      ;;
  esac
}

main "$@"
