// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// Reads the `layers:` list of a model file: layers by shape (`op:` names one of layer_ops()) and
/// `{repeat: n, layers: [...]}` groups, unrolled. Layer names are made unique by their position.
/// With `points` along the sides of a grid all layers are on it, without none is. Throws
/// ConfigError; also when more than 20,000 layers would result.
[[nodiscard]] std::vector<Layer> read_layers(const std::vector<ConfigNode>& items,
                                             const std::string& path, std::int64_t points = 0);

/// Names of all operators a layer can be, for messages and the docs.
[[nodiscard]] std::vector<std::string> layer_ops();

}  // namespace mimus::workloads
