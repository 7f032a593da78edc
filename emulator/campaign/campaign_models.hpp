// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// The model files of a path: the file, or the .yaml files of the folder by name. Throws
/// ConfigError for what cannot be a model file, at the place under `key` that named it.
[[nodiscard]] std::vector<std::string> model_files_at(const std::string& path,
                                                      const SourceLocation& named_at = {},
                                                      const std::string& key = "");

/// The files in a list of a campaign document, found from the present folder. Throws ConfigError
/// for what cannot be a YAML input.
[[nodiscard]] std::vector<std::string> listed_files(YamlReader& root, const std::string& key);

/// The files under `models:` of a campaign document, found from the present folder. Throws
/// ConfigError for what cannot be a model file.
[[nodiscard]] std::vector<std::string> model_files(YamlReader& root);

/// Adds the models of files to the catalogue and returns their fingerprints, "name=hash", sorted.
/// Throws ConfigError.
std::vector<std::string> add_models(const std::vector<std::string>& files,
                                    workloads::ModelCatalogue& catalogue);

/// The built-in models and those of files and folders. Throws ConfigError.
[[nodiscard]] workloads::ModelCatalogue catalogue_with(const std::vector<std::string>& paths);

}  // namespace mimus::emulator
