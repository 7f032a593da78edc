// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

inline constexpr std::int64_t kChunkElements = 65'536;  ///< of a block over tensors, as in PyTorch
inline constexpr int kTableChunks = 320;  ///< of a kernel over a list of tensors, as in PyTorch
inline constexpr int kTensorTableChunks = 240;  ///< of one that also knows each chunk's tensor

/// Whether a kernel over a list of tensors needs or makes numbers of whole tensors.
[[nodiscard]] constexpr bool knows_tensors(MultiTensor::Function function) {
  return function == MultiTensor::Function::lamb_norms ||
         function == MultiTensor::Function::lamb_apply;
}
/// Where LAMB's squared norms are: two fp32 per tensor of the launch, behind the temporary.
[[nodiscard]] TensorRef norms_of(const MultiTensor& launch);
[[nodiscard]] std::int64_t norm_bytes(std::size_t tensors);

/// Chunks of a tensor of so many elements.
[[nodiscard]] constexpr std::int64_t chunks_of(std::int64_t elements) {
  return (elements + kChunkElements - 1) / kChunkElements;
}

/// Kernels that a launch of the plan is on a device: one, but for rows that are sorted, lists of
/// tensors longer than a table, and sums over batches in 16 bits, which a kernel clears for. What a
/// library launches beside the one that was asked for is not counted.
[[nodiscard]] std::int64_t kernels_of(const Launch& launch);

/// Fills of memory that the same launch puts on the stream besides, at most.
[[nodiscard]] std::int64_t most_fills_of(const Launch& launch);

}  // namespace mimus::kernels
