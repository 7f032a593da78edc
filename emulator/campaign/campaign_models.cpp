// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_models.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/relative_path.hpp"
#include "emulator/campaign/campaign_document.hpp"

namespace mimus::emulator {

std::vector<std::string> model_files_at(const std::string& path, const SourceLocation& named_at,
                                        const std::string& key) {
  std::vector<std::string> files;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    files.push_back(path);
  } else {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const auto extension = entry.path().extension();
      if (extension == ".yaml" || extension == ".yml") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
      const auto fault = fmt::format("\"{}\" is a folder without a model file (.yaml)", path);
      throw ConfigError(named_at, key, fault);
    }
  }
  for (const std::string& file : files) check_input_file(file, named_at, key);
  return files;
}

std::vector<std::string> listed_files(YamlReader& root, const std::string& key) {
  std::vector<std::string> files;
  if (!root.has(key)) return files;
  for (const ConfigNode& item : root.sequence(key)) {
    const auto path = relative_to(item.where, read_scalar<std::string>(item, key));
    const auto named = model_files_at(path, item.where, key);
    files.insert(files.end(), named.begin(), named.end());
  }
  return files;
}

std::vector<std::string> model_files(YamlReader& root) {
  return listed_files(root, "models");
}

std::vector<std::string> add_models(const std::vector<std::string>& files,
                                    workloads::ModelCatalogue& catalogue) {
  std::vector<std::string> hashes;
  for (const std::string& file : files) {
    workloads::Model model = workloads::read_model(load_yaml_file(file));
    hashes.push_back(fmt::format("{}={:016x}", model.name, model.fingerprint()));
    catalogue.add(std::move(model));
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

workloads::ModelCatalogue catalogue_with(const std::vector<std::string>& paths) {
  auto catalogue = workloads::ModelCatalogue::built_in();
  for (const std::string& path : paths) (void)add_models(model_files_at(path), catalogue);
  return catalogue;
}

}  // namespace mimus::emulator
