// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/layer_reader.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.hpp"
#include "workloads/layer_shape.hpp"

namespace mimus::workloads {
namespace {

constexpr std::size_t kMostLayers = 20'000;

struct Operator {
  const char* name;
  Layer (*read)(YamlReader&);
};

constexpr std::array kOperators{Operator{"convolution", read_convolution},
                                Operator{"linear", read_linear},
                                Operator{"batched_matmul", read_batched_matmul},
                                Operator{"gru", read_gru},
                                Operator{"embedding", read_embedding},
                                Operator{"batch_norm", read_batch_norm},
                                Operator{"layer_norm", read_layer_norm},
                                Operator{"activation", read_activation},
                                Operator{"residual_add", read_residual_add},
                                Operator{"softmax", read_softmax},
                                Operator{"dropout", read_dropout},
                                Operator{"max_pool", read_max_pool},
                                Operator{"average_pool", read_average_pool},
                                Operator{"upsample", read_upsample},
                                Operator{"concat", read_concat},
                                Operator{"elementwise", read_elementwise}};

class LayerListReader {
 public:
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
    const auto times = reader.get<std::int64_t>("repeat", {.min = 1.0, .max = 1000.0});
    const auto& items = reader.sequence("layers");
    if (items.empty()) reader.fail("layers", "needs at least one layer");
    for (std::int64_t i = 0; i < times; ++i) read(items, reader.child_path("layers"));
  }

  void read_layer(YamlReader& reader) {
    const auto op = reader.get<std::string>("op");
    const auto* found = std::find_if(kOperators.begin(), kOperators.end(),
                                     [&](const Operator& o) { return op == o.name; });
    if (found == kOperators.end()) {
      reader.fail("op", unknown_name_message("operator", op, layer_ops()));
    }
    if (layers_.size() >= kMostLayers) {
      reader.fail("op", fmt::format("the model has more than {} layers", kMostLayers));
    }
    const auto label = reader.get_or<std::string>("name", op);
    layers_.push_back(found->read(reader));
    layers_.back().name = fmt::format("{}.{}", layers_.size() - 1, label);
  }

  std::vector<Layer> layers_;
};

}  // namespace

std::vector<std::string> layer_ops() {
  std::vector<std::string> names;
  for (const Operator& op : kOperators) names.emplace_back(op.name);
  return names;
}

std::vector<Layer> read_layers(const std::vector<ConfigNode>& items, const std::string& path) {
  LayerListReader reader;
  reader.read(items, path);
  return reader.take();
}

}  // namespace mimus::workloads
