// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/registry.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// One operator that a layer of a model file can be: `op:` names it, its shape stands beside it.
struct LayerOperator {
  std::string name;
  std::string summary;  ///< one line
  std::vector<ParameterInfo> parameters;
  Layer (*read)(YamlReader&);
};

[[nodiscard]] const std::vector<LayerOperator>& layer_operators();

}  // namespace mimus::workloads
