// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/solo_profiles.hpp"

#include <algorithm>

#include "emulator/testbed/job_views.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

scheduler::SoloProfile profile(const workloads::Model& model, const kernels::GpuSpec& gpu,
                               std::int64_t batch, Bytes memory) {
  const auto plan = kernels::make_plan(model, gpu, {.per_gpu_batch = batch});
  const kernels::StepTime step = kernels::solo_step_time(plan, {});
  const double busy = to_seconds(step.device) / to_seconds(step.total);
  return {model.name, graph_of(model), batch, std::min(1.0, busy), memory};
}

}  // namespace

std::vector<scheduler::SoloProfile> solo_profiles(const workloads::ModelCatalogue& models,
                                                  const std::string& gpu_type) {
  const kernels::GpuSpec& gpu = kernels::gpu_spec(gpu_type);
  std::vector<scheduler::SoloProfile> profiles;
  for (const std::string& name : models.names()) {
    const workloads::Model& model = models.at(name);
    if (model.grid.used()) continue;  // profiles are of training
    const kernels::MemoryNeed memory = kernels::memory_need(model);
    const std::int64_t most = model.batch.per_gpu_max;
    for (std::int64_t batch = model.batch.per_gpu_min; batch <= most;) {
      const Bytes need = memory.base + static_cast<double>(batch) * memory.per_sample;
      if (need > gpu.memory) break;
      profiles.push_back(profile(model, gpu, batch, need));
      batch = batch == most ? most + 1 : std::min(2 * batch, most);
    }
  }
  return profiles;
}

}  // namespace mimus::emulator
