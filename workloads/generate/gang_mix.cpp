// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/gang_mix.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"

namespace mimus::workloads {

GangMix usual_gangs(const GangDefaults& defaults) {
  GangMix mix;
  for (const auto& [gpus, weight] : defaults) mix.gangs.push_back({gpus, weight});
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

}  // namespace mimus::workloads

namespace mimus {

using workloads::GangMix;

GangMix Domain<GangMix>::read(const ConfigNode& node, const std::string& path) const {
  YamlReader weights(node, path);
  GangMix mix{.gangs = {}, .given = true};
  for (const auto& [size, weight] : node.members) {
    const auto gpus = parse_integer(size);
    if (!gpus || *gpus < 1 || *gpus > 1'000'000) {
      weights.fail(size, "a gang size is an integer from 1 to 1000000");
    }
    mix.gangs.push_back(
        {static_cast<int>(*gpus), weights.get<double>(size, workloads::kWeight), weight.where});
  }
  refuse_all_zero(weights, mix.gangs);
  std::sort(mix.gangs.begin(), mix.gangs.end(),
            [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  return mix;
}

std::string Domain<GangMix>::text(const GangMix& mix) const {
  std::string text;
  for (const auto& gang : mix.gangs) {
    text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", gang.gpus, gang.weight);
  }
  return text + "}";
}

}  // namespace mimus
