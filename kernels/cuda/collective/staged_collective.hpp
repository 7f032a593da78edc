// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>

#include "kernels/cuda/backend/host_reduce.hpp"
#include "kernels/cuda/collective/operation_timer.hpp"
#include "kernels/cuda/collective/stream_collective.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"

namespace mimus::kernels::cuda {

/// Real communication for GPUs without NCCL: pieces are copied to pinned host memory, passed to the
/// host, and copied back. Two buffers alternate, so that one piece is copied while the host has the
/// other. The stream waits for the host by a host function, so it cannot be captured into a graph.
class StagedCollective final : public StreamCollective {
 public:
  struct Options {
    int rank = 0;
    int size = 1;
    int device = 0;
    Duration deadline{};
    std::int64_t piece_bytes = std::int64_t{4} << 20U;
  };
  StagedCollective(const Options& options, std::unique_ptr<HostReduce> host);
  ~StagedCollective() override;

  [[nodiscard]] int rank() const override { return options_.rank; }
  [[nodiscard]] int size() const override { return options_.size; }
  [[nodiscard]] std::string description() const override;
  /// UsageError when captured.
  void enqueue(CollectiveOp op, const void* send, void* receive, std::int64_t bytes,
               Arithmetic arithmetic, cudaEvent_t after) override;
  [[nodiscard]] cudaEvent_t done() override { return done_.get(); }
  [[nodiscard]] Duration deadline() const override { return options_.deadline; }
  [[nodiscard]] bool holds_driver_thread() const override { return true; }
  /// Passes pieces to the host as they arrive.
  void check(WallInstant now) override;
  [[nodiscard]] std::vector<TimedOperation> take_timings() override { return timer_.take(); }

 private:
  /// Rows of equal width; a plain buffer is one row.
  struct Layout {
    const std::byte* out = nullptr;
    std::byte* in = nullptr;
    std::size_t pitch = 0;                          ///< bytes from row to row on the device
    std::size_t out_row = 0, out_rows = 1;          ///< that go to the host
    std::size_t in_row = 0, in_rows = 1, rows = 1;  ///< that come back; that a piece has in all
  };
  struct Piece {
    CollectiveOp op = CollectiveOp::all_reduce;
    std::span<std::byte> data;
    Arithmetic arithmetic = Arithmetic::fp32;
    Event arrived;
    std::int64_t number = 0;
    bool begun = false;
  };
  struct Gate;

  [[nodiscard]] Layout layout_of(CollectiveOp op, const void* send, void* receive,
                                 std::int64_t bytes) const;
  void copy_out(const Layout& layout, std::size_t first, std::size_t width, std::size_t slot);
  void copy_in(const Layout& layout, std::size_t first, std::size_t width, std::size_t slot);
  void wait_for_host(std::int64_t number);
  void wait_for_room();

  Options options_;
  std::unique_ptr<HostReduce> host_;
  Stream stream_;
  Event done_;
  OperationTimer timer_;
  std::array<PinnedBuffer, 2> slots_;
  std::shared_ptr<Gate> gate_;
  std::deque<Piece> pieces_;  ///< not yet finished by the host
  std::int64_t last_piece_ = 0;
};

}  // namespace mimus::kernels::cuda
