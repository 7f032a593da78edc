// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <benchmark/benchmark.h>

#include "tests/bench/timed_planner.hpp"

// What a plan of planner shockwave for 1,000 jobs on 4,096 GPUs costs when a window of 20 rounds
// begins anew. Bound, -O2, one core of 2 GHz or more: <= 1 s.

namespace mimus::scheduler {
namespace {

constexpr int kNodes = 512;

/// Of 50 to 150 epochs, half of them with twice the batch.
JobView profiled_job(int id, RandomStream& random) {
  JobView view = job(id, random);
  const double epoch = random.uniform(20.0, 600.0);
  EpochProfile profile{
      .modes = {{32, 10.0, epoch}, {64, 8.0, epoch / 1.6}}, .iterations = 0.0, .of_epoch = {}};
  const auto epochs = static_cast<std::size_t>(random.uniform(50.0, 150.0));
  for (std::size_t i = 0; i < epochs; ++i) profile.of_epoch.push_back(2 * i < epochs ? 0 : 1);
  profile.iterations = 10.0 * epoch * static_cast<double>(epochs);
  view.rates = {{"V100", 10.0}};
  view.epochs = std::make_shared<const EpochProfile>(std::move(profile));
  return view;
}

/// Windows begin anew in each round.
void new_windows(benchmark::State& state) {
  ClusterShape shape;
  shape.nodes = kNodes;
  shape.gpus_per_node = shape.gpus_per_island = 8;
  shape.nodes_per_rack = 32;
  shape.gpu_type = "V100";
  plan_in_rounds(state, shape, "{planner: shockwave, placement: pack}", std::chrono::seconds{120},
                 profiled_job);
}

}  // namespace

void register_shockwave() {
  benchmark::RegisterBenchmark("shockwave/new_window", new_windows)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(10);
}

}  // namespace mimus::scheduler
