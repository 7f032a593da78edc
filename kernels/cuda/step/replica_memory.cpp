// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/replica_memory.hpp"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <utility>

#include "kernels/cuda/kernels/random_fill.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr unsigned char kInputByte = 0x3D;  // no number of any width made of it is zero or infinite
constexpr auto kWeights = static_cast<std::size_t>(Region::weights);
constexpr auto kMoments = static_cast<std::size_t>(Region::moments);

}  // namespace

ReplicaMemory::ReplicaMemory(const MemoryPlan& plan, Arithmetic halves, cudaStream_t stream,
                             StateBuffers state) {
  const bool keeps_state = state.weights.bytes() == plan.region[kWeights] &&
                           state.moments.bytes() == plan.region[kMoments];
  if (!keeps_state) state = {};
  buffers_[kWeights] = std::move(state.weights);
  buffers_[kMoments] = std::move(state.moments);
  for (std::size_t region = 0; region < buffers_.size(); ++region) {
    const std::int64_t bytes = plan.region[region];
    if (bytes == 0 || is_part(static_cast<Region>(region))) continue;
    if (!buffers_[region]) buffers_[region] = DeviceBuffer(static_cast<std::size_t>(bytes));
    regions_.base[region] = buffers_[region].as<std::byte>();
    bytes_ += bytes;
  }
  for (const Region part : {Region::gradients, Region::temporary}) {
    auto* const begin = regions_.at({Region::working, plan.begin(part)});
    regions_.base[static_cast<std::size_t>(part)] = begin;
  }
  if (plan.input > 0) {
    for (DeviceBuffer& input : inputs_) input = DeviceBuffer(static_cast<std::size_t>(plan.input));
    host_input_ = PinnedBuffer(static_cast<std::size_t>(plan.input));
    bytes_ += 2 * plan.input;
  }
  fill(halves, keeps_state, stream);
}

StateBuffers ReplicaMemory::give_state_up() {
  return {std::move(buffers_[kWeights]), std::move(buffers_[kMoments])};
}

void ReplicaMemory::hold_fragments(std::int64_t bytes) {
  if (bytes > 0) fragments_ = DeviceBuffer(static_cast<std::size_t>(bytes));
  bytes_ += bytes;
}

/// Tensors of both widths share the working and exchange regions. If these are filled with 16-bit
/// numbers, every pair of numbers is also a finite 32-bit number. The reverse does not hold.
void ReplicaMemory::fill(Arithmetic halves, bool keeps_state, cudaStream_t stream) {
  constexpr std::int64_t kLargestTable = std::int64_t{1}
                                         << 31;  // kernels take indices modulo the number of rows
  std::uint64_t seed = 0;
  for (std::size_t r = 0; r < buffers_.size(); ++r) {
    const DeviceBuffer& buffer = buffers_[r];
    const auto region = static_cast<Region>(r);
    if (!buffer) continue;
    ++seed;
    if (keeps_state && (r == kWeights || r == kMoments)) continue;
    if (region == Region::indices) {
      const auto count = buffer.bytes() / static_cast<std::int64_t>(sizeof(std::int64_t));
      random_fill_indices(buffer.as<std::int64_t>(), count, kLargestTable, seed, stream);
      continue;
    }
    const bool mixed = region == Region::working || region == Region::exchange;
    const Arithmetic element = mixed ? halves : Arithmetic::fp32;
    random_fill(buffer.as<std::byte>(), buffer.bytes() / element_bytes(element), element, seed,
                stream);
  }
  for (const DeviceBuffer& input : inputs_) {
    if (!input) continue;
    random_fill(input.as<std::byte>(), input.bytes() / element_bytes(halves), halves, ++seed,
                stream);
  }
  std::fill_n(host_input_.as<unsigned char>(), host_input_.bytes(), kInputByte);
}

void ReplicaMemory::copy_input(cudaStream_t stream) {
  if (!host_input_) return;
  DeviceBuffer& target = inputs_[next_input_];
  next_input_ = 1 - next_input_;
  check_cuda(cudaMemcpyAsync(target.as<std::byte>(), host_input_.as<std::byte>(),
                             static_cast<std::size_t>(host_input_.bytes()), cudaMemcpyHostToDevice,
                             stream),
             "cudaMemcpyAsync");
}

}  // namespace mimus::kernels::cuda
