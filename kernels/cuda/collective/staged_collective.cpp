// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/staged_collective.hpp"

#include <algorithm>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {

/// The progress of the host. It outlives the collective, because host functions share it.
struct StagedCollective::Gate {
  std::atomic<std::int64_t> finished{0};  ///< pieces
  std::atomic<bool> abandoned{false};
};

namespace {

constexpr auto kNap = std::chrono::microseconds{20};
/// Pieces put on the stream ahead of the host. Each takes a few commands, and the driver blocks at
/// about a thousand. If it blocked, the host could not open the gate again.
constexpr std::size_t kMostPending = 32;

template <class Gate>
struct Ticket {
  std::shared_ptr<Gate> gate;
  std::int64_t number = 0;
};

/// Runs on a thread of the driver and holds the stream. It must not call CUDA.
template <class Gate>
void CUDART_CB hold_stream(void* data) {
  const std::unique_ptr<Ticket<Gate>> ticket(static_cast<Ticket<Gate>*>(data));
  const Gate& gate = *ticket->gate;
  while (gate.finished.load(std::memory_order_acquire) < ticket->number &&
         !gate.abandoned.load(std::memory_order_relaxed)) {
    std::this_thread::sleep_for(kNap);
  }
}

}  // namespace

StagedCollective::StagedCollective(const Options& options, std::unique_ptr<HostReduce> host)
    : options_(options),
      host_(std::move(host)),
      stream_(Stream::for_communication(options.device)),
      timer_(options.size),
      gate_(std::make_shared<Gate>()) {
  for (PinnedBuffer& slot : slots_) {
    slot = PinnedBuffer(static_cast<std::size_t>(options_.piece_bytes));
  }
}

StagedCollective::~StagedCollective() {
  gate_->abandoned = true;
  // Copies from and to the pinned buffers must end before the buffers are freed.
  static_cast<void>(cudaStreamSynchronize(stream_.get()));
  // A reduction that the host has begun may still write into the buffers. They are left to it then.
  const bool with_host = !pieces_.empty() && pieces_.front().begun;
  if (with_host) static_cast<void>(new (std::nothrow) auto(std::move(slots_)));
}

std::string StagedCollective::description() const {
  return fmt::format("staged through host memory, {} members", options_.size);
}

StagedCollective::Layout StagedCollective::layout_of(CollectiveOp op, const void* send,
                                                     void* receive, std::int64_t bytes) const {
  Layout layout;
  layout.out = static_cast<const std::byte*>(send);
  layout.in = static_cast<std::byte*>(receive);
  layout.pitch = static_cast<std::size_t>(bytes);
  if (op == CollectiveOp::transfer) (options_.rank == 0 ? layout.in_rows : layout.out_rows) = 0;
  const bool exchanges = op == CollectiveOp::all_to_all;
  if (op != CollectiveOp::all_gather && op != CollectiveOp::reduce_scatter && !exchanges) {
    return layout;
  }
  const auto own = static_cast<std::size_t>(options_.rank);
  constexpr std::size_t kAlignment = 4;  // shares hold whole elements of any type
  layout.rows = static_cast<std::size_t>(options_.size);
  layout.pitch = layout.pitch / layout.rows / kAlignment * kAlignment;
  if (exchanges) {
    layout.out_rows = layout.in_rows = layout.rows;
    return layout;
  }
  const std::size_t displacement = send == receive ? own * layout.pitch : 0;
  if (op == CollectiveOp::all_gather) {
    layout.out += displacement;
    layout.out_row = own;
    layout.in_rows = layout.rows;
  } else {
    layout.in += displacement;
    layout.in_row = own;
    layout.out_rows = layout.rows;
  }
  return layout;
}

