// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/tensor_lists.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/launch/launch_commands.hpp"

namespace mimus::kernels {
namespace {

constexpr std::array<std::size_t, 4> kSmallTensors{110, 64, 48, 36};
constexpr std::array<std::size_t, 4> kSmallTensorsWithScalars{96, 64, 48, 36};
/// Large arguments are 8 times as large, and their indices twice as wide.
constexpr std::int64_t kLargeFactor = 7;

}  // namespace

TensorListLimits tensor_list_limits(int depth, bool scalars, KernelArguments arguments) {
  const auto& tensors = scalars ? kSmallTensorsWithScalars : kSmallTensors;
  const std::int64_t factor = arguments == KernelArguments::large ? kLargeFactor : 1;
  return {tensors.at(static_cast<std::size_t>(depth - 1)) * static_cast<std::size_t>(factor),
          kTableChunks * factor};
}

std::vector<std::vector<TensorSpan>> split_tensor_lists(const std::vector<TensorSpan>& tensors,
                                                        const TensorListLimits& limits) {
  std::vector<std::vector<TensorSpan>> launches;
  std::vector<TensorSpan> open;
  std::int64_t chunks = 0;
  const auto close = [&] {
    launches.push_back(std::exchange(open, {}));
    chunks = 0;
  };
  for (const TensorSpan& tensor : tensors) {
    for (std::int64_t done = 0; done < tensor.elements;) {
      const std::int64_t room = (limits.chunks - chunks) * kChunkElements;
      const std::int64_t part = std::min(room, tensor.elements - done);
      open.push_back({tensor.first + done, part});
      chunks += chunks_of(part);
      done += part;
      const bool tensors_full = open.size() == limits.tensors && done == tensor.elements;
      if (tensors_full || chunks == limits.chunks) close();
    }
  }
  if (!open.empty()) close();
  return launches;
}

}  // namespace mimus::kernels
