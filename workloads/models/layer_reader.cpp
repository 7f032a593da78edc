// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "workloads/models/layer_inputs.hpp"
#include "workloads/models/layer_operators.hpp"

namespace mimus::workloads {
namespace {

constexpr std::size_t kMostLayers = 20'000;

class LayerListReader {
 public:
  explicit LayerListReader(std::int64_t points) : points_(points) {}

  std::vector<Layer> take() { return std::move(layers_); }

  void read(const std::vector<ConfigNode>& items, const std::string& path) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      YamlReader reader(items[i], fmt::format("{}[{}]", path, i));
      if (reader.has("repeat")) {
        read_group(reader);
      } else {
        read_layer(reader);
      }
      reader.finish();
    }
  }

 private:
  void read_group(YamlReader& reader) {
    const LayerGroup group = read_fields(layer_group_fields(), reader);
    for (int i = 0; i < group.repeat; ++i) read(group.layers, reader.child_path("layers"));
  }

  void read_layer(YamlReader& reader) {
    const auto op = reader.get<std::string>("op");
    const auto& operators = layer_operators();
    const auto found = std::find_if(operators.begin(), operators.end(),
                                    [&](const LayerOperator& o) { return op == o.name; });
    if (found == operators.end()) {
      reader.fail("op", unknown_name_message("operator", op, layer_ops()));
    }
    if (layers_.size() >= kMostLayers) {
      reader.fail("op", fmt::format("the model has more than {} layers", kMostLayers));
    }
    LayerKeys keys = read_fields(found->keys, reader);
    keys.points = points_;
    const std::string label = keys.name.value_or(op);
    Layer layer = found->make(keys);
    check_grid(reader, layer);
    layer.name = fmt::format("{}.{}", layers_.size(), label);
    inputs_.resolve(reader, keys, layers_, layer);
    inputs_.add(label, layers_.size());
    layers_.push_back(std::move(layer));
    if (layers_.back().geometry.tied) check_table(reader);
  }

  void check_grid(const YamlReader& reader, const Layer& layer) const {
    const bool on_grid = layer.geometry.grid.kernel != GridKernel::none;
    if (on_grid == (points_ > 0)) return;
    reader.fail("op", on_grid ? "works on a grid, which the model does not have; add grid: "
                                "{points: 256, fields: 10} to the model"
                              : "is a layer of training, but the model has a grid; use fft, "
                                "interpolation, stencil and pointwise, or remove the grid");
  }

  /// If the last layer shares the weights of an embedding, that embedding must exist.
  void check_table(const YamlReader& reader) const {
    const LayerGeometry& dense = layers_.back().geometry;
    const auto fits = [&](const Layer& layer) { return is_table_of(layer.geometry, dense); };
    if (std::any_of(layers_.begin(), layers_.end(), fits)) return;
    reader.fail("tied", fmt::format("layer {} has no weights: tied needs an earlier embedding of "
                                    "out x in, which is {} entries of {} features; add it, or "
                                    "remove tied",
                                    layers_.back().name, dense.out, dense.in));
  }

  std::int64_t points_;
  std::vector<Layer> layers_;
  LayerInputs inputs_;
};

}  // namespace

std::vector<std::string> layer_ops() {
  std::vector<std::string> names;
  for (const LayerOperator& op : layer_operators()) names.push_back(op.name);
  return names;
}

std::vector<Layer> read_layers(const std::vector<ConfigNode>& items, const std::string& path,
                               std::int64_t points) {
  LayerListReader reader(points);
  reader.read(items, path);
  return reader.take();
}

}  // namespace mimus::workloads
