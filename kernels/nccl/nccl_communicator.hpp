// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nccl.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::kernels {

/// What the members of a gang need to find each other: made by one, given to all.
[[nodiscard]] NcclId make_unique_id();

enum class Progress { pending, ready };

/// How a communicator became one of another size.
enum class ResizeWay {
  shrink,  ///< ncclCommShrink, NCCL 2.27
  grow,    ///< ncclCommGrow, NCCL 2.29
  remake,  ///< destroyed and initialised anew
};
[[nodiscard]] const char* name(ResizeWay way);

/// A communicator of NCCL that never blocks: what takes time is begun, and poll() says when it is
/// over. One that is not finalised when it is destroyed is aborted, so that a lost peer cannot hold
/// this process.
class NcclCommunicator {
 public:
  /// A member from the beginning, or one that joins members who grow their communicator.
  enum class Entry { founding, joining };
  /// Begins initialisation on options.device. All members have to do so with the same id.
  explicit NcclCommunicator(const NcclOptions& options, Entry entry = Entry::founding);
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  /// Whether what was begun is over. PeerLostError when NCCL met an error by itself or the stage
  /// lasted longer than the deadline. Aborting is left to the owner: NCCL waits in it for the end
  /// of every CUDA graph that has operations of this communicator.
  Progress poll(WallInstant now);
  /// Polls until ready; at most the deadline.
  void settle();
  /// Names what is waited for from here on, for messages.
  void begin_stage(std::string_view stage, WallInstant now);

  /// Before a resize, on the first rank that stays: the id for GangResize; a shrink needs none.
  [[nodiscard]] NcclId resize_id(const GangResize& resize);
  /// Begins it; all members that stay take part, with no operation under way unless after_error.
  ResizeWay resize(const GangResize& resize);
  /// Begins to wait for what is under way; when poll() is ready, nothing is left to abort.
  void finalise();
  void abort() noexcept;

  /// A second communicator of the same members and settings whose calls block, for what NCCL does
  /// not do without blocking. Polls until it is there; aborting it is the caller's.
  [[nodiscard]] ncclComm_t split_blocking();

  [[nodiscard]] ncclComm_t get() const { return communicator_; }
  [[nodiscard]] int rank() const { return options_.rank; }
  [[nodiscard]] int size() const { return options_.size; }
  [[nodiscard]] int device() const { return options_.device; }
  [[nodiscard]] Duration deadline() const { return options_.deadline; }

 private:
  [[nodiscard]] ncclResult_t state_of(ncclComm_t communicator);
  [[nodiscard]] ncclResult_t parent_state();
  [[nodiscard]] Progress advance();
  [[nodiscard]] ResizeWay way_of(const GangResize& resize) const;
  void initialise(Entry entry);
  void leave_parent() noexcept;
  [[noreturn]] void give_up(Duration waited) const;

  NcclOptions options_;
  ncclConfig_t config_;
  ncclComm_t communicator_ = nullptr;
  ncclComm_t second_ = nullptr;  ///< that is being split off; NCCL writes it last
  ncclComm_t parent_ = nullptr;  ///< that a resize made `communicator_` from, until that is ready
  bool after_error_ = false;     ///< the parent had one
  bool finalising_ = false;
  std::string stage_;
  WallInstant stage_began_{};
};

}  // namespace mimus::kernels
