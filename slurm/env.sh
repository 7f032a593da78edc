# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# The environment of a Mimus run on a cluster. Source it, in a batch script or by hand.
# A value that is already set wins.

# Modules and the like of your site: yours, so not in this repository.
mimus_site="${MIMUS_SITE:-$HOME/.config/mimus/site.sh}"
if [[ -r "$mimus_site" ]]; then
  # shellcheck disable=SC1090  # a file of the user
  source "$mimus_site"
fi
if type module &>/dev/null; then
  module list 2>&1
fi

# A rank that waits inside MPI gives its core away; srun does not set this, and without it an
# 8-byte all-reduce of 17 ranks on 2 cores took 103 ms in place of 0.09 ms.
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
# Emulated GPUs share cores by design: Mimus paces them, the launcher must not pin them.
export OMPI_MCA_hwloc_base_binding_policy="${OMPI_MCA_hwloc_base_binding_policy:-none}"
# Start-up of large worlds dies in PMIx's shared-memory store on some systems.
export PMIX_MCA_gds="${PMIX_MCA_gds:-hash}"
# Slurm's other fence lets a node go when its own ranks have come (22.05: 27 of 27 steps). A rank that
# was late in MPI_Init then died of a message from another node.
export SLURM_PMIX_FENCE="${SLURM_PMIX_FENCE:-ring}"
# One rank, one thread: the ranks are the parallelism.
export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"

# Ranks on real GPUs: say what goes wrong, on every rank. Which network NCCL takes is a matter of
# the site: NCCL_SOCKET_IFNAME and NCCL_IB_HCA belong into site.sh.
export NCCL_DEBUG="${NCCL_DEBUG:-WARN}"

mimus_outlives_workers() {
  [[ "${MIMUS_ON_LOST_RANK:-}" == continue ]]
}

# Sets the array mimus_launcher to the words that start one program on all ranks. MIMUS_RANKS is
# their number, all tasks if not set. MIMUS_LAUNCHER=srun or mpirun decides; without it srun is
# taken where Slurm was built with PMIx, because Open MPI then needs no daemons of its own. Where a run
# is to outlive its workers (MIMUS_ON_LOST_RANK=continue) it is mpirun: Slurm's PMIx ends a step when
# one of its ranks dies.
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

# Adds to mimus_launcher where the ranks go. The ranks of an emulated node share memory, so they
# stay on one host: the first host gets the rank that schedules and its share of the others, every
# further host an equal share. A launcher left alone would fill one host after the other.
mimus_place_ranks() {
  local choice="$1" ranks="$2" hosts="${SLURM_JOB_NUM_NODES:-1}" file="$3/hosts" host share i
  if [[ "${SLURM_HET_SIZE:-1}" -eq 2 ]]; then  # the scheduling rank has a job component of its own
    if [[ $choice != srun ]]; then
      echo "a heterogeneous job needs srun with PMIx: mpirun sees its first component only" >&2
      return 4
    fi
    mimus_launcher+=("--het-group=0,1")
    return 0
  fi
  if [[ $choice == srun ]]; then mimus_launcher+=("--ntasks=$ranks"); fi
  if ((hosts == 1 || (ranks - 1) % hosts != 0)); then return 0; fi
  share=$(((ranks - 1) / hosts + 1))
  while read -r host; do
    if [[ $choice == mpirun ]]; then
      echo "$host slots=$share"
    else
      for ((i = 0; i < share; ++i)); do echo "$host"; done
    fi
    share=$(((ranks - 1) / hosts))
  done < <(scontrol show hostnames "$SLURM_JOB_NODELIST") >"$file"
  if [[ $choice == mpirun ]]; then
    mimus_launcher+=(--hostfile "$file")
  else
    mimus_launcher=(env -u SLURM_NTASKS_PER_NODE "SLURM_HOSTFILE=$file" "${mimus_launcher[@]}"
      --distribution=arbitrary)
  fi
}
