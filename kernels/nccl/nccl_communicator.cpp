// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_communicator.hpp"

#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/nccl/nccl_error.hpp"
#include "kernels/nccl/nccl_features.hpp"

namespace mimus::kernels {
namespace {

static_assert(sizeof(ncclUniqueId) == sizeof(NcclId));

ncclUniqueId to_nccl(const NcclId& id) {
  ncclUniqueId result;
  std::memcpy(&result, id.data(), sizeof result);
  return result;
}

NcclId from_nccl(const ncclUniqueId& id) {
  NcclId result;
  std::memcpy(result.data(), &id, sizeof id);
  return result;
}

ncclConfig_t config_for(const NcclOptions& options) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  if (options.most_ctas > 0) config.maxCTAs = options.most_ctas;
  return config;
}

}  // namespace

NcclId make_unique_id() {
  ncclUniqueId id;
  check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
  return from_nccl(id);
}

const char* name(ResizeWay way) {
  switch (way) {
    case ResizeWay::shrink:
      return "shrink";
    case ResizeWay::grow:
      return "grow";
    default:
      return "remake";
  }
}

NcclCommunicator::NcclCommunicator(const NcclOptions& options, Entry entry)
    : options_(options), config_(config_for(options)) {
  cuda::check_cuda(cudaSetDevice(options_.device), "cudaSetDevice");
  initialise(entry);
}

NcclCommunicator::~NcclCommunicator() {
  abort();
}

void NcclCommunicator::initialise(Entry entry) {
  begin_stage("set-up of the communicator", wall_now());
  const ncclUniqueId id = to_nccl(options_.id);
  if (entry == Entry::joining && nccl_can_grow()) {
    check_nccl(nccl_grow(nullptr, options_.size, &id, options_.rank, &communicator_, &config_),
               "ncclCommGrow");
    return;
  }
  check_nccl(ncclCommInitRankConfig(&communicator_, options_.size, id, options_.rank, &config_),
             "ncclCommInitRankConfig");
}

void NcclCommunicator::begin_stage(std::string_view stage, WallInstant now) {
  stage_ = stage;
  stage_began_ = now;
}

Progress NcclCommunicator::poll(WallInstant now) {
  if (advance() == Progress::ready) return Progress::ready;
  if (now - stage_began_ > options_.deadline) give_up(now - stage_began_);
  return Progress::pending;
}

/// In a resize the new communicator is known only when its parent is done, because NCCL writes the
/// handle last. The parent can be released once the new communicator works.
Progress NcclCommunicator::advance() {
  if (parent_ != nullptr && parent_state() == ncclInProgress) return Progress::pending;
  if (communicator_ == nullptr) {
    if (finalising_) return Progress::ready;
    throw PeerLostError(fmt::format("{}: the communicator has been aborted", stage_));
  }
  if (state_of(communicator_) == ncclInProgress) return Progress::pending;
  leave_parent();
  if (finalising_) check_nccl(ncclCommDestroy(std::exchange(communicator_, nullptr)), stage_);
  return Progress::ready;
}

ncclResult_t NcclCommunicator::state_of(ncclComm_t communicator) {
  ncclResult_t state = ncclSuccess;
  check_nccl(ncclCommGetAsyncError(communicator, &state), "ncclCommGetAsyncError");
  check_nccl_async(state, stage_, communicator);
  return state;
}

/// A parent that is left because of an error keeps the error. Only whether it is done matters here.
ncclResult_t NcclCommunicator::parent_state() {
  if (!after_error_) return state_of(parent_);
  ncclResult_t state = ncclSuccess;
  check_nccl(ncclCommGetAsyncError(parent_, &state), "ncclCommGetAsyncError");
  return state;
}

void NcclCommunicator::settle() {
  // Enqueuing an operation takes microseconds; its first connection takes milliseconds.
  constexpr int kSpins = 64;
  for (int spins = 0; poll(wall_now()) == Progress::pending; ++spins) {
    if (spins < kSpins) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds{50});
    }
  }
}

