#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Everything that needs a GPU, in one call.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/gpu/run.sh [--out DIR] [--build DIR] [--no-build] [--only STEPS] [--quick]

Runs on a machine with a CUDA device, each step with a time limit, and goes on after a step that
fails. Results, logs and summary.md (tables for docs/measurements.md) go to DIR.

  --out DIR      results (gpu-results)
  --build DIR    build folder (build/gpu): Release, for the architecture of this machine
  --no-build     use what is built there, e.g. an unpacked tests/gpu/bundle.sh
  --only STEPS   of: build tests sanitizer kernels pairs twin quickstart split elastic
                 fidelity, comma-separated
  --quick        fewer models and repetitions: a few minutes after the build

exit codes: 0 all steps ran, 1 some failed, 2 wrong usage, 4 no CUDA device
TEXT
}

arguments=("$@")
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
out=gpu-results build="$root/build/gpu" only='' quick=no steps=()
all_steps=(build tests sanitizer kernels pairs twin quickstart split elastic fidelity)
while [[ $# -gt 0 ]]; do
  case "$1" in
    --out | --build | --only)
      [[ $# -ge 2 ]] || { usage >&2 && exit 2; }
      printf -v "${1#--}" '%s' "$2" && shift
      ;;
    --no-build) steps=("${all_steps[@]:1}") ;;
    --quick) quick=yes ;;
    -h | --help) usage && exit 0 ;;
    *) printf 'run: unknown argument "%s"\n' "$1" >&2 && usage >&2 && exit 2 ;;
  esac
  shift
