// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/graph_predictors.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kFp32 = 4.0;  ///< bytes of a number
constexpr std::array kFeatureNames{"FLOP",       "activations", "input",        "FLOP per operator",
                                   "parameters", "operators",   "convolutions", "batch"};
/// Few profiles, so small leaves.
constexpr BoostingRules kGraphRules{
    .trees = 100, .rate = 0.1, .tree = {.max_depth = 4, .min_leaf = 2}};

double target_of(const SoloProfile& profile, ProfiledValue value) {
  return value == ProfiledValue::utilisation ? profile.utilisation : std::log(profile.memory.value);
}

}  // namespace

std::vector<double> graph_features(const ModelGraph& graph, double per_gpu_batch) {
  const double flop = per_gpu_batch * graph.forward.value;
  return {flop,
          per_gpu_batch * graph.activations.value,
          per_gpu_batch * graph.input.value,
          flop / std::max(1, graph.operators),
          graph.parameters,
          static_cast<double>(graph.operators),
          static_cast<double>(graph.convolutions),
          per_gpu_batch};
}

std::span<const char* const> graph_feature_names() {
  return kFeatureNames;
}

GraphTrees::GraphTrees(std::span<const SoloProfile> profiles, const std::string& left_out,
                       ProfiledValue value)
    : value_(value) {
  std::vector<std::vector<double>> columns(kFeatureNames.size());
  std::vector<double> targets;
  for (const SoloProfile& profile : profiles) {
    if (profile.model == left_out) continue;
    const auto features = graph_features(profile.graph, static_cast<double>(profile.per_gpu_batch));
    for (std::size_t f = 0; f < columns.size(); ++f) columns[f].push_back(features[f]);
    targets.push_back(target_of(profile, value));
  }
  ensure(!targets.empty(), "trees are to be grown from no profile");
  trees_.emplace(Examples(std::move(columns)), std::move(targets), kGraphRules);
}

double GraphTrees::predict(const ModelGraph& graph, double per_gpu_batch) const {
  const double predicted = trees_->predict(graph_features(graph, per_gpu_batch));
  return value_ == ProfiledValue::utilisation ? std::clamp(predicted, 0.0, 1.0)
                                              : std::exp(predicted);
}

ReplicaMemory memory_by_formula(const ModelGraph& graph, Bytes context) {
  const double per_parameter = 2.0 + graph.moments;
  return {context + Bytes{kFp32 * per_parameter * graph.parameters}, 2.0 * graph.activations};
}

}  // namespace mimus::scheduler
