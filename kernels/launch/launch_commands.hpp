// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

inline constexpr std::int64_t kChunkElements = 65'536;  ///< of a block over tensors, as in PyTorch
inline constexpr int kTableChunks = 320;  ///< of a kernel over a list of tensors, as in PyTorch
inline constexpr int kTensorTableChunks = 240;  ///< of one that also knows each chunk's tensor

/// Whether a kernel over a list of tensors needs or computes values of whole tensors.
[[nodiscard]] constexpr bool knows_tensors(MultiTensor::Function function) {
  return function == MultiTensor::Function::lamb_norms ||
         function == MultiTensor::Function::lamb_apply;
}
/// The place of LAMB's squared norms: two fp32 per tensor of the launch, after the temporary.
[[nodiscard]] TensorRef norms_of(const MultiTensor& launch);
[[nodiscard]] std::int64_t norm_bytes(std::size_t tensors);

/// Number of chunks of a tensor with `elements` elements.
[[nodiscard]] constexpr std::int64_t chunks_of(std::int64_t elements) {
  return (elements + kChunkElements - 1) / kChunkElements;
}

/// Number of kernels of a launch on a device: one, except for sorted rows, lists of tensors longer
/// than a table, and sums over batches in 16 bits, for which a kernel clears. Launches of a library
/// besides the requested one are not counted.
[[nodiscard]] std::int64_t kernels_of(const Launch& launch);

/// The largest number of memory fills that the same launch also puts on the stream.
[[nodiscard]] std::int64_t most_fills_of(const Launch& launch);

}  // namespace mimus::kernels
