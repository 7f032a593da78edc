// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/profile_file.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// Refuses a profile of a model whose footprint has changed since, because its measurements are of
/// another model. Models that `models` does not have do not matter. Throws ConfigError.
void check_fingerprints(const std::string& path, const results::ProfileContent& profile,
                        const workloads::ModelCatalogue& models);

/// Refuses measurements on another GPU type than `wanted`, the cluster's. `measured` is empty if a
/// file does not name its type. Throws ConfigError.
void check_gpu_type(const std::string& path, const std::string& measured,
                    const std::string& wanted);

}  // namespace mimus::emulator
