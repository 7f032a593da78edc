// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/profile_file.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// Refuses a profile of a model whose footprint has changed since: what was measured is another
/// model's. Models that `models` does not have do not matter. Throws ConfigError.
void check_fingerprints(const std::string& path, const results::ProfileContent& profile,
                        const workloads::ModelCatalogue& models);

/// Refuses what was measured on another GPU type than `wanted`, the cluster's. `measured` is empty
/// where a file does not say. Throws ConfigError.
void check_gpu_type(const std::string& path, const std::string& measured,
                    const std::string& wanted);

}  // namespace mimus::emulator
