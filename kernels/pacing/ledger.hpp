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

/// The accounts of the emulated GPUs of one host, in memory shared by its ranks. Tenants of a GPU
/// draw memory from one account, so that out-of-memory emerges instead of being assumed. Turns are
/// in TurnBook and links in LinkBook.
///
/// Every account is a single atomic word, so a process that dies at any point holds no lock.
class Ledger {
 public:
  /// Bytes of shared memory for a cluster of this size.
  [[nodiscard]] static std::size_t bytes_needed(int gpus);

  /// Over memory that is zero-filled (first user) or already in use by others, aligned to a cache
  /// line and outliving the ledger.
  Ledger(std::span<std::byte> memory, int gpus, Bytes gpu_memory);

  /// Throws OutOfMemoryError, with nothing taken, if the GPU's memory would be exceeded.
  void reserve_memory(int gpu, Bytes amount);
  void release_memory(int gpu, Bytes amount) noexcept;
  [[nodiscard]] Bytes used_memory(int gpu) const;

  /// A tenant's kernels run on `gpu` from `at` on, by the pace clock, or until then. It asks for
  /// this many thousandths of a core of its node.
  void add_tenant(int gpu, WallInstant at = {}, std::int32_t milli_cores = 0) noexcept;
  void remove_tenant(int gpu, WallInstant at = {}, std::int32_t milli_cores = 0) noexcept;
  [[nodiscard]] int tenants(int gpu) const;

  struct NodeUse {
    int gpus = 0;
    std::int64_t milli_cores = 0;
  };
  /// What GPUs except `own` used at `at`, of `count` from `first` on, which are those of a node.
  /// For the present it knows only what ranks have already reported.
  [[nodiscard]] NodeUse use_of_others(int own, int first, int count, WallInstant at) const;
  /// Thousandths of a core that all tenants of the GPU ask for.
  [[nodiscard]] std::int64_t milli_cores(int gpu) const;

  /// The GPU is gone with the processes that served it: removes what they had booked.
  void forget_gpu(int gpu) noexcept;

  /// Forgets all memory and tenants. For use between two cells, when nothing runs.
  void reset() noexcept;

 private:
  struct GpuAccount {
    std::atomic<std::int64_t> memory_used;    ///< bytes
    std::atomic<std::int64_t> used_from_ns;   ///< if it has tenants
    std::atomic<std::int64_t> used_until_ns;  ///< when it last lost its last tenant
    std::atomic<std::int32_t> tenants;
    std::atomic<std::int32_t> milli_cores;  ///< of its tenants; without any, of the last one
    char padding[32];                       ///< one cache line per GPU
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(sizeof(GpuAccount) == 64);

  std::span<GpuAccount> gpus_;
  Bytes gpu_memory_;
};

}  // namespace mimus::kernels
