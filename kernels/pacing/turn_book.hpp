// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/time.hpp"
#include "kernels/pacing/shared_lock.hpp"

namespace mimus::kernels {

/// The place of a tenant: a lane of the world. The lanes of one GPU are consecutive.
struct TurnSeat {
  int gpu = 0;
  int first_lane = 0;  ///< of the GPU
  int lanes = 1;       ///< of the GPU
  int lane = 0;        ///< its own
};

/// The turns that tenants take on the emulated GPUs of one host, in memory shared by its ranks.
///
/// The order depends only on emulated time, not on which tenant asks first. Of the tenants that
/// ask, the one that could begin first goes first; among equals, the lower lane. A turn is granted
/// when no other tenant can still ask for an earlier one. So tenants say before which instant they
/// will not ask, and a tenant that asks waits for tenants that are behind.
///
/// A lock per GPU protects it. If a process dies while it holds the lock, the lock is released. A
/// process that dies at another time leaves a seat, which is removed with the GPU.
class TurnBook {
 public:
  [[nodiscard]] static std::size_t bytes_needed(int gpus, int lanes);
  /// Over memory that is zero-filled (first user) or already in use by others, aligned to a cache
  /// line and outliving the book.
  TurnBook(std::span<std::byte> memory, int gpus, int lanes);

  /// The tenant asks for nothing that would begin before `at`. Takes the seat if it was free, and
  /// delays others from then on. Has no effect while it waits for a turn.
  void quiet_until(const TurnSeat& seat, WallInstant at) noexcept;
  void leave(const TurnSeat& seat) noexcept;

  struct Request {
    WallInstant earliest;    ///< when it could begin
    Duration slice{};        ///< it takes
    Duration first{};        ///< part of it before which the tenant asks for nothing else
    double switching = 0.0;  ///< extra part of the slice if it has to wait
  };
  /// The tenant waits for a turn from here on, until look() grants one.
  void ask(const TurnSeat& seat, const Request& request) noexcept;

  struct Turn {
    bool granted = false;
    WallInstant begin;  ///< no earlier than this before it is granted
  };
  [[nodiscard]] Turn look(const TurnSeat& seat) noexcept;

  /// The GPU is gone with the processes that served it.
  void forget_gpu(int gpu) noexcept;
  /// Frees all seats. For use between two cells, when nothing runs.
  void reset() noexcept;

 private:
  /// On a cache line of its own. Times in ns of the pace clock.
  struct alignas(64) Lane {
    std::int32_t taken;
    std::int32_t waits;     ///< for a turn
    std::int64_t gpu;       ///< while it is taken
    std::int64_t quiet;     ///< it asks for nothing before
    std::int64_t earliest;  ///< its request, or the last granted one
    std::int64_t slice;
    std::int64_t first;
    std::int64_t switching;
    std::int64_t begin;  ///< of its last turn
  };
  struct alignas(64) Gpu {
    SharedLock::Memory lock;
    std::int64_t free_from;  ///< end of the last turn
  };

  [[nodiscard]] Lane& lane(int number) const { return lanes_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] Gpu& gpu(int number) const { return gpus_[static_cast<std::size_t>(number)]; }
  void settle(const TurnSeat& seat) noexcept;
  [[nodiscard]] int first_to_go(const TurnSeat& seat) const noexcept;
  [[nodiscard]] bool may_go(const TurnSeat& seat, int number) const noexcept;
  void grant(const TurnSeat& seat, int number) noexcept;

  std::span<Gpu> gpus_;
  std::span<Lane> lanes_;
};

}  // namespace mimus::kernels
