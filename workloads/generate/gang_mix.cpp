// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/gang_mix.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"

namespace mimus::workloads {

GangMix read_gang_mix(YamlReader& reader, const GangDefaults& defaults) {
  GangMix mix;
  mix.given = reader.has("gangs");
  if (!mix.given) {
    for (const auto& [gpus, weight] : defaults) mix.gangs.push_back({gpus, weight});
    return mix;
  }
  YamlReader weights = reader.map("gangs");
  for (const auto& [size, node] : weights.mapping().members) {
    const auto gpus = parse_integer(size);
    if (!gpus || *gpus < 1 || *gpus > 1'000'000) {
      weights.fail(size, "a gang size is an integer from 1 to 1000000");
    }
    mix.gangs.push_back(
        {static_cast<int>(*gpus), weights.get<double>(size, {.min = 0.0, .max = 1e9}), node.where});
  }
  refuse_all_zero(reader, "gangs", mix.gangs);
  std::sort(mix.gangs.begin(), mix.gangs.end(),
            [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  return mix;
}

FittingGangs::FittingGangs(const std::vector<WeightedGang>& all, std::size_t fitting)
    : gangs_(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(fitting)),
      all_(weights_of(all)),
      fitting_(weights_of(gangs_)) {}

std::size_t FittingGangs::draw(RandomStream& random) const {
  const std::size_t drawn = all_.draw(random);
  return drawn < gangs_.size() ? drawn : fitting_.draw(random);
}

FittingGangs GangMix::fitting(int cluster_gpus, std::vector<std::string>& notes) const {
  std::size_t kept = 0;
  std::vector<int> left_out;
  for (const WeightedGang& gang : gangs) {
    if (gang.gpus <= cluster_gpus) {
      ++kept;
    } else if (given && gang.weight > 0.0) {
      throw ConfigError(gang.where, "gangs",
                        fmt::format("gangs of {} GPUs do not fit the cluster, which has {}",
                                    gang.gpus, cluster_gpus));
    } else {
      left_out.push_back(gang.gpus);
    }
  }
  if (!left_out.empty()) {
    notes.push_back(fmt::format("gang sizes {} left out: the cluster has {} GPUs",
                                fmt::join(left_out, ", "), cluster_gpus));
  }
  return {gangs, kept};
}

ParameterInfo gang_parameter(const GangDefaults& defaults) {
  std::string text;
  for (const auto& [gpus, weight] : defaults) {
    text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", gpus, weight);
  }
  return {"gangs", "mapping", text + "}", "weights >= 0",
          "gang size to weight; default sizes above the cluster's are left out"};
}

}  // namespace mimus::workloads
