// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/campaign_models.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emulator/campaign/campaign_document.hpp"

namespace mimus::emulator {

std::vector<std::string> add_models(YamlReader& root, workloads::ModelCatalogue& catalogue) {
  std::vector<std::string> hashes;
  if (!root.has("models")) return hashes;
  for (const ConfigNode& item : root.sequence("models")) {
    const auto path = relative_to(item.where, read_scalar<std::string>(item, "models"));
    check_input_file(path, item.where, "models");
    workloads::Model model = workloads::read_model(load_yaml_file(path));
    hashes.push_back(fmt::format("{}={:016x}", model.name, model.fingerprint()));
    catalogue.add(std::move(model));
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace mimus::emulator
