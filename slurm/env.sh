# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# The environment of a Mimus run on a cluster. Source it in a batch script or by hand.
# Values that are already set are kept.

# Modules and similar settings of your site. The file is yours and not part of this repository.
mimus_site="${MIMUS_SITE:-$HOME/.config/mimus/site.sh}"
if [[ -r "$mimus_site" ]]; then
  # shellcheck disable=SC1090  # a file of the user
  source "$mimus_site"
fi
if type module &>/dev/null; then
  module list 2>&1
fi

# A rank that waits inside MPI yields its core. srun does not set this. Without it, an 8-byte
# all-reduce of 17 ranks on 2 cores took 103 ms instead of 0.09 ms.
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
# Emulated GPUs share cores by design. Mimus paces them, and the launcher must not pin them.
export OMPI_MCA_hwloc_base_binding_policy="${OMPI_MCA_hwloc_base_binding_policy:-none}"
# On some systems, large worlds fail to start because of PMIx's shared-memory store.
export PMIX_MCA_gds="${PMIX_MCA_gds:-hash}"
# Slurm's other fence releases a node when its own ranks have arrived (22.05: 27 of 27 steps). A rank
# that was late in MPI_Init then died of a message from another node.
export SLURM_PMIX_FENCE="${SLURM_PMIX_FENCE:-ring}"
# One thread per rank, because the ranks use all cores.
export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"

# Ranks on real GPUs: every rank reports errors. The network that NCCL uses depends on the site:
# NCCL_SOCKET_IFNAME and NCCL_IB_HCA belong in site.sh.
export NCCL_DEBUG="${NCCL_DEBUG:-WARN}"

mimus_outlives_workers() {
  [[ "${MIMUS_ON_LOST_RANK:-}" == continue ]]
}

# Sets the array mimus_launcher to the words that start one program on all ranks. MIMUS_RANKS is
# their number, by default all tasks. MIMUS_LAUNCHER=srun or mpirun selects the launcher. By default
# it is srun if Slurm was built with PMIx, because Open MPI then needs no daemons of its own. If a run
# must outlive its workers (MIMUS_ON_LOST_RANK=continue), it is mpirun, because Slurm's PMIx ends a
# step when one of its ranks dies.
# $1: a folder for files that the launcher reads.
# shellcheck disable=SC2034  # read by the script that sources this
mimus_choose_launcher() {
  local choice="${MIMUS_LAUNCHER:-}" ranks="${MIMUS_RANKS:-$SLURM_NTASKS}"
  if [[ -z "$choice" ]]; then
    choice=mpirun
    if ! mimus_outlives_workers && srun --mpi=list 2>&1 | grep -qw pmix; then choice=srun; fi
  fi
  case "$choice" in
    srun)
      mimus_launcher=(srun --mpi=pmix "--cpus-per-task=${SLURM_CPUS_PER_TASK:-1}" --cpu-bind=none
        --kill-on-bad-exit=1)
      ;;
    mpirun)
      mimus_launcher=(mpirun -n "$ranks")
      if mimus_outlives_workers; then mimus_launcher+=(--enable-recovery); fi
      ;;
    *)
      printf 'MIMUS_LAUNCHER=%s: allowed are srun and mpirun\n' "$choice" >&2
      return 2
      ;;
  esac
  mimus_place_ranks "$choice" "$ranks" "$1"
}

# Adds the placement of the ranks to mimus_launcher. The ranks of an emulated node share memory and
# must be on one host. The first host gets the scheduling rank and its share of the others, every
# further host an equal share, unless MIMUS_HOST_RANKS says how many ranks each host has. By default a
# launcher would fill one host after another.
mimus_place_ranks() {
  local choice="$1" ranks="$2" hosts="${SLURM_JOB_NUM_NODES:-1}" file="$3/hosts" host share i at=0
  local -a shares
  if ((${SLURM_HET_SIZE:-1} > 1)); then
    mimus_place_components "$choice" "$3"
    return
  fi
  if [[ $choice == srun ]]; then mimus_launcher+=("--ntasks=$ranks"); fi
  if [[ -n "${MIMUS_HOST_RANKS:-}" ]]; then
    read -ra shares <<<"$MIMUS_HOST_RANKS"
  else
    if ((hosts == 1 || (ranks - 1) % hosts != 0)); then return 0; fi
    for ((i = 0; i < hosts; ++i)); do shares+=("$(((ranks - 1) / hosts + (i == 0)))"); done
  fi
  while read -r host; do
    share="${shares[at++]}"
    if [[ $choice == mpirun ]]; then
      echo "$host slots=$share"
    else
      for ((i = 0; i < share; ++i)); do echo "$host"; done
    fi
  done < <(scontrol show hostnames "$SLURM_JOB_NODELIST") >"$file"
  if [[ $choice == mpirun ]]; then
    mimus_launcher+=(--hostfile "$file")
  else
    mimus_launcher=(env -u SLURM_NTASKS_PER_NODE "SLURM_HOSTFILE=$file" "${mimus_launcher[@]}"
      --distribution=arbitrary)
  fi
}

# The same for a heterogeneous job, whose components have as many tasks as ranks. Slurm's PMIx starts no
# ranks if the names of later components' hosts come before those of earlier ones (22.05). mpirun sees the
# hosts of the first component only, and is given the others, with a command that starts its daemons on
# them.
mimus_place_components() {
  local choice="$1" agent="$2/start-on-host" file="$2/hosts" component list tasks
  if [[ $choice == srun ]]; then
    mimus_launcher+=("--het-group=0-$((SLURM_HET_SIZE - 1))")
    return
  fi
  for ((component = 0; component < SLURM_HET_SIZE; ++component)); do
    list="SLURM_JOB_NODELIST_HET_GROUP_$component" tasks="SLURM_NTASKS_PER_NODE_HET_GROUP_$component"
    scontrol show hostnames "${!list}" | sed "s/\$/ slots=${!tasks:-1}/"
  done >"$file"
  cat >"$agent" <<'AGENT'
#!/usr/bin/env bash
# start-on-host HOST COMMAND...
host="$1" list=""
for ((component = 0; component < SLURM_HET_SIZE; ++component)); do
  list="SLURM_JOB_NODELIST_HET_GROUP_$component"
  if scontrol show hostnames "${!list}" | grep -qx -- "$host"; then break; fi
done
exec srun "--het-group=$component" "--nodelist=$host" --nodes=1 --ntasks=1 --overlap --cpu-bind=none \
  --mpi=none bash -c "${*:2}"
AGENT
  chmod +x "$agent"
  mimus_launcher+=(--hostfile "$file" --mca ras "^slurm" --mca plm rsh --mca plm_rsh_agent "$agent"
    --mca plm_rsh_no_tree_spawn 1)
}
