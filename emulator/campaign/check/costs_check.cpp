// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/costs_check.hpp"

namespace mimus::emulator {

void check_start_costs(const Cell& cell, const TransitionCosts& costs,
                       const workloads::ModelCatalogue& models) {
  for (const auto& [model, start] : costs.start_of) {
    if (models.find(model) != nullptr) continue;
    const ConfigNode* named = find_path(cell.config, "engine.costs.start_of")->find(model);
    throw ConfigError(named->where, "engine.costs.start_of", models.unknown_message(model));
  }
}

}  // namespace mimus::emulator
