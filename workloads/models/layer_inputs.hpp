// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/models/layer_shape.hpp"

namespace mimus::workloads {

/// Resolves `inputs: [names]` of the layers of a model file. A layer's name is its `name`, or else
/// its operator, and means the latest layer of that name: so a group that is repeated can name what
/// the repetition before it has made.
class LayerInputs {
 public:
  /// Layer number `index` can be named from now on.
  void add(const std::string& name, std::size_t index) { latest_[name] = index; }

  /// Fills in Layer::inputs of the layer that follows `before`. ConfigError when a name is unknown,
  /// and when a sum or a concatenation does not say what it joins, or that does not fit.
  void resolve(const YamlReader& reader, const LayerKeys& keys, const std::vector<Layer>& before,
               Layer& layer) const;

 private:
  [[nodiscard]] std::size_t index_of(const NamedLayer& named) const;

  std::map<std::string, std::size_t> latest_;
};

}  // namespace mimus::workloads
