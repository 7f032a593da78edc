// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// NCCL: communicators and versions.
#include <algorithm>
#include <cstring>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "tests/gpu/fake/nccl_handles.hpp"
#include "tests/gpu/fake/nccl_state.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

/// Ranks of one colour in the order of their keys. It is known when all have called.
struct Split {
  int rank = 0;
  int size = 0;
};
std::optional<Split> split_of(NcclState& parent, int number) {
  const auto slot = static_cast<std::size_t>(number) % kSlots;
  const auto place = [&](int rank) { return std::pair{parent.member(rank).keys[slot], rank}; };
  Split split;
  for (int other = 0; other < parent.size(); ++other) {
    if (parent.member(other).splits <= number) return std::nullopt;
    if (parent.member(other).colours[slot] != parent.own().colours[slot]) continue;
    ++split.size;
    if (place(other) < place(parent.rank())) ++split.rank;
  }
  return split;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t code) {
  switch (code) {
    case ncclSuccess:
      return "no error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclInProgress:
      return "NCCL operation in progress";
    default:
      return "an error that the fake returned";
  }
}

const char* ncclGetLastError(ncclComm_t communicator) {
  const Call call(__func__);
  const NcclState* const state = state_of(call, communicator);
  return state == nullptr ? "" : state->error_text().c_str();
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  const Call call(__func__);
  count(__func__);
  static int last = 0;
  std::memset(id, 0, sizeof *id);
  const std::string name = fmt::format("/mimus-fake-nccl-{}-{}", getpid(), ++last);
  std::memcpy(id->internal, name.c_str(), name.size());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* result, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  Call call(__func__);
  count(__func__);
  if (size < 1 || rank < 0 || rank >= size || id.internal[0] != '/') {
    return refuse(call, ncclInvalidArgument, fmt::format("rank {} of {}, or the id", rank, size));
  }
  auto state =
      std::make_shared<NcclState>(id.internal, rank, size, current_device(), blocks(config, true));
  state->most_ctas = most_ctas(config);
  count(fmt::format("communicator of at most {} CTAs", state->most_ctas));
  *result = add(call.handles, state);
  return state->blocking() ? state->settle(call) : ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
  Call call(__func__);
  NcclState* const state = state_of(call, communicator);
  if (state == nullptr) return ncclInvalidArgument;
  *error = state->progress(call);
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  Call call(__func__);
  NcclState* const state = state_of(call, communicator);
  if (state == nullptr) return ncclInvalidArgument;
  state->cancel();
  if (state->when_given_up) std::exchange(state->when_given_up, nullptr)(call);
  state->await_release(call);
  Device::get().wait_idle(call.lock(), __func__);  // NCCL frees device memory here
  remove(call.handles, communicator);
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t communicator) {
  Call call(__func__);
  NcclState* const state = state_of(call, communicator);
  if (state == nullptr || state->state() != ncclSuccess) {
    return refuse(call, ncclInvalidArgument, "the communicator is not ready");
  }
  state->defer([state](Call&) { return state->released(); });
  return state->blocking() ? state->settle(call) : ncclInProgress;
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  Call call(__func__);
  NcclState* const state = state_of(call, communicator);
  if (state == nullptr) return ncclInvalidArgument;
  state->await_release(call);
  remove(call.handles, communicator);
  return ncclSuccess;
}

ncclResult_t ncclCommSplit(ncclComm_t communicator, int colour, int key, ncclComm_t* result,
                           ncclConfig_t* config) {
  Call call(__func__);
  NcclState* const parent = state_of(call, communicator);
  if (parent == nullptr || parent->state() != ncclSuccess || colour < 0) {
    return refuse(call, ncclInvalidArgument, "the communicator is not ready, or a colour");
  }
  // NCCL allows this, but then the values of one communicator do not hold for the other.
  if (most_ctas(config, parent->most_ctas) != parent->most_ctas) {
    return refuse(call, ncclInvalidUsage, "it would have another limit of CTAs than its parent");
  }
  *result = nullptr;
  const int number = parent->own().splits;
  const auto slot = static_cast<std::size_t>(number) % kSlots;
  parent->own().colours[slot] = colour;
  parent->own().keys[slot] = key;
  if (!drops_out(parent->rank(), "split")) ++parent->own().splits;
  parent->when_given_up = [parent, result](Call& own) {
    const std::string name = fmt::format("{}.u{}", parent->name(), parent->rank());
    *result = add(own.handles, std::make_shared<NcclState>(name, 0, 1, parent->device(), true));
  };
  const bool blocking = blocks(config, parent->blocking());
  parent->defer([parent, number, colour, blocking, result](Call&) {
    const auto split = split_of(*parent, number);
    if (!split) return false;
    const std::string name = fmt::format("{}.s{}.{}", parent->name(), number, colour);
    defer_child(
        *parent,
        std::make_shared<NcclState>(name, split->rank, split->size, parent->device(), blocking),
        result);
    return true;
  });
  return parent->blocking() ? parent->settle(call) : ncclInProgress;
}

ncclResult_t ncclCommShrink(ncclComm_t communicator, int* leaving, int leavers, ncclComm_t* result,
                            ncclConfig_t* config, int flags) {
  Call call(__func__);
  count(__func__);
  NcclState* const parent = state_of(call, communicator);
  const bool aborts = (flags & NCCL_SHRINK_ABORT) != 0;
  if (parent == nullptr || (!aborts && parent->state() != ncclSuccess)) {
    return refuse(call, ncclInvalidArgument, "the communicator is not ready");
  }
  if (!aborts && !parent->released()) {
    return refuse(call, ncclInvalidUsage, "operations are under way");
  }
  if (aborts) parent->end_operations();
  *result = nullptr;
  std::string name = fmt::format("{}.k", parent->name());
  for (int i = 0; i < leavers; ++i) name += fmt::format("-{}", leaving[i]);
  const auto before =
      std::count_if(leaving, leaving + leavers, [&](int rank) { return rank < parent->rank(); });
  auto child = std::make_shared<NcclState>(name, parent->rank() - static_cast<int>(before),
                                           parent->size() - leavers, parent->device(),
                                           blocks(config, parent->blocking()));
  child->most_ctas = most_ctas(config, parent->most_ctas);
  defer_child(*parent, child, result);
  return parent->blocking() ? parent->settle(call) : ncclInProgress;
}

}  // extern "C"
