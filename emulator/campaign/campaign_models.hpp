// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/model_catalogue.hpp"

namespace mimus::emulator {

/// Adds the files under `models:` of a campaign document to the catalogue and returns their
/// fingerprints, "name=hash", sorted. Throws ConfigError.
std::vector<std::string> add_models(YamlReader& root, workloads::ModelCatalogue& catalogue);

}  // namespace mimus::emulator
