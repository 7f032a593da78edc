// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_models.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emulator/campaign/campaign_document.hpp"

namespace mimus::emulator {

std::vector<std::string> model_files(YamlReader& root) {
  std::vector<std::string> files;
  if (!root.has("models")) return files;
  for (const ConfigNode& item : root.sequence("models")) {
    files.push_back(relative_to(item.where, read_scalar<std::string>(item, "models")));
    check_input_file(files.back(), item.where, "models");
  }
  return files;
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

}  // namespace mimus::emulator
