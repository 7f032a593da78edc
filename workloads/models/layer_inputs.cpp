// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_inputs.hpp"

#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// The number of layers that an operator may read.
struct Counts {
  std::size_t least = 0;
  std::size_t most = 1;
};

Counts counts_of(Operator op) {
  switch (op) {
    case Operator::residual_add:
      return {2, 2};
    case Operator::concat:
      return {2, kAnyNumber};
    case Operator::elementwise:
      return {0, kAnyNumber};
    case Operator::batched_matmul:
      return {0, 2};
    default:
      return {};
  }
}

void check_count(const YamlReader& reader, const Layer& layer) {
  const auto [least, most] = counts_of(layer.geometry.op);
  if (layer.inputs.size() < least) {
    reader.fail("inputs", fmt::format("layer {} joins branches: name the layers that end them, "
                                      "e.g. inputs: [convolution, trunk]",
                                      layer.name));
  }
  if (layer.inputs.size() > most) {
    reader.fail("inputs", fmt::format("layer {} reads {} layers, but its operator at most {}",
                                      layer.name, layer.inputs.size(), most));
  }
}

/// Summands must be as large as their sum, and parts must add up to the whole.
void check_sizes(const YamlReader& reader, const std::vector<Layer>& before, const Layer& layer) {
  const bool adds = layer.geometry.op == Operator::residual_add;
  if (!adds && layer.geometry.op != Operator::concat) return;
  const std::int64_t output = layer.geometry.elements;
  std::int64_t together = 0;
  for (const std::size_t back : layer.inputs) {
    const Layer& input = before[before.size() - back];
    together += input.geometry.elements;
    if (!adds || input.geometry.elements == output) continue;
    reader.fail("inputs", fmt::format("layer {} adds tensors of {} elements, but {} gives {}",
                                      layer.name, output, input.name, input.geometry.elements));
  }
  if (adds || together == output) return;
  reader.fail("inputs", fmt::format("layer {} has {} elements, but its inputs {} together",
                                    layer.name, output, together));
}

}  // namespace

void LayerInputs::resolve(const YamlReader& reader, const LayerKeys& keys,
                          const std::vector<Layer>& before, Layer& layer) const {
  if (layer.geometry.op == Operator::embedding) {
    layer.inputs.clear();
    return;
  }
  if (keys.inputs) {
    layer.inputs.clear();
    for (const NamedLayer& named : *keys.inputs) {
      layer.inputs.push_back(before.size() - index_of(named));
    }
  }
  check_count(reader, layer);
  check_sizes(reader, before, layer);
}

std::size_t LayerInputs::index_of(const NamedLayer& named) const {
  if (const auto found = latest_.find(named.name); found != latest_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, index] : latest_) names.push_back(known);
  throw ConfigError(named.where, named.path,
                    names.empty() ? "no layer comes before the first, which reads the model's input"
                                  : unknown_name_message("earlier layer", named.name, names));
}

}  // namespace mimus::workloads
