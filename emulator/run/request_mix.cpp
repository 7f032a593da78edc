// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/request_mix.hpp"

#include <map>
#include <tuple>

#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/testbed/job_views.hpp"

namespace mimus::emulator {

std::vector<scheduler::RequestCount> count_requests(workloads::JobStream& jobs) {
  using Key = std::tuple<std::int64_t, int, std::int64_t, std::vector<std::string>>;
  std::map<Key, std::int64_t> counts;
  while (const auto job = jobs.next()) {
    const auto share = scheduler::MilliGpus::of_share(job->gpu_share).value;
    ++counts[{host_need(*job).milli_cores, job->gang, share, job->gpu_types}];
  }
  std::vector<scheduler::RequestCount> mix;
  for (const auto& [key, count] : counts) {
    const auto& [milli_cores, gpus, share, types] = key;
    mix.push_back({milli_cores, gpus, {share}, types, count});
  }
  return mix;
}

scheduler::RequestMix request_mix(const Cell& cell, const CellConfig& config,
                                  const workloads::ModelCatalogue& models) {
  return [&cell, &config, &models] {
    return count_requests(*config.workload->population(context_of(cell, config, models)));
  };
}

std::optional<std::vector<scheduler::RequestCount>> recorded_mix(
    const Cell& cell, const CellConfig& config, const workloads::ModelCatalogue& models) {
  if (!config.records_allocation) return std::nullopt;
  return request_mix(cell, config, models)();
}

}  // namespace mimus::emulator
