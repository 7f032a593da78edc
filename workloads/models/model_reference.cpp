// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_reference.hpp"

namespace mimus::workloads {

const Model& ModelReference::resolve(const ModelCatalogue& models) const {
  try {
    if (const Model* model = models.find(name)) return *model;
  } catch (const UsageError& wrong_split) {
    throw ConfigError(where, path, wrong_split.what());
  }
  throw ConfigError(where, path, models.unknown_message(name));
}

}  // namespace mimus::workloads
