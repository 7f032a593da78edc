#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Packs a build with the libraries it needs, for GPU machines where nothing can be installed.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/gpu/bundle.sh BUILD FOLDER

Copies the program, its CUDA module and the GPU tests of the folder BUILD to FOLDER, with every
shared library they need and the parts of Open MPI that start a run; left out are the C and C++
libraries, the driver and CUDA's own libraries (cuBLASLt, cuDNN, NCCL), which the machine has to have
where its loader finds them. There:

    tests/gpu/run.sh --build FOLDER --no-build
TEXT
}

[[ ${1:-} == -h || ${1:-} == --help ]] && usage && exit 0
[[ $# -eq 2 ]] || { usage >&2 && exit 2; }
build="$1" folder="$2"
[[ -x $build/mimus ]] || { printf 'bundle: no program %s/mimus; build it first\n' "$build" >&2 && exit 4; }
mpirun="$(command -v mpirun)" || { echo 'bundle: no mpirun in PATH' >&2 && exit 4; }
mkdir -p "$folder/bin" "$folder/lib" "$folder/program" "$folder/tests/gpu"

not_packed='^(linux-vdso|ld-linux)|^lib(c|m|dl|rt|pthread|resolv|util|nss_.*|stdc\+\+|gcc_s)\.so'
not_packed+='|^lib(cuda|cublas|cublasLt|cudnn.*|nccl|nvidia-ml|cupti)\.so'

# Libraries that a program or plugin needs, a path a line.
libraries_of() {
  ldd "$@" 2>/dev/null | awk '/=> \// { print $3 }' | sort -u | while read -r library; do
    [[ ${library##*/} =~ $not_packed ]] || printf '%s\n' "$library"
  done
}

pack() {
  cp -L "$1" "$2"
  strip --strip-debug "$2"  # the path there may be slow or small
  libraries_of "$1" | while read -r library; do cp -Lu "$library" "$folder/lib/"; done
}

# pack_program PROGRAM UP: with the way from its folder up to the bundle. Only what the program starts
# sees the libraries, not the caller's Python, which may need newer ones.
pack_program() {
  local name="${1##*/}"
  pack "$build/$1" "$folder/program/$name"
  cat >"$folder/$1" <<WRAPPER
#!/usr/bin/env bash
bundle="\$(cd "\$(dirname "\${BASH_SOURCE[0]}")/$2" && pwd)"
. "\$bundle/activate" && exec "\$bundle/program/$name" "\$@"
WRAPPER
  chmod +x "$folder/$1"
}

pack_program mimus .
for program in tests/gpu/test_gpu tests/gpu/kernel_bench; do
  [[ ! -e $build/$program ]] || pack_program "$program" ../..
done
[[ ! -e $build/libmimus_cuda.so ]] || pack "$build/libmimus_cuda.so" "$folder/program/libmimus_cuda.so"

# Open MPI finds its parts below OPAL_PREFIX as they lie below its own prefix.
prefix="$(ompi_info --parsable --path prefix | cut -d: -f3)"
plugins="$(ompi_info --parsable --path pkglibdir | cut -d: -f3)"
help="$(ompi_info --parsable --path pkgdatadir | cut -d: -f3)"
for path in "$plugins" "$help"; do
  mkdir -p "$folder/ompi/${path#"$prefix"/}"
  cp -rL "$path/." "$folder/ompi/${path#"$prefix"/}/"
done
# One machine needs none of the plugins for networks and batch systems, which need many libraries.
find "$folder/ompi" -name '*.so' |
  grep -E '_(ofi|ucx|psm2?|openib|usnic|portals4|yalla|hcoll|fca|mxm|lsf|tm|slurm|gridengine|libnbc_cuda)' |
  xargs -r rm
find "$folder/ompi" -name '*.so' | while read -r plugin; do
  libraries_of "$plugin" | while read -r library; do cp -Lu "$library" "$folder/lib/"; done
done
for tool in mpirun orted; do
  pack "$(readlink -f "${mpirun%/*}/$tool")" "$folder/bin/$tool"
done

cat >"$folder/activate" <<'ACTIVATE'
# To be sourced: where the libraries of this bundle and its Open MPI are.
mimus_bundle="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PATH="$mimus_bundle/bin:$PATH"
export LD_LIBRARY_PATH="$mimus_bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export OPAL_PREFIX="$mimus_bundle/ompi"
export OMPI_MCA_plm=isolated  # one machine, no ssh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# PMIx looks for plugins where it was installed; there may be others there, and it needs none.
export PMIX_MCA_mca_base_component_show_load_errors=0 PMIX_MCA_pcompress_base_silence_warning=1
ACTIVATE
printf 'bundle: %s, %s\n' "$folder" "$(du -sh "$folder" | cut -f1)"
