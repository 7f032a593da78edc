// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/graph_estimate.hpp"

namespace mimus::scheduler {

const GraphTrees& GraphEstimate::trees_for(const std::string& model) const {
  const std::string left_out = settings_.known ? std::string{} : model;
  const auto found = trees_.find(left_out);
  if (found != trees_.end()) return found->second;
  if (made_.empty()) made_ = profiles_();
  return trees_
      .try_emplace(left_out, std::span<const SoloProfile>(made_), left_out,
                   ProfiledValue::utilisation)
      .first->second;
}

std::optional<double> GraphEstimate::utilisation(const JobView& arriving) const {
  if (!arriving.model.graph.known()) return std::nullopt;
  const auto per_gpu = static_cast<double>(arriving.requested_per_gpu());
  return trees_for(arriving.model.name).predict(arriving.model.graph, per_gpu);
}

std::optional<ReplicaMemory> GraphEstimate::memory(const JobView& arriving) const {
  if (!arriving.model.graph.known()) return std::nullopt;
  return memory_by_formula(arriving.model.graph, settings_.context);
}

}  // namespace mimus::scheduler