void StagedCollective::enqueue(CollectiveOp op, const void* send, void* receive, std::int64_t bytes,
                               Arithmetic arithmetic, cudaEvent_t after) {
  stream_.wait(after);
  if (stream_.capturing()) {
    throw UsageError(
        "communication that is staged through the host cannot be part of a CUDA "
        "graph; launch eagerly, or build with NCCL");
  }
  timer_.begin(stream_, op, bytes);
  const Layout layout = layout_of(op, send, receive, bytes);
  // Multiples of a cache line, so that every piece is aligned to any element type.
  const std::size_t most = static_cast<std::size_t>(options_.piece_bytes) / layout.rows / 64U * 64U;
  ensure(most > 0, "a piece of a staged collective holds no element of each rank");
  const std::size_t count = (layout.pitch + most - 1) / most;
  const auto width = [&](std::size_t piece) { return std::min(most, layout.pitch - piece * most); };
  const auto send_piece = [&](std::size_t piece) {
    wait_for_room();
    const std::size_t slot = piece % slots_.size();
    copy_out(layout, piece * most, width(piece), slot);
    Piece& next = pieces_.emplace_back();
    next.op = op;
    next.data = {slots_[slot].as<std::byte>(), width(piece) * layout.rows};
    next.arithmetic = arithmetic;
    next.number = ++last_piece_;
    next.arrived.record(stream_.get());
  };
  const std::int64_t before = last_piece_;
  if (count > 0) send_piece(0);
  for (std::size_t piece = 0; piece < count; ++piece) {
    if (piece + 1 < count) send_piece(piece + 1);
    wait_for_host(before + static_cast<std::int64_t>(piece) + 1);
    copy_in(layout, piece * most, width(piece), piece % slots_.size());
  }
  timer_.end(stream_);
  done_.record(stream_.get());
}

void StagedCollective::wait_for_room() {
  const WallInstant begin = wall_now();
  while (pieces_.size() >= kMostPending) {
    const WallInstant now = wall_now();
    check(now);
    if (now - begin > options_.deadline) {
      throw PeerLostError(fmt::format("{}: no piece has come back for {:.1f} s", description(),
                                      to_seconds(now - begin)));
    }
    std::this_thread::sleep_for(kNap);
  }
}

void StagedCollective::copy_out(const Layout& layout, std::size_t first, std::size_t width,
                                std::size_t slot) {
  if (layout.out_rows == 0) return;
  // A single row needs no pitch. That of a large buffer would exceed the 2 GiB that CUDA allows.
  const std::size_t pitch = layout.out_rows == 1 ? width : layout.pitch;
  check_cuda(cudaMemcpy2DAsync(slots_[slot].as<std::byte>() + layout.out_row * width, width,
                               layout.out + first, pitch, width, layout.out_rows,
                               cudaMemcpyDeviceToHost, stream_.get()),
             "cudaMemcpy2DAsync");
}

void StagedCollective::copy_in(const Layout& layout, std::size_t first, std::size_t width,
                               std::size_t slot) {
  if (layout.in_rows == 0) return;
  const std::size_t pitch = layout.in_rows == 1 ? width : layout.pitch;
  check_cuda(cudaMemcpy2DAsync(layout.in + first, pitch,
                               slots_[slot].as<std::byte>() + layout.in_row * width, width, width,
                               layout.in_rows, cudaMemcpyHostToDevice, stream_.get()),
             "cudaMemcpy2DAsync");
}

void StagedCollective::wait_for_host(std::int64_t number) {
  auto ticket = std::make_unique<Ticket<Gate>>(Ticket<Gate>{gate_, number});
  check_cuda(cudaLaunchHostFunc(stream_.get(), &hold_stream<Gate>, ticket.get()),
             "cudaLaunchHostFunc");
  static_cast<void>(ticket.release());  // the host function frees it
}

void StagedCollective::check(WallInstant now) {
  while (!pieces_.empty()) {
    Piece& piece = pieces_.front();
    if (!piece.begun && !piece.arrived.passed()) break;
    if (!piece.begun) host_->begin(piece.op, piece.data, piece.arithmetic);
    piece.begun = true;
    if (!host_->finished()) break;
    gate_->finished.store(piece.number, std::memory_order_release);
    pieces_.pop_front();
  }
  timer_.check(now, options_.deadline, description());
}

}  // namespace mimus::kernels::cuda