ResizeWay NcclCommunicator::way_of(const GangResize& resize) const {
  const int staying = options_.size - static_cast<int>(resize.leaving.size());
  const bool only_shrinks = !resize.leaving.empty() && resize.size == staying;
  const bool only_grows = resize.leaving.empty() && resize.size > options_.size;
  if (only_shrinks && nccl_can_shrink()) return ResizeWay::shrink;
  if (only_grows && !resize.after_error && nccl_can_grow()) return ResizeWay::grow;
  return ResizeWay::remake;
}

NcclId NcclCommunicator::resize_id(const GangResize& resize) {
  const ResizeWay way = way_of(resize);
  if (way == ResizeWay::shrink) return {};
  if (way == ResizeWay::remake) return make_unique_id();
  ncclUniqueId id;
  check_nccl(nccl_grow_id(communicator_, &id), "ncclCommGetUniqueId", communicator_);
  return from_nccl(id);
}

ResizeWay NcclCommunicator::resize(const GangResize& resize) {
  const ResizeWay way = way_of(resize);
  const bool first = options_.rank == 0;
  options_.rank = resize.rank;
  options_.size = resize.size;
  options_.id = resize.id;
  if (way == ResizeWay::remake) {
    abort();
    initialise(Entry::founding);
    return way;
  }
  begin_stage("resize of the communicator", wall_now());
  after_error_ = resize.after_error;
  parent_ = std::exchange(communicator_, nullptr);
  if (way == ResizeWay::shrink) {
    check_nccl(nccl_shrink(parent_, resize.leaving, resize.after_error, &communicator_),
               "ncclCommShrink", parent_);
  } else {
    const ncclUniqueId id = to_nccl(resize.id);
    check_nccl(nccl_grow(parent_, resize.size, first ? &id : nullptr, -1, &communicator_, &config_),
               "ncclCommGrow", parent_);
  }
  return way;
}

void NcclCommunicator::finalise() {
  begin_stage("end of the communicator", wall_now());
  finalising_ = true;
  check_nccl(ncclCommFinalize(communicator_), "ncclCommFinalize", communicator_);
}

void NcclCommunicator::leave_parent() noexcept {
  // The parent has no operation under way. An abort frees it without waiting for members that left.
  if (parent_ != nullptr) static_cast<void>(ncclCommAbort(std::exchange(parent_, nullptr)));
}

void NcclCommunicator::abort() noexcept {
  // The parent first. This ends the creation of `communicator_`, which might be written later
  // otherwise.
  leave_parent();
  if (communicator_ != nullptr) {
    static_cast<void>(ncclCommAbort(std::exchange(communicator_, nullptr)));
  }
  // The handle is written by now, even if its creation was given up, because its job ended with the
  // first.
  if (second_ != nullptr) static_cast<void>(ncclCommAbort(std::exchange(second_, nullptr)));
}

ncclComm_t NcclCommunicator::split_blocking() {
  begin_stage("set-up of a second communicator", wall_now());
  ncclConfig_t config = config_;
  config.blocking = 1;
  check_nccl(ncclCommSplit(communicator_, 0, options_.rank, &second_, &config), "ncclCommSplit",
             communicator_);
  settle();  // NCCL runs it as a job of the first communicator and writes the handle last
  return std::exchange(second_, nullptr);
}

void NcclCommunicator::give_up(Duration waited) const {
  throw PeerLostError(
      fmt::format("rank {} of {} waited {:.1f} s in stage \"{}\" (half of engine.stage_timeout): "
                  "one of the other {} members is gone or cannot be reached; NCCL_DEBUG=INFO shows "
                  "the network that is used, and NCCL_SOCKET_IFNAME sets it",
                  options_.rank, options_.size, to_seconds(waited), stage_, options_.size - 1));
}

}  // namespace mimus::kernels
