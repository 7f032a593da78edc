// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/model_catalogue.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_models();
}  // namespace mimus::embedded

namespace mimus::workloads {

ModelCatalogue ModelCatalogue::built_in() {
  ModelCatalogue catalogue;
  for (const auto& [file, text] : embedded::embedded_models()) {
    catalogue.add(read_model(parse_yaml(std::string(text), std::string(file))));
  }
  return catalogue;
}

void ModelCatalogue::add(Model model) {
  std::string key = model.name;
  models_.insert_or_assign(std::move(key), std::move(model));
}

const Model* ModelCatalogue::find(const std::string& name) const {
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : &found->second;
}

const Model& ModelCatalogue::at(const std::string& name) const {
  if (const Model* model = find(name)) return *model;
  throw UsageError(unknown_name_message("model", name, names()));
}

std::vector<std::string> ModelCatalogue::names() const {
  std::vector<std::string> out;
  for (const auto& [name, model] : models_) out.push_back(name);
  return out;
}

}  // namespace mimus::workloads
