// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <nccl.h>
#include <optional>
#include <string>
#include <vector>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/nccl_segment.hpp"

namespace mimus::fake_cuda {

enum class NcclKind { all_reduce, broadcast, all_gather, reduce_scatter, send, receive };

/// One call of NCCL within a group, or alone.
struct NcclPart {
  NcclKind kind = NcclKind::all_reduce;
  Signature signature{};
  int peer = 0;  ///< of send and receive
  std::uint64_t number = 0;
  bool begun = false;
};

/// Parts that were called between a begin and an end of a group: one kernel.
struct NcclOperationGroup {
  std::vector<NcclPart> parts;
  cudaStream_t stream = nullptr;
};

/// A member's side of a communicator. Members meet in a segment of shared memory. As on a real one
/// that does not block, nothing that was called goes on until the host asks for the asynchronous
/// error. The lock of Device is held for everything here.
class NcclState : public std::enable_shared_from_this<NcclState> {
 public:
  NcclState(std::string name, int rank, int size, int device, bool blocking);

  /// Moves on what was called; what ncclCommGetAsyncError() says.
  ncclResult_t progress(Call& call);
  /// As progress(), without moving anything.
  [[nodiscard]] ncclResult_t state() const;
  /// Until progress() is not in progress, where calls block.
  ncclResult_t settle(Call& call);

  void defer(NcclOperationGroup group);
  /// Something else that members do together: true when it is over.
  using Job = std::function<bool(Call& call)>;
  void defer(Job job) { jobs_.push_back(std::move(job)); }

  /// Operations end without their peers.
  void end_operations();
  /// Likewise, and what was called is forgotten.
  void cancel();
  /// Waits until neither the device nor a graph holds an operation.
  void await_release(Call& call);
  [[nodiscard]] bool released() const { return token_.use_count() == 1; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int device() const { return device_; }
  [[nodiscard]] bool blocking() const { return blocking_; }
  [[nodiscard]] const std::string& error_text() const { return error_text_; }
  NcclMember& own() { return segment_->members[static_cast<std::size_t>(rank_)]; }
  NcclMember& member(int rank) { return segment_->members[static_cast<std::size_t>(rank)]; }
  int children = 0;   ///< communicators that were made from this one
  int most_ctas = 0;  ///< that it was configured with; 0 for NCCL's choice
  /// Of the communicator that is being made from this one: NCCL writes its handle even then.
  std::function<void(Call& call)> when_given_up;

 private:
  [[nodiscard]] bool joined();
  void place_deferred(Call& call);
  [[nodiscard]] bool connected(const NcclPart& part);
  [[nodiscard]] bool run(std::vector<NcclPart>& parts);
  void begin(NcclPart& part);
  [[nodiscard]] bool ended(const NcclPart& part);
  [[nodiscard]] bool same(const Signature& mine, const Signature& theirs, int peer);
  void fail(ncclResult_t code, const std::string& why);
  NcclPair& pair(int from, int to) {
    return segment_->pairs[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  std::string name_;
  int rank_;
  int size_;
  int device_;
  bool blocking_;
  std::shared_ptr<NcclSegment> segment_;
  bool all_joined_ = false;
  bool is_used_ = false;
  bool operations_end_ = false;
  ncclResult_t error_ = ncclSuccess;
  std::string error_text_;
  std::deque<NcclOperationGroup> deferred_;
  std::deque<Job> jobs_;
  std::shared_ptr<int> token_ = std::make_shared<int>(0);  ///< held by operations
};

/// Once per process the member that the environment names does not take part in an operation.
[[nodiscard]] bool drops_out(int rank, const std::string& operation);

/// Whether the member that the environment names has no device memory left for the buffers of its
/// connections, in the communicator of that number among those that this process uses. Asked once
/// per communicator, before its first operation.
[[nodiscard]] bool finds_device_full(int rank);

/// Bytes of an element; 0 for a type that Mimus does not use.
[[nodiscard]] std::size_t element_size(ncclDataType_t type);

/// The communicator, null with a complaint when there is none such.
[[nodiscard]] NcclState* state_of(const Call& call, ncclComm_t communicator);

}  // namespace mimus::fake_cuda

struct ncclComm {
  std::shared_ptr<mimus::fake_cuda::NcclState> state;
};
