// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/layers/layer_operands.hpp"
#include "kernels/layers/replica_layout.hpp"

namespace mimus::kernels {

/// Gradients that return to a branch of the model, in a layout that has places for all of them.
class ReturnedGradients {
 public:
  ReturnedGradients(const workloads::Model& model, const ReplicaLayout& layout,
                    const LayerOperands& operands, const std::vector<LayerSizes>& sizes)
      : model_(model), layout_(layout), operands_(operands), sizes_(sizes) {}

  /// The tensor that the backward pass of a layer of several operands reads besides the gradient of
  /// its output: for a sum the gradient from its branch, for a layer that shares an input that of
  /// the next such layer, for a product the other factor.
  [[nodiscard]] std::optional<TensorRef> beside(std::size_t i) const;

 private:
  [[nodiscard]] std::optional<TensorRef> by(std::optional<std::size_t> layer,
                                            std::int64_t bytes) const;

  const workloads::Model& model_;
  const ReplicaLayout& layout_;
  const LayerOperands& operands_;
  const std::vector<LayerSizes>& sizes_;
};

}  // namespace mimus::kernels
