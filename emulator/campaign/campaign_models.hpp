// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/model_catalogue.hpp"

namespace mimus::emulator {

/// The files under `models:` of a campaign document, found from the present folder. Throws
/// ConfigError for what cannot be a model file.
[[nodiscard]] std::vector<std::string> model_files(YamlReader& root);

/// Adds the models of files to the catalogue and returns their fingerprints, "name=hash", sorted.
/// Throws ConfigError.
std::vector<std::string> add_models(const std::vector<std::string>& files,
                                    workloads::ModelCatalogue& catalogue);

}  // namespace mimus::emulator
