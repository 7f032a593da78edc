// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cluster/shared_gpus.hpp"

#include <bit>

#include "scheduler/cluster/cluster.hpp"

namespace mimus::scheduler {

// Checking more changed GPUs than the cluster has does not pay off.
SharedGpus::SharedGpus(const ClusterShape& shape)
    : free_of_type_(static_cast<std::size_t>(shape.types())),
      changed_(shape.lanes_per_gpu > 1 ? std::bit_ceil(static_cast<std::size_t>(shape.gpus()))
                                       : std::size_t{0}) {}

void SharedGpus::count(const GpuState& gpu, int type, int sign) {
  const MilliGpus left = gpu.free_share();
  if (left == MilliGpus{}) return;
  free_share_ += sign * left;
  free_of_type_[static_cast<std::size_t>(type)] += sign * left;
  gpus_with_share_ += sign;
  if (!gpu.idle()) count_level(static_cast<std::size_t>(left.value), sign);
}

void SharedGpus::count_level(std::size_t level, int sign) {
  gpus_at_[level] += sign;
  const std::uint64_t bit = std::uint64_t{1} << (level % kBits);
  std::uint64_t& word = levels_in_use_[level / kBits];
  word = gpus_at_[level] > 0 ? word | bit : word & ~bit;
}

std::optional<MilliGpus> SharedGpus::level_from(MilliGpus at_least) const {
  const auto first = static_cast<std::size_t>(at_least.value);
  if (first >= kLevels) return std::nullopt;
  std::size_t word = first / kBits;
  std::uint64_t bits = levels_in_use_[word] & (~std::uint64_t{0} << (first % kBits));
  while (bits == 0 && word + 1 < levels_in_use_.size()) bits = levels_in_use_[++word];
  if (bits == 0) return std::nullopt;
  return MilliGpus{static_cast<std::int64_t>(word * kBits) + std::countr_zero(bits)};
}

}  // namespace mimus::scheduler
