// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/repetition_check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "workloads/traces/trace_source.hpp"

namespace mimus::emulator {
namespace {

/// Whether another seed yields other jobs.
bool draws_jobs(const CellConfig& config, const Cell& cell) {
  if (const auto* trace = dynamic_cast<const workloads::TraceSource*>(config.workload.get())) {
    const workloads::TraceOptions& options = trace->settings()->options;
    return !options.models.empty() || options.estimate == workloads::StatedEstimate::noisy;
  }
  const ConfigNode* source = find_path(cell.config, "workload.source");
  return source == nullptr || source->scalar != "jobs";
}

/// Everything that the results depend on except the seed.
std::string without_seed(const Cell& cell) {
  ConfigNode config = cell.config;
  if (ConfigNode* workload = config.find("workload")) {
    std::erase_if(workload->members, [](const auto& member) { return member.first == "seed"; });
  }
  return canonical_text(config);
}

/// Whether decisions depend on the seed: some choices draw random numbers, and others follow what
/// jobs measure with random noise.
bool draws_decisions(const Cell& cell) {
  static const std::map<std::string, std::set<std::string>> kDrawing{
      {"placement", {"random"}},
      {"planner", {"search", "ones", "python"}},
      {"estimate", {"fitted", "epochs"}},
      {"batch", {"cabs", "noise_scale"}}};
  return std::any_of(kDrawing.begin(), kDrawing.end(), [&](const auto& seam) {
    const ConfigNode* name = find_path(cell.config, "policy." + seam.first + ".name");
    return name != nullptr && seam.second.contains(name->scalar);
  });
}

}  // namespace

void add_repetition_notes(Campaign& campaign) {
  std::map<std::string, int> seen;  // by the text that repetitions share
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const Cell& cell = campaign.cells[i];
    const bool is_second = ++seen[without_seed(cell)] == 2;
    if (!is_second || campaign.facts[i].kind == EngineConfig::Kind::live) continue;
    if (draws_decisions(cell) || draws_jobs(*cell.settings, cell)) continue;
    campaign.facts[i].notes.emplace_back(
        "all repetitions give the same result: the jobs are fixed and the policy draws no random "
        "numbers; leave out \"repetitions\" and \"workload.seed\", or make something random: a "
        "generator's jobs, workload.estimate: noisy, or workload.models");
  }
}

}  // namespace mimus::emulator
