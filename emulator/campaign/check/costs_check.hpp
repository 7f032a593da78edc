// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"
#include "emulator/cell_config.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// Throws ConfigError at a model of `engine.costs.start_of` that is neither built in nor one of the
/// campaign's.
void check_start_costs(const Cell& cell, const TransitionCosts& costs,
                       const workloads::ModelCatalogue& models);

}  // namespace mimus::emulator
