// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_features.hpp"

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

[[noreturn, maybe_unused]] void absent(const char* function) {
  throw InternalError(std::string(function) + " is not in this version of NCCL");
}

}  // namespace

bool nccl_can_shrink() {
  return NCCL_VERSION_CODE >= NCCL_VERSION(2, 27, 0);
}

bool nccl_can_grow() {
  return NCCL_VERSION_CODE >= NCCL_VERSION(2, 29, 0);
}

bool nccl_can_simulate() {
  return NCCL_VERSION_CODE >= NCCL_VERSION(2, 22, 0);
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 27, 0)
ncclResult_t nccl_shrink(ncclComm_t parent, std::vector<int> leaving, bool after_error,
                         ncclComm_t* result) {
  return ncclCommShrink(parent, leaving.data(), static_cast<int>(leaving.size()), result, nullptr,
                        after_error ? NCCL_SHRINK_ABORT : NCCL_SHRINK_DEFAULT);
}
#else
ncclResult_t nccl_shrink(ncclComm_t, std::vector<int>, bool, ncclComm_t*) {
  absent("ncclCommShrink");
}
#endif

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 29, 0)
ncclResult_t nccl_grow_id(ncclComm_t parent, ncclUniqueId* id) {
  return ncclCommGetUniqueId(parent, id);
}

ncclResult_t nccl_grow(ncclComm_t parent, int size, const ncclUniqueId* id, int rank,
                       ncclComm_t* result, ncclConfig_t* config) {
  return ncclCommGrow(parent, size, id, rank, result, config);
}
#else
ncclResult_t nccl_grow_id(ncclComm_t, ncclUniqueId*) {
  absent("ncclCommGetUniqueId");
}

ncclResult_t nccl_grow(ncclComm_t, int, const ncclUniqueId*, int, ncclComm_t*, ncclConfig_t*) {
  absent("ncclCommGrow");
}
#endif

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 22, 0)
ncclResult_t nccl_group_simulate_end(float* microseconds) {
  ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
  const ncclResult_t code = ncclGroupSimulateEnd(&info);
  *microseconds = info.estimatedTime;
  return code;
}
#else
ncclResult_t nccl_group_simulate_end(float*) {
  absent("ncclGroupSimulateEnd");
}
#endif

}  // namespace mimus::kernels
