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

/// The books of the emulated GPUs and links of one host, in memory shared by its ranks. Tenants of
/// a GPU draw device time and memory from one account, and gangs share a node's uplink, so that
/// interference, out-of-memory and network contention emerge instead of being assumed.
///
/// Everything is a single atomic word per account: a process that dies at any point holds no lock
/// and leaves at most one quantum of reserved time behind.
class Ledger {
 public:
  /// Bytes of shared memory for a cluster of this size.
  [[nodiscard]] static std::size_t bytes_needed(int gpus, int nodes);

  /// Over memory that is zero-filled (first user) or in use by others already, aligned to a cache
  /// line and outliving the ledger.
  Ledger(std::span<std::byte> memory, int gpus, int nodes, Bytes gpu_memory);

  struct Reservation {
    WallInstant begin;
    WallInstant end;
  };
  /// Takes the next free stretch of device time on `gpu`, not before `earliest`. Callers ask for
  /// one short quantum at a time and only once they could start, so tenants take turns. Who had to
  /// wait takes the device from another tenant, which costs this part of the quantum before it.
  [[nodiscard]] Reservation reserve_time(int gpu, WallInstant earliest, Duration quantum,
                                         double switching = 0.0);

  /// OutOfMemoryError, with nothing taken, when the GPU's memory would be exceeded.
  void reserve_memory(int gpu, Bytes amount);
  void release_memory(int gpu, Bytes amount) noexcept;
  [[nodiscard]] Bytes used_memory(int gpu) const;

  void add_tenant(int gpu) noexcept;
  void remove_tenant(int gpu) noexcept;
  [[nodiscard]] int tenants(int gpu) const;
  /// GPUs with a tenant among `count` from `first` on, such as those of a node.
  [[nodiscard]] int gpus_in_use(int first, int count) const;

  /// Transfers in progress on a GPU's own links and on a node's uplink.
  [[nodiscard]] std::atomic<std::int32_t>& gpu_flows(int gpu);
  [[nodiscard]] std::atomic<std::int32_t>& uplink_flows(int node);
  /// A rank of `gpu` begins (+1) or ends (-1) a transfer on its node's uplink.
  void occupy_uplink(int gpu, int node, int change) noexcept;
  /// The GPU is gone with the processes that served it: takes back what they had booked.
  void forget_gpu(int gpu, int node) noexcept;

  /// Forgets all reservations and tenants: between two cells, when nothing runs.
  void reset() noexcept;

 private:
  struct GpuAccount {
    std::atomic<std::int64_t> free_from_ns;  ///< end of the last reservation, wall clock
    std::atomic<std::int64_t> memory_used;   ///< bytes
    std::atomic<std::int32_t> tenants;
    std::atomic<std::int32_t> flows;
    std::atomic<std::int32_t> on_uplink;  ///< of the node's flows, those of this GPU's ranks
    char padding[36];                     ///< one cache line per GPU
  };
  struct NodeAccount {
    std::atomic<std::int32_t> flows;
    char padding[60];
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(sizeof(GpuAccount) == 64 && sizeof(NodeAccount) == 64);

  std::span<GpuAccount> gpus_;
  std::span<NodeAccount> nodes_;
  Bytes gpu_memory_;
};

}  // namespace mimus::kernels
