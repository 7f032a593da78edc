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
# One rank, one thread: the ranks are the parallelism.
export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"

# Sets the array mimus_launcher to the words that start one program on all tasks of the
# allocation. MIMUS_LAUNCHER=srun or mpirun decides; without it srun is taken where Slurm was built
# with PMIx, because Open MPI then needs no daemons of its own.
# shellcheck disable=SC2034  # read by the script that sources this
mimus_choose_launcher() {
  local choice="${MIMUS_LAUNCHER:-}"
  if [[ -z "$choice" ]]; then
    choice=mpirun
    if srun --mpi=list 2>&1 | grep -qw pmix; then choice=srun; fi
  fi
  case "$choice" in
    srun)
      mimus_launcher=(srun --mpi=pmix "--ntasks=$SLURM_NTASKS"
        "--cpus-per-task=${SLURM_CPUS_PER_TASK:-1}" --cpu-bind=none --kill-on-bad-exit=1)
      ;;
    mpirun) mimus_launcher=(mpirun -n "$SLURM_NTASKS") ;;
    *)
      printf 'MIMUS_LAUNCHER=%s: allowed are srun and mpirun\n' "$choice" >&2
      return 2
      ;;
  esac
}
