// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/fields.hpp"
#include "workloads/models/layer_shape.hpp"

namespace mimus::workloads {

/// One operator that a layer of a model file can be: `op:` names it, its shape stands beside it.
struct LayerOperator {
  std::string name;
  std::string summary;  ///< one line
  Fields<LayerKeys> keys;
  Layer (*make)(const LayerKeys&);
};

[[nodiscard]] const std::vector<LayerOperator>& layer_operators();
/// Those of them that are on a grid.
[[nodiscard]] std::vector<LayerOperator> grid_operators();

/// `layers`: operators or groups of them, as they are written.
template <class S>
[[nodiscard]] Field<S> layers_field(std::vector<ConfigNode> S::*member) {
  const ValueSpec spec{
      .type = ValueSpec::Type::layer, .form = ValueSpec::Form::list, .at_least_one = true};
  return {{"layers", spec, "", "in forward order"}, [member](YamlReader& reader, S& settings) {
            settings.*member = reader.sequence("layers");
            if ((settings.*member).empty()) reader.fail("layers", "needs at least one layer");
          }};
}

/// A group of layers that follows itself, whose own `layers` are of the same kinds again.
struct LayerGroup {
  int repeat = 1;
  std::vector<ConfigNode> layers;
};
[[nodiscard]] const Fields<LayerGroup>& layer_group_fields();

}  // namespace mimus::workloads