done
[[ ${#steps[@]} -gt 0 ]] || steps=("${all_steps[@]}")
[[ -z $only ]] || IFS=, read -ra steps <<<"$only"
for step in "${steps[@]}"; do
  [[ " ${all_steps[*]} " == *" $step "* ]] ||
    { printf 'run: unknown step "%s"; there are: %s\n' "$step" "${all_steps[*]}" >&2 && exit 2; }
done

if ! nvidia-smi -L >/dev/null 2>&1; then
  echo 'run: no CUDA device here (nvidia-smi -L finds none); nothing was run' >&2
  exit 4
fi
mkdir -p "$out"
out="$(cd "$out" && pwd)"
summary="$out/summary.md"

if [[ $quick == yes ]]; then
  pair_models=resnet18,neumf interval=5% fidelity_options=(--quick)
else
  pair_models=resnet50,resnet18,bert-base,yolov3,deepspeech2,neumf,gpt interval=2% fidelity_options=()
fi

# Policies go by this datasheet; kernels run on the GPU that is there.
gpu_type() {
  local type name
  name="$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)"
  for type in H200 H100 A100 V100 P100 T4; do
    [[ $name == *"$type"* ]] || continue
    [[ $type$name != A100*80GB* ]] || type=A100-80  # twice the memory
    printf '%s\n' "$type"
    return
  done
  printf 'A100\n'
}

describe_machine() {
  printf '# Mimus on a GPU\n\n'
  printf -- '- date: %s\n- commit: %s\n' "$(date -u +%F)" \
    "$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)"
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader |
    sed 's/^/- GPU, driver, memory: /'
  printf -- '- command: %s %s\n\n' "tests/gpu/run.sh" "${arguments[*]-}"
}

# The kernels under compute-sanitizer: accesses out of bounds or misaligned, and races. Calls that
# fail are not reported: libraries try some to see what there is, and ours check every return value.
# Races inside cuBLASLt, cuDNN and NCCL are not ours to find. The tests are divided among processes: what
# takes its time is the host's part, and 63 tests under either tool took 80 s that way.
sanitize() (
  local libraries='*MatrixProduct*:*Convolution*:*Nccl*' shards processes=() process failed=0
  # shellcheck disable=SC1091  # of a bundle
  [[ ! -f $build/activate ]] || . "$build/activate"
  shards=$(($(nproc) > 16 ? 8 : ($(nproc) + 1) / 2))
  for ((shard = 0; shard < shards; ++shard)); do
    check_shard "$shard" "$shards" memcheck '-*Large*' --report-api-errors no &
    processes+=($!)
    check_shard "$shard" "$shards" racecheck "-*Large*:$libraries" &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || failed=$?; done
  return "$failed"
)

# check_shard SHARD SHARDS TOOL FILTER [OPTIONS of the tool]
check_shard() {
  local shard="$1" shards="$2" tool="$3" filter="$4" program="$build/tests/gpu/test_gpu"
  [[ ! -x $build/program/test_gpu ]] || program="$build/program/test_gpu"  # not a bundle's wrapper
  GTEST_SHARD_INDEX="$shard" GTEST_TOTAL_SHARDS="$shards" timeout 1800 compute-sanitizer \
    --error-exitcode 9 --tool "$tool" "${@:5}" "$program" --gtest_brief=1 --gtest_filter="$filter" 2>&1 |
    sed "s/^/$tool $shard: /"
}

# NCCL's operations once more between two processes, on one device where there is no other. In a
# subshell: a bundle's libraries are not for the other steps.
run_tests() (
  local as_root=()
  [[ $EUID -ne 0 ]] || as_root=(--allow-run-as-root)
  # shellcheck disable=SC1091  # of a bundle
  [[ ! -f $build/activate ]] || . "$build/activate"
  local failed=0
  timeout 900 "$build/tests/gpu/test_gpu" || failed=$?
  timeout 900 mpirun "${as_root[@]}" -n 2 --oversubscribe "$build/tests/gpu/test_gpu" --gtest_filter='*Nccl*' ||
    failed=$?
  return "$failed"
)

# Both ways of sharing, even if the first one fails, as it does when a pair does not fit.
measure_pairs() {
  local sharing failed=0
  for sharing in time_slice mps; do
    timeout 1800 "$build/mimus" calibrate --device cuda --gpu "$(gpu_type)" --models "$pair_models" --pairs \
      --interval "$interval" --timeout 10 --set engine.cuda.launches=graph \
      --set engine.cuda.convolutions=measured --set "engine.cuda.sharing=$sharing" -o "$out/profile-$sharing.h5" ||
      failed=$?
  done
  return "$failed"
}

# Tenants of the device against the virtual engine, which takes what was measured of them.
compare_engines() {
  local sharing failed=0
  for sharing in time_slice mps; do
    timeout 900 "$build/mimus" twin "$root/tests/gpu/sharing.yaml" --set "cluster.gpu=$(gpu_type)" \
      --set "engine.cuda.sharing=$sharing" -o "$out/twin-$sharing" || failed=$?
  done
  return "$failed"
}

# On one GPU NCCL's ranks would be up to eight time-sliced processes that wait for one another at
# every chunk; there the emulated ring takes its place, and two ranks show NCCL itself.
# Its jobs are a thirtieth as long as on emulated GPUs, where an hour of them takes a minute: one GPU
# would be busy for hours. What NCCL does is launched, and is part of a graph that is replayed.
run_quickstart() {
  local campaign=(timeout 1800 "$build/mimus" run "$root/configs/quickstart.yaml"
    --set engine.device=cuda --set "cluster.gpu=$(gpu_type)" --set engine.time_scale=10
    --set "workload.duration=5 s" --set "workload.mean_interarrival=2 s")
  local launches failed=0
  if [[ $(nvidia-smi -L | wc -l) -gt 1 ]]; then
    "${campaign[@]}" -o "$out/quickstart" || failed=$?
    "${campaign[@]}" --only 001 --set engine.cuda.launches=graph -o "$out/quickstart-graph" || failed=$?
    return "$failed"
  fi
  "${campaign[@]}" --set engine.collective=ring -o "$out/quickstart" || failed=$?
  for launches in eager graph; do
    "${campaign[@]}" --only 001 --set cluster.nodes=1 --set cluster.gpus_per_node=2 \
      --set "workload.gangs={1: 0.5, 2: 0.5}" --set workload.jobs=4 \
      --set "engine.cuda.launches=$launches" -o "$out/quickstart-nccl-$launches" || failed=$?
  done
  return "$failed"
}

# Two GPUs share the layers of a transformer, are the stages of a pipeline, and have a slab each.
run_split() {
  timeout 900 "$build/mimus" run "$root/tests/live/split.yaml" --set engine.device=cuda \
    --set engine.time_scale=1 --set "cluster.gpu=$(gpu_type)" --set cluster.gpus_per_node=2 \
    --set "workload.jobs=[{model: gpt@t2, gang: 2, batch: 8, samples: 200},
           {model: gpt@p2, gang: 2, batch: 8, samples: 200},
           {model: claire@t2, gang: 2, samples: 400}]" -o "$out/split"
}

# A gang of two gives a GPU away and gets it back, with its communicator.
run_elastic() {
  timeout 900 "$build/mimus" run "$root/tests/live/elastic.yaml" --only 001 --set engine.device=cuda \
    --set engine.time_scale=1 --set "cluster.gpu=$(gpu_type)" --set cluster.gpus_per_node=2 \
    --set policy.planner.round=10s \
    --set "workload.jobs=[{model: resnet18, gang: 1, batch: 256, samples: 600000},
           {model: neumf, gang: 1, batch: 256, samples: 100000, arrival: 15 s}]" -o "$out/elastic"
}

configure_and_build() {
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMIMUS_WITH_CUDA=ON \
    -DCMAKE_CUDA_ARCHITECTURES=native -DMIMUS_BENCHMARKS=OFF &&
    cmake --build "$build" --target mimus mimus_cuda gpu_tests
}

run_step() {
  case "$1" in
    build) configure_and_build ;;
    tests) run_tests ;;
    sanitizer) sanitize ;;
    kernels) timeout 900 "$build/tests/gpu/kernel_bench" --json "$out/kernels.json" ;;
    pairs) measure_pairs ;;
    twin) compare_engines ;;
    quickstart) run_quickstart ;;
    split) run_split ;;
    elastic) run_elastic ;;
    fidelity)
      timeout 3600 "$root/tests/fidelity/run.sh" --mimus "$build/mimus" --out "$out/fidelity" \
        "${fidelity_options[@]}"
      ;;
  esac
}

failed=0
describe_machine >"$summary"
printf '| step | result | seconds | log |\n|---|---|---|---|\n' >>"$summary"
for step in "${steps[@]}"; do
  begin=$SECONDS result=ran
  printf '== %s\n' "$step"
  run_step "$step" >"$out/$step.log" 2>&1 || result="failed ($?)"
  [[ $result == ran ]] || { failed=1 && tail -n 20 "$out/$step.log"; }
  printf '| %s | %s | %d | %s.log |\n' "$step" "$result" "$((SECONDS - begin))" "$step" |
    tee -a "$summary"
done
for table in kernels fidelity; do
  [[ -f $out/$table.log ]] || continue
  printf '\n## %s\n\n' "$table" >>"$summary"
  grep -h '^|' "$out/$table.log" >>"$summary" || true
done
printf 'summary: %s\n' "$summary"
exit "$failed"
