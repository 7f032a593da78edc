// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/launch/launch.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// The places of a model's parameter tensors, the same in weights, gradients and moments. They are
/// in the order in which the backward pass finishes them, so that every gradient bucket is one run.
/// Each begins at a multiple of 128 elements: 512 bytes, as PyTorch's allocator rounds, and 256
/// bytes in a 16-bit copy.
struct ParameterLayout {
  std::vector<std::vector<TensorSpan>> layers;  ///< per layer, tensors in registration order
  std::vector<TensorSpan> buckets;              ///< in the order of Model::buckets()
  std::int64_t elements = 0;                    ///< with the gaps
};
[[nodiscard]] ParameterLayout lay_out_parameters(const workloads::Model& model);

/// The embedding whose table a tied dense layer multiplies by: the latest earlier one of that
/// shape.
[[nodiscard]] std::optional<std::size_t> tied_table(const workloads::Model& model,
                                                    std::size_t layer);
/// Whether a later layer is tied to this one.
[[nodiscard]] bool shares_weights(const workloads::Model& model, std::size_t layer);

/// Elements from a tensor's first to that of the next.
[[nodiscard]] std::int64_t room_of(const TensorSpan& tensor);

/// All tensors in registration order, as optimisers list them.
[[nodiscard]] std::vector<TensorSpan> registered_tensors(const ParameterLayout& layout);

/// Elements of the layout that each of `parts` ranks updates if they divide the optimiser's state
/// and work: its length over `parts`, rounded up to a tensor's alignment.
[[nodiscard]] std::int64_t part_elements(const ParameterLayout& layout, int parts);
/// Tensors and parts of tensors in the first of `parts` parts, which represents each of them.
[[nodiscard]] std::vector<TensorSpan> tensors_of_part(const ParameterLayout& layout, int parts);

}  // namespace mimus::kernels
