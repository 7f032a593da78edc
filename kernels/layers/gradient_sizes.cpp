// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/gradient_sizes.hpp"

#include <algorithm>

#include "kernels/launch/alignment.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::Operator;

bool has_input_gradient(const Layer& layer, const LayerWidths& widths) {
  switch (layer.geometry.op) {
    case Operator::embedding:
      return false;
    case Operator::convolution:
      return layer.geometry.input_gradient;
    case Operator::concat:
    case Operator::elementwise:
      return layer.backward_kernels > 0 || widths.casts;
    default:
      return true;
  }
}

/// Layers that map a tensor to one of the same shape write as much as they read.
std::int64_t input_gradient(const Layer& layer, const LayerWidths& widths, const LayerSizes& s) {
  switch (layer.geometry.op) {
    case Operator::convolution:
    case Operator::linear:
    case Operator::batched_matmul:
    case Operator::gru:
      return align_up(s.arriving) + s.second;
    case Operator::max_pool:
    case Operator::average_pool:
    case Operator::upsample:
      return s.arriving;
    default:
      return widths.casts ? s.arriving : std::max(s.arriving, s.output);
  }
}

}  // namespace

GradientSizes::GradientSizes(const workloads::Model& model, const std::vector<LayerWidths>& widths,
                             const std::vector<LayerSizes>& sizes,
                             const std::vector<AttentionRun>& runs)
    : needed_(sizes.size() + 1, kTensorAlignment) {
  std::vector<std::int64_t> input(sizes.size());
  std::vector<std::int64_t> output(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    written_.push_back(has_input_gradient(model.layers[i], widths[i]));
    if (written_[i]) input[i] = input_gradient(model.layers[i], widths[i], sizes[i]);
    output[i] = std::max(sizes[i].output, sizes[i].widest);
  }
  for (const AttentionRun& run : runs) {
    // One launch leads from the last layer's output to query, key and value of the first layer.
    for (std::size_t i = run.first; i <= run.last; ++i) {
      if (i > run.first) input[i] = 0;
      if (i < run.last) output[i] = 0;
      written_[i] = i == run.first;
    }
    input[run.first] = 3 * align_up(sizes[run.last].output);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    needed_[i] = std::max(needed_[i], input[i]);
    needed_[i + 1] = std::max(needed_[i + 1], output[i]);
  }
}

}  // namespace mimus::kernels
