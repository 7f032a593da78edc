// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/time.hpp"
#include "base/units.hpp"

namespace mimus::kernels {

/// The books of the emulated GPUs of one host, in memory shared by its ranks. Tenants of a GPU draw
/// memory from one account, so that out-of-memory emerges instead of being assumed. Their turns are
/// in a book of their own (TurnBook), and so are links (LinkBook).
///
/// Everything is a single atomic word per account: a process that dies at any point holds no lock.
class Ledger {
 public:
  /// Bytes of shared memory for a cluster of this size.
  [[nodiscard]] static std::size_t bytes_needed(int gpus);

  /// Over memory that is zero-filled (first user) or in use by others already, aligned to a cache
  /// line and outliving the ledger.
  Ledger(std::span<std::byte> memory, int gpus, Bytes gpu_memory);

  /// OutOfMemoryError, with nothing taken, when the GPU's memory would be exceeded.
  void reserve_memory(int gpu, Bytes amount);
  void release_memory(int gpu, Bytes amount) noexcept;
  [[nodiscard]] Bytes used_memory(int gpu) const;

  /// A tenant's kernels run on `gpu` from `at` on, by the pace clock, or until then.
  void add_tenant(int gpu, WallInstant at = {}) noexcept;
  void remove_tenant(int gpu, WallInstant at = {}) noexcept;
  [[nodiscard]] int tenants(int gpu) const;
  /// GPUs but `own` that had a tenant at `at`, among `count` from `first` on, such as those of a
  /// node. Of the present it tells only what ranks have got to say.
  [[nodiscard]] int others_in_use(int own, int first, int count, WallInstant at) const;

  /// The GPU is gone with the processes that served it: takes back what they had booked.
  void forget_gpu(int gpu) noexcept;

  /// Forgets all memory and tenants: between two cells, when nothing runs.
  void reset() noexcept;

 private:
  struct GpuAccount {
    std::atomic<std::int64_t> memory_used;    ///< bytes
    std::atomic<std::int64_t> used_from_ns;   ///< if it has tenants
    std::atomic<std::int64_t> used_until_ns;  ///< when it last had none any more
    std::atomic<std::int32_t> tenants;
    char padding[36];  ///< one cache line per GPU
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(sizeof(GpuAccount) == 64);

  std::span<GpuAccount> gpus_;
  Bytes gpu_memory_;
};

}  // namespace mimus::kernels
