// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/nccl_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

constexpr auto kLookForPeers = std::chrono::microseconds{100};

/// Read only once, as in NCCL.
const std::string& host_id() {
  static const std::string& id = *new std::string([] {
    const char* given = std::getenv("NCCL_HOSTID");
    return given == nullptr ? "" : given;
  }());
  return id;
}

std::uint64_t bit(NcclKind kind) {
  return std::uint64_t{1} << static_cast<unsigned>(kind);
}

bool pairwise(NcclKind kind) {
  return kind == NcclKind::send || kind == NcclKind::receive;
}

}  // namespace

bool drops_out(int rank, const std::string& operation) {
  static bool dropped = false;
  const bool now = !dropped && settings().drop_member == fmt::format("{}:{}", rank, operation);
  dropped = dropped || now;
  return now;
}

bool finds_device_full(int rank) {
  static int communicators = 0;
  return settings().full_member == fmt::format("{}:{}", rank, ++communicators);
}

std::size_t element_size(ncclDataType_t type) {
  switch (type) {
    case ncclFloat32:
      return 4;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    default:
      return 0;
  }
}

NcclState* state_of(const Call& call, ncclComm_t communicator) {
  if (call.handles.others.count({"NCCL communicators", communicator}) > 0) {
    return communicator->state.get();
  }
  complain(fmt::format("{}: a communicator that does not exist", call.name()));
  return nullptr;
}

NcclState::NcclState(std::string name, int rank, int size, int device, bool blocking)
    : name_(std::move(name)),
      rank_(rank),
      size_(size),
      device_(device),
      blocking_(blocking),
      segment_(open_segment(name_)) {
  if (segment_ == nullptr || size > kMostRanks) {
    segment_ = std::make_shared<NcclSegment>();
    fail(ncclSystemError, "its shared memory cannot be made");
    return;
  }
  std::strncpy(own().host.data(), host_id().c_str(), own().host.size() - 1);
  own().device = device;
  if (own().joined.exchange(1) != 0) fail(ncclInvalidUsage, "two members with one rank");
}

void NcclState::fail(ncclResult_t code, const std::string& why) {
  if (error_ != ncclSuccess) return;
  error_ = code;
  error_text_ = why;
  complain(fmt::format("NCCL: rank {} of {}: {}", rank_, size_, why));
}

bool NcclState::joined() {
  if (all_joined_) return true;
  for (int other = 0; other < size_; ++other) {
    if (member(other).joined == 0) return false;
  }
  all_joined_ = true;
  unlink_segment(name_);
  for (int other = 0; other < size_; ++other) {
    if (other == rank_ || member(other).device != device_) continue;
    if (std::strcmp(member(other).host.data(), own().host.data()) != 0) continue;
    fail(ncclInvalidUsage,
         fmt::format("duplicate GPU: rank {} has device {}, too", other, device_));
  }
  return true;
}

ncclResult_t NcclState::state() const {
  if (!jobs_.empty()) return ncclInProgress;
  if (error_ != ncclSuccess) return error_;
  return all_joined_ && deferred_.empty() ? ncclSuccess : ncclInProgress;
}

ncclResult_t NcclState::progress(Call& call) {
  if (!joined()) return state();
  while (!jobs_.empty() && jobs_.front()(call)) jobs_.pop_front();
  if (error_ == ncclSuccess) place_deferred(call);
  return state();
}

void NcclState::place_deferred(Call& call) {
  if (!deferred_.empty() && !std::exchange(is_used_, true) && finds_device_full(rank_)) {
    own().device_full = 1;
  }
  // This is not a mistake of the program. The texts are NCCL's.
  if (own().device_full != 0) {
    error_ = ncclUnhandledCudaError;
    error_text_ = "Failed to CUDA calloc 6291456 bytes";
    return;
  }
  for (int other = 0; other < size_; ++other) {
    if (member(other).device_full == 0) continue;
    error_ = ncclInternalError;
    error_text_ = "Socket recv failed while polling for opId=0x7f0000000000";
    return;
  }
  while (!deferred_.empty()) {
    // Every member of the group registers before any of them is waited for.
    std::size_t there = 0;
    for (const NcclPart& part : deferred_.front().parts) there += connected(part) ? 1U : 0U;
    if (there < deferred_.front().parts.size()) return;
    NcclOperationGroup group = std::move(deferred_.front());
    deferred_.pop_front();
    Operation operation{.what = "collective", .holds = token_};
    operation.duration = settings().collective_time;
    operation.body = [self = shared_from_this(), all = std::move(group.parts)]() mutable {
      return self->run(all);
    };
    if (call.enqueue(group.stream, std::move(operation)) == cudaSuccess) continue;
    fail(ncclUnhandledCudaError, "an operation cannot be put on its stream");
  }
}

