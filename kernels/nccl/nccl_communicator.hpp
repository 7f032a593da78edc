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

/// The id by which the members of a gang find each other: made by one, given to all.
[[nodiscard]] NcclId make_unique_id();

enum class Progress { pending, ready };

/// How a communicator was changed to another size.
enum class ResizeWay {
  shrink,  ///< ncclCommShrink, NCCL 2.27
  grow,    ///< ncclCommGrow, NCCL 2.29
  remake,  ///< destroyed and initialised again
};
[[nodiscard]] const char* name(ResizeWay way);

/// A communicator of NCCL that never blocks: long operations are begun, and poll() says when they
/// are over. If it is not finalised when it is destroyed, it is aborted, so that a lost peer cannot
/// block this process.
class NcclCommunicator {
 public:
  /// A member from the beginning, or one that joins members that grow their communicator.
  enum class Entry { founding, joining };
  /// Begins initialisation on options.device. All members have to do so with the same id.
  explicit NcclCommunicator(const NcclOptions& options, Entry entry = Entry::founding);
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  /// Whether the begun operation is over. Throws PeerLostError when NCCL found an error by itself
  /// or the stage lasted longer than the deadline. Aborting is left to the owner, because NCCL then
  /// waits for the end of every CUDA graph with operations of this communicator.
  Progress poll(WallInstant now);
  /// Polls until ready; at most the deadline.
  void settle();
  /// Names the operation that is waited for from here on, for messages.
  void begin_stage(std::string_view stage, WallInstant now);

  /// Before a resize, on the first rank that stays: the id for GangResize; a shrink needs none.
  [[nodiscard]] NcclId resize_id(const GangResize& resize);
  /// Begins the resize. All members that stay take part, with no operation under way unless
  /// after_error.
  ResizeWay resize(const GangResize& resize);
  /// Begins to wait for what is under way. When poll() is ready, nothing is left to abort.
  void finalise();
  void abort() noexcept;

  /// A second communicator of the same members and settings whose calls block, for functions that
  /// NCCL does not offer without blocking. Polls until it exists. The caller must abort it.
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
