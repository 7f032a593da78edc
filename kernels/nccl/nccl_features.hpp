// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>
#include <vector>

namespace mimus::kernels {

// Features that only some versions of NCCL have. Only this file checks the version in the header.
// In older versions `can_...()` is false and the function itself throws an InternalError.

/// 2.27: a communicator without some ranks, made from one that has them.
[[nodiscard]] bool nccl_can_shrink();
[[nodiscard]] ncclResult_t nccl_shrink(ncclComm_t parent, std::vector<int> leaving,
                                       bool after_error, ncclComm_t* result);

/// 2.29: a communicator with more ranks.
[[nodiscard]] bool nccl_can_grow();
/// For the first rank, which passes the id to the new members and to nccl_grow().
[[nodiscard]] ncclResult_t nccl_grow_id(ncclComm_t parent, ncclUniqueId* id);
/// Present members pass their communicator and rank -1; new members none and their rank. `id` is
/// null for all present members but the first.
[[nodiscard]] ncclResult_t nccl_grow(ncclComm_t parent, int size, const ncclUniqueId* id, int rank,
                                     ncclComm_t* result, ncclConfig_t* config);

/// 2.22: NCCL's own estimate of the operations since ncclGroupStart(), instead of running them.
[[nodiscard]] bool nccl_can_simulate();
[[nodiscard]] ncclResult_t nccl_group_simulate_end(float* microseconds);

}  // namespace mimus::kernels
