// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/mapping_fields.hpp"
#include "workloads/models/layer_reader.hpp"
#include "workloads/models/model_catalogue.hpp"
#include "workloads/models/model_fields.hpp"

namespace mimus::workloads {

Model read_model(const ConfigNode& document) {
  ModelFile model = read_mapping(model_fields(), YamlReader(document, ""));
  model.layers = read_layers(model.listed, "layers", model.grid.points);
  return model;
}

}  // namespace mimus::workloads
