// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/bench/prediction_error.hpp"

namespace mimus::emulator {

/// Predictions for the profiles of one model from those of all others, or with its own.
struct ModelPredictions {
  std::string model{};
  std::vector<Prediction> utilisation{};        ///< [%], by trees (GraphTrees)
  std::vector<Prediction> known_utilisation{};  ///< the same with the model's own profiles
  std::vector<Prediction> memory{};             ///< [MB], by the formula (memory_by_formula)
  std::vector<Prediction> tree_memory{};        ///< [MB], by trees
};

/// For every model of the catalogue on GPUs of this type (solo_profiles).
[[nodiscard]] std::vector<ModelPredictions> held_out_models(const workloads::ModelCatalogue& models,
                                                            const std::string& gpu_type);

/// Mean of |predicted − actual|.
[[nodiscard]] double mean_difference(std::span<const Prediction> predictions);

}  // namespace mimus::emulator
