// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_catalogue.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_models();
}  // namespace mimus::embedded

namespace mimus::workloads {

namespace {

/// The file "models/resnet50.yaml" holds the model "resnet50", which a test checks.
std::string model_name(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  return std::string(file.substr(0, file.find('.')));
}

Model read_built_in(const std::string& name) {
  for (const auto& [file, text] : embedded::embedded_models()) {
    if (model_name(file) != name) continue;
    return read_model(parse_embedded_yaml(std::string(text), std::string(file)));
  }
  throw InternalError("a model is listed that is not embedded");
}

}  // namespace

ModelCatalogue ModelCatalogue::built_in() {
  ModelCatalogue catalogue;
  for (const auto& [file, text] : embedded::embedded_models()) {
    catalogue.models_.emplace(model_name(file), std::nullopt);
  }
  return catalogue;
}

void ModelCatalogue::add(Model model) {
  std::string key = model.name;
  std::erase_if(split_, [&](const auto& split) { return split.first.starts_with(key + "@"); });
  models_.insert_or_assign(std::move(key), std::move(model));
}

const Model* ModelCatalogue::find(const std::string& name) const {
  const auto found = models_.find(name);
  if (found == models_.end()) return find_split(name);
  if (!found->second) found->second = read_built_in(name);
  return &*found->second;
}

const Model* ModelCatalogue::find_split(const std::string& name) const {
  const auto known = split_.find(name);
  if (known != split_.end()) return &known->second;
  const std::size_t at = name.find('@');
  if (at == std::string::npos || !models_.contains(name.substr(0, at))) return nullptr;
  const auto parts = parse_split_name(name);
  Model split = *find(parts->model);
  split.name = name;
  if (parts->points > 0) {
    if (!split.grid.used()) {
      throw UsageError(
          fmt::format("model \"{}\": {} has no grid whose points could be set; leave out n{}", name,
                      parts->model, parts->points));
    }
    set_points(split, parts->points);
  }
  split.split = parts->split;
  return &split_.emplace(name, std::move(split)).first->second;
}

const Model& ModelCatalogue::at(const std::string& name) const {
  if (const Model* model = find(name)) return *model;
  throw UsageError(unknown_message(name));
}

std::string ModelCatalogue::unknown_message(const std::string& name) const {
  return unknown_name_message("model", name.substr(0, name.find('@')), names());
}

std::vector<std::string> ModelCatalogue::names() const {
  std::vector<std::string> out;
  for (const auto& [name, model] : models_) out.push_back(name);
  return out;
}

}  // namespace mimus::workloads
