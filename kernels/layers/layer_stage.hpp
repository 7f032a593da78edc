// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layers/replica_layout.hpp"

namespace mimus::kernels {

enum class Pass { forward, backward };

/// One layer, at full size and in its place: all that its launches depend on.
struct LayerStage {
  const workloads::Layer& layer;
  const workloads::LayerGeometry& geometry;
  LayerPlaces places;
  std::int64_t batch = 1;
  std::int64_t bytes = 4;  ///< of an element of its own tensors
  LayerWidths widths;
  std::int64_t input_elements = 0;
  Arithmetic arithmetic = Arithmetic::fp32;
  /// Its parameter tensors; the first one of a tied layer is the table that it shares.
  std::vector<TensorSpan> parameters;
  std::int64_t row = 1;         ///< length of a softmax
  bool shares_weights = false;  ///< with a later layer
  bool shares_input = false;    ///< with an earlier linear layer
  bool loss = false;
  /// Mixed precision: a mask is fp32, so its addition by the previous layer gives the width of this
  /// softmax. Number of mask elements; 0: none is added here.
  std::int64_t mask_elements = 0;
  bool hands_on_mask = false;  ///< the next layer's stage contains this one's last kernel
  TensorRef half_weights;
  TensorRef counters;

  /// Mixed precision: products and convolutions take 16-bit copies of their parameters.
  [[nodiscard]] bool casts_parameters() const;
  [[nodiscard]] std::int64_t elements() const { return batch * geometry.elements; }

  /// Parameter tensor `i` as the layer's kernels read it.
  [[nodiscard]] TensorRef weight(std::size_t i) const;
  /// The final place of its gradient.
  [[nodiscard]] TensorRef gradient(std::size_t i) const;
  /// Where a product writes its gradient: in 16 bits, in the place of the 16-bit weight, which
  /// nothing reads any more.
  [[nodiscard]] TensorRef product_gradient(std::size_t i) const;
};

[[nodiscard]] LayerStage make_stage(const workloads::Model& model, const ReplicaLayout& layout,
                                    const PlanSettings& settings, std::size_t layer, Pass pass);

/// `place` moved by `bytes`.
[[nodiscard]] inline TensorRef behind(const TensorRef& place, std::int64_t bytes) {
  return {place.region, place.offset + bytes};
}

/// The input's gradient is complete where the layer's kernels leave it. Casts it to the precision
/// of the previous layer and adds it to that of a layer with the same input, if there is either.
void append_input_gradient(std::vector<Launch>& launches, const LayerStage& stage);

/// Appends the kernels of one layer.
void append_forward(std::vector<Launch>& launches, const LayerStage& stage);
void append_backward(std::vector<Launch>& launches, const LayerStage& stage);

/// The two halves of each, by whether compute or memory limits the kernels.
void append_dense_forward(std::vector<Launch>& launches, const LayerStage& stage);
void append_dense_backward(std::vector<Launch>& launches, const LayerStage& stage);
void append_streaming_forward(std::vector<Launch>& launches, const LayerStage& stage);
void append_streaming_backward(std::vector<Launch>& launches, const LayerStage& stage);

}  // namespace mimus::kernels