ncclResult_t NcclState::settle(Call& call) {
  const auto give_up = std::chrono::steady_clock::now() + settings().patience;
  while (progress(call) == ncclInProgress) {
    if (std::chrono::steady_clock::now() > give_up) {
      complain(fmt::format("{}: a call that blocks waits for ever", call.name()));
      std::abort();
    }
    call.lock().unlock();
    std::this_thread::sleep_for(kLookForPeers);
    call.lock().lock();
  }
  return state();
}

void NcclState::defer(NcclOperationGroup group) {
  deferred_.push_back(std::move(group));
}

/// Members connect at their first operation of a kind, on the host. None continues alone.
bool NcclState::connected(const NcclPart& part) {
  if (pairwise(part.kind)) {
    const bool sends = part.kind == NcclKind::send;
    NcclPair& both = sends ? pair(rank_, part.peer) : pair(part.peer, rank_);
    (sends ? both.sender_connected : both.receiver_connected) = 1;
    return both.sender_connected != 0 && both.receiver_connected != 0;
  }
  own().connected |= bit(part.kind);
  for (int other = 0; other < size_; ++other) {
    if ((member(other).connected & bit(part.kind)) == 0) return false;
  }
  return true;
}

/// Runs on the device.
bool NcclState::run(std::vector<NcclPart>& parts) {
  if (operations_end_) return true;
  if (error_ != ncclSuccess) return false;
  for (NcclPart& part : parts) begin(part);
  return std::all_of(parts.begin(), parts.end(),
                     [this](const NcclPart& part) { return ended(part); });
}

void NcclState::begin(NcclPart& part) {
  if (part.begun) return;
  part.begun = true;
  if (!pairwise(part.kind)) {
    part.number = own().begun;
    if (drops_out(rank_, std::to_string(part.number))) return;
    own().collectives[part.number % kSlots] = part.signature;
    ++own().begun;
    return;
  }
  const bool sends = part.kind == NcclKind::send;
  NcclPair& both = sends ? pair(rank_, part.peer) : pair(part.peer, rank_);
  auto& number = sends ? both.sends : both.receives;
  part.number = number;
  if (drops_out(rank_, std::to_string(part.number))) return;
  (sends ? both.sent : both.received)[part.number % kSlots] = part.signature;
  ++number;
}

bool NcclState::ended(const NcclPart& part) {
  const std::size_t slot = part.number % kSlots;
  if (pairwise(part.kind)) {
    const bool sends = part.kind == NcclKind::send;
    NcclPair& both = sends ? pair(rank_, part.peer) : pair(part.peer, rank_);
    if ((sends ? both.receives : both.sends) <= part.number) return false;
    return same(part.signature, (sends ? both.received : both.sent)[slot], part.peer);
  }
  for (int other = 0; other < size_; ++other) {
    if (member(other).begun <= part.number) return false;
    if (!same(part.signature, member(other).collectives[slot], other)) return false;
  }
  return true;
}

bool NcclState::same(const Signature& mine, const Signature& theirs, int peer) {
  if (mine == theirs) return true;
  fail(
      ncclInvalidUsage,
      fmt::format("operation {} of type {} with {} bytes meets {} of type {} with {} bytes of rank "
                  "{}",
                  mine.operation, mine.type, mine.bytes, theirs.operation, theirs.type,
                  theirs.bytes, peer));
  return false;
}

void NcclState::end_operations() {
  operations_end_ = true;
  deferred_.clear();
  Device::get().wake();
}

void NcclState::cancel() {
  end_operations();
  jobs_.clear();
  unlink_segment(name_);
}

void NcclState::await_release(Call& call) {
  Device::get().wait(call.lock(), std::string(call.name()) + " (operations, or graphs with them)",
                     [this] { return released(); });
}

}  // namespace mimus::fake_cuda
