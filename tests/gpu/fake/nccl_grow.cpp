// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// NCCL from 2.29 on: communicators that grow.
#include <cstring>
#include <memory>
#include <string>

#include "tests/gpu/fake/nccl_handles.hpp"
#include "tests/gpu/fake/nccl_state.hpp"
#include "tests/gpu/fake/settings.hpp"

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 29, 0)

using namespace mimus::fake_cuda;

namespace {

/// The name by which members find each other. A communicator grows only once.
std::string grown_name(const NcclState& parent) {
  return parent.name() + ".g";
}

bool quiet(const NcclState* communicator) {
  return communicator != nullptr && communicator->state() == ncclSuccess &&
         communicator->released();
}

ncclResult_t join(Call& call, const ncclUniqueId* id, int size, int rank, ncclComm_t* result,
                  const ncclConfig_t* config) {
  if (id == nullptr || rank < 0 || rank >= size) {
    return refuse(call, ncclInvalidArgument, "a new member needs the id and its rank");
  }
  auto state =
      std::make_shared<NcclState>(id->internal, rank, size, current_device(), blocks(config, true));
  state->most_ctas = most_ctas(config);
  *result = add(call.handles, state);
  return state->blocking() ? state->settle(call) : ncclInProgress;
}

}  // namespace

extern "C" {

ncclResult_t ncclCommGetUniqueId(ncclComm_t communicator, ncclUniqueId* id) {
  Call call(__func__);
  const NcclState* const parent = state_of(call, communicator);
  if (!quiet(parent)) return refuse(call, ncclInvalidUsage, "operations are under way");
  const std::string name = grown_name(*parent);
  std::memset(id, 0, sizeof *id);
  if (name.size() >= sizeof *id) return refuse(call, ncclInternalError, "resized too often");
  std::memcpy(id->internal, name.c_str(), name.size());
  return ncclSuccess;
}

ncclResult_t ncclCommGrow(ncclComm_t communicator, int size, const ncclUniqueId* id, int rank,
                          ncclComm_t* result, ncclConfig_t* config) {
  Call call(__func__);
  count(__func__);
  if (communicator == nullptr) return join(call, id, size, rank, result, config);
  NcclState* const parent = state_of(call, communicator);
  if (!quiet(parent)) return refuse(call, ncclInvalidUsage, "operations are under way");
  if (rank != -1 || size <= parent->size() || (id != nullptr) != (parent->rank() == 0)) {
    return refuse(call, ncclInvalidArgument,
                  "members give no rank, and the first one alone the id");
  }
  *result = nullptr;
  auto child = std::make_shared<NcclState>(grown_name(*parent), parent->rank(), size,
                                           parent->device(), blocks(config, parent->blocking()));
  child->most_ctas = most_ctas(config, parent->most_ctas);
  defer_child(*parent, child, result);
  return parent->blocking() ? parent->settle(call) : ncclInProgress;
}

}  // extern "C"

#endif
