// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/bench/held_out_models.hpp"

#include <cmath>

#include "emulator/testbed/solo_profiles.hpp"
#include "scheduler/estimate/graph_estimate.hpp"

namespace mimus::emulator {
namespace {

using scheduler::GraphTrees;
using scheduler::ProfiledValue;
using scheduler::SoloProfile;

constexpr double kPerCent = 100.0;
constexpr double kMegabyte = 1e6;

ModelPredictions predictions_of(const std::string& model, std::span<const SoloProfile> profiles) {
  const GraphTrees utilisation(profiles, model, ProfiledValue::utilisation);
  const GraphTrees known(profiles, "", ProfiledValue::utilisation);
  const GraphTrees memory(profiles, model, ProfiledValue::memory);
  const Bytes context = scheduler::GraphEstimate::Settings{}.context;
  ModelPredictions out{.model = model};
  for (const SoloProfile& p : profiles) {
    if (p.model != model) continue;
    const auto batch = static_cast<double>(p.per_gpu_batch);
    const double used = kPerCent * p.utilisation;
    const double megabytes = p.memory.value / kMegabyte;
    out.utilisation.push_back({kPerCent * utilisation.predict(p.graph, batch), used});
    out.known_utilisation.push_back({kPerCent * known.predict(p.graph, batch), used});
    const Bytes formula = scheduler::memory_by_formula(p.graph, context).at(batch);
    out.memory.push_back({formula.value / kMegabyte, megabytes});
    out.tree_memory.push_back({memory.predict(p.graph, batch) / kMegabyte, megabytes});
  }
  return out;
}

}  // namespace

std::vector<ModelPredictions> held_out_models(const workloads::ModelCatalogue& models,
                                              const std::string& gpu_type) {
  const std::vector<SoloProfile> profiles = solo_profiles(models, gpu_type);
  std::vector<ModelPredictions> all;
  for (const SoloProfile& profile : profiles) {
    if (!all.empty() && all.back().model == profile.model) continue;
    all.push_back(predictions_of(profile.model, profiles));
  }
  return all;
}

double mean_difference(std::span<const Prediction> predictions) {
  double sum = 0.0;
  for (const Prediction& p : predictions) sum += std::abs(p.predicted - p.actual);
  return sum / static_cast<double>(predictions.size());
}

}  // namespace mimus::emulator
