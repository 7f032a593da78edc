// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/data_check.hpp"

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "scheduler/cache/cache.hpp"

namespace mimus::emulator {
namespace {

[[noreturn]] void refuse_data(const Cell& cell, const char* key, const std::string& why) {
  const ConfigNode* node = find_path(cell.config, key);
  throw ConfigError(node != nullptr ? node->where : cell.config.where, key, why);
}

}  // namespace

void check_data(const Cell& cell, const CellConfig& config, bool run_times) {
  const DataConfig& data = config.cluster.data;
  if (config.row->cache->acts() && !data.cache) {
    refuse_data(cell, "policy.cache",
                "keeps data sets in memory, but the cluster states none for them; set "
                "cluster.data.cache, or policy.cache: none");
  }
  if (!data.is_stated()) return;
  const EngineConfig& engine = config.engine;
  const bool live = engine.kind == EngineConfig::Kind::live;
  if (live && !engine.on_cuda() && engine.pace == EngineConfig::Pace::none) {
    refuse_data(cell, "cluster.data",
                "how fast a job reads follows from how long its modelled steps take alone, which "
                "those of cores without a pace do not resemble; set engine.pace: datasheet, or "
                "leave it out");
  }
  if (engine.replay != EngineConfig::Replay::none) {
    refuse_data(cell, "cluster.data",
                "the simulator that engine.replay follows reads no data; leave one of them out");
  }
  if (run_times) {
    refuse_data(cell, "cluster.data",
                "recorded run times do not say how much a job reads per second; set "
                "engine.step_time to analytic or measured, or leave it out");
  }
}

std::string why_no_data(const CellConfig& config, const workloads::Job& job,
                        const JobTraits& before) {
  if (job.data_set.empty() || !config.cluster.data.is_stated()) return "";
  if (job.data_size == Bytes{}) {
    return fmt::format(
        "reads data set \"{}\", whose size is not stated; give the job data_size, or add the set "
        "to "
        "workload.data_sets",
        job.data_set);
  }
  const auto known = before.data_sets.find(job.data_set);
  if (known == before.data_sets.end() || known->second == job.data_size) return "";
  return fmt::format(
      "reads data set \"{}\" of {}, which has {} for an earlier job; state one size, or use two "
      "names",
      job.data_set, format_bytes(job.data_size), format_bytes(known->second));
}

void add_data_notes(const Cell& cell, const CellConfig& config, const JobTraits& traits,
                    std::vector<std::string>& notes) {
  const bool stated = config.cluster.data.is_stated();
  if (stated == !traits.data_sets.empty() || (!traits.of_all_jobs && stated)) return;
  if (!stated) {
    notes.emplace_back(
        "jobs name data sets, but cluster.data states no bandwidth at which they are read: reading "
        "takes no time");
    return;
  }
  const ConfigNode* node = find_path(cell.config, "cluster.data");
  notes.push_back(fmt::format("{}: cluster.data has no effect: no job names a data set",
                              node != nullptr ? node->where.str() : "cluster.data"));
}

}  // namespace mimus::emulator
