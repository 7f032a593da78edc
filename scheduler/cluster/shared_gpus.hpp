// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "scheduler/jobs/milli_gpus.hpp"

namespace mimus::scheduler {

struct ClusterShape;
struct GpuState;

/// The free shares of usable GPUs, and the GPUs that have changed recently: an index of the GPUs of
/// one kind updates only these. Kept only if GPUs can have several tenants.
class SharedGpus {
 public:
  explicit SharedGpus(const ClusterShape& shape);

  [[nodiscard]] bool tracked() const { return !changed_.empty(); }
  /// A usable GPU of a type enters this state (+1) or leaves it (-1).
  void count(const GpuState& gpu, int type, int sign);
  void note_change(GpuId gpu) { changed_[static_cast<std::size_t>(changes_++) & mask()] = gpu; }

  /// Of all usable GPUs together.
  [[nodiscard]] MilliGpus free_share() const { return free_share_; }
  /// Of those of one type.
  [[nodiscard]] MilliGpus free_share(int type) const {
    return free_of_type_[static_cast<std::size_t>(type)];
  }
  /// Usable GPUs with any free share.
  [[nodiscard]] int gpus_with_share() const { return gpus_with_share_; }
  /// The least free share from `at_least` on among usable GPUs with tenants.
  [[nodiscard]] std::optional<MilliGpus> level_from(MilliGpus at_least) const;

  /// Changes so far; the n-th one was of GPU change(n).
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// False when changes since the n-th one have been forgotten.
  [[nodiscard]] bool remembers(std::uint64_t n) const {
    return tracked() && changes_ - n <= changed_.size();
  }
  [[nodiscard]] GpuId change(std::uint64_t n) const {
    return changed_[static_cast<std::size_t>(n) & mask()];
  }

 private:
  static constexpr std::size_t kLevels = 1000;  ///< of share left, besides all of it
  static constexpr std::size_t kBits = 64;

  [[nodiscard]] std::size_t mask() const { return changed_.size() - 1; }
  void count_level(std::size_t level, int sign);

  MilliGpus free_share_;
  std::vector<MilliGpus> free_of_type_;
  int gpus_with_share_ = 0;
  std::array<int, kLevels> gpus_at_{};  ///< usable GPUs with tenants by free thousandths
  std::array<std::uint64_t, kLevels / kBits + 1> levels_in_use_{};
  std::vector<GpuId> changed_;  ///< the last ones, a power of two of them
  std::uint64_t changes_ = 0;
};

}  // namespace mimus::scheduler
