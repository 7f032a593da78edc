// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/model_reference.hpp"

namespace mimus::workloads {

const Model& ModelReference::resolve(const ModelCatalogue& models) const {
  if (const Model* model = models.find(name)) return *model;
  throw ConfigError(where, path, unknown_name_message("model", name, models.names()));
}

}  // namespace mimus::workloads
