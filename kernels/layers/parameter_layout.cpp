// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/parameter_layout.hpp"

#include <algorithm>

#include "kernels/launch/alignment.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kElementAlignment = 128;
constexpr double kGradientBytes = 4.0;

/// Cuts the layout into the model's buckets while the tensors are placed in order.
class BucketCutter {
 public:
  explicit BucketCutter(const workloads::Model& model) : sizes_(model.buckets()) {}

  void add(const TensorSpan& tensor, std::vector<TensorSpan>& buckets) {
    filled_ += kGradientBytes * static_cast<double>(tensor.elements);
    const std::int64_t end = align_up(tensor.first + tensor.elements, kElementAlignment);
    if (filled_ < sizes_[buckets.size()].size.value) return;
    buckets.push_back({begin_, end - begin_});
    begin_ = end;
    filled_ = 0.0;
  }

 private:
  std::vector<workloads::Bucket> sizes_;
  std::int64_t begin_ = 0;
  double filled_ = 0.0;
};

}  // namespace

ParameterLayout lay_out_parameters(const workloads::Model& model) {
  ParameterLayout layout;
  layout.layers.resize(model.layers.size());
  BucketCutter cutter(model);
  for (std::size_t i = model.layers.size(); i-- > 0;) {
    const auto& tensors = model.layers[i].parameter_tensors;
    layout.layers[i].resize(tensors.size());
    for (std::size_t t = tensors.size(); t-- > 0;) {
      layout.layers[i][t] = {layout.elements, tensors[t]};
      layout.elements += align_up(tensors[t], kElementAlignment);
      cutter.add(layout.layers[i][t], layout.buckets);
    }
  }
  return layout;
}

std::optional<std::size_t> tied_table(const workloads::Model& model, std::size_t layer) {
  const auto& dense = model.layers[layer].geometry;
  if (!dense.tied) return std::nullopt;
  for (std::size_t i = layer; i-- > 0;) {
    if (is_table_of(model.layers[i].geometry, dense)) return i;
  }
  return std::nullopt;
}

bool shares_weights(const workloads::Model& model, std::size_t layer) {
  for (std::size_t i = layer + 1; i < model.layers.size(); ++i) {
    if (tied_table(model, i) == layer) return true;
  }
  return false;
}

std::int64_t room_of(const TensorSpan& tensor) {
  return align_up(tensor.elements, kElementAlignment);
}

std::vector<TensorSpan> registered_tensors(const ParameterLayout& layout) {
  std::vector<TensorSpan> all;
  for (const auto& tensors : layout.layers) all.insert(all.end(), tensors.begin(), tensors.end());
  return all;
}

std::int64_t part_elements(const ParameterLayout& layout, int parts) {
  if (parts == 1) return layout.elements;
  return align_up((layout.elements + parts - 1) / parts, kElementAlignment);
}

std::vector<TensorSpan> tensors_of_part(const ParameterLayout& layout, int parts) {
  const std::int64_t end = part_elements(layout, parts);
  std::vector<TensorSpan> tensors = registered_tensors(layout);
  for (TensorSpan& tensor : tensors) {
    tensor.elements = std::clamp<std::int64_t>(end - tensor.first, 0, tensor.elements);
  }
  std::erase_if(tensors, [](const TensorSpan& tensor) { return tensor.elements == 0; });
  return tensors;
}

}  // namespace mimus::kernels
