// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/time.hpp"
#include "kernels/pacing/shared_lock.hpp"

namespace mimus::kernels {

/// Where a tenant sits: lanes of the world, of which those of one GPU follow each other.
struct TurnSeat {
  int gpu = 0;
  int first_lane = 0;  ///< of the GPU
  int lanes = 1;       ///< of the GPU
  int lane = 0;        ///< its own
};

/// The turns that tenants take on the emulated GPUs of one host, in memory shared by its ranks.
///
/// Who goes first follows from emulated time only, and not from who asks first: of those who ask,
/// the one who could begin first, of equals the lower lane. A turn is granted when no other tenant
/// can still come to ask for an earlier one. So tenants say before which instant they will not ask,
/// and who asks waits for tenants that are behind.
///
/// A lock per GPU protects it. Who dies with it gives it back; who dies otherwise leaves a seat,
/// which goes with the GPU.
class TurnBook {
 public:
  [[nodiscard]] static std::size_t bytes_needed(int gpus, int lanes);
  /// Over memory that is zero-filled (first user) or in use by others already, aligned to a cache
  /// line and outliving the book.
  TurnBook(std::span<std::byte> memory, int gpus, int lanes);

  /// The tenant asks for nothing that would begin before `at`. Takes the seat if it was free, and
  /// so holds up others from then on. Of no effect while it waits for a turn.
  void quiet_until(const TurnSeat& seat, WallInstant at) noexcept;
  void leave(const TurnSeat& seat) noexcept;

  struct Request {
    WallInstant earliest;    ///< when it could begin
    Duration slice{};        ///< it takes
    Duration first{};        ///< part of it before which the tenant asks for nothing else
    double switching = 0.0;  ///< part of the slice that it costs besides if it has to wait
  };
  /// The tenant waits for a turn from here on, until look() says that it has got one.
  void ask(const TurnSeat& seat, const Request& request) noexcept;

  struct Turn {
    bool granted = false;
    WallInstant begin;  ///< no earlier than this before it is granted
  };
  [[nodiscard]] Turn look(const TurnSeat& seat) noexcept;

  /// The GPU is gone with the processes that served it.
  void forget_gpu(int gpu) noexcept;
  /// Frees all seats: between two cells, when nothing runs.
  void reset() noexcept;

 private:
  /// On a cache line of its own. Times in ns of the pace clock.
  struct alignas(64) Lane {
    std::int32_t taken;
    std::int32_t waits;     ///< for a turn
    std::int64_t gpu;       ///< while it is taken
    std::int64_t quiet;     ///< it asks for nothing before
    std::int64_t earliest;  ///< what it asks for, or was granted last
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
