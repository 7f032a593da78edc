// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>
#include <vector>

namespace mimus::kernels {

// What only some versions of NCCL have. The one place that asks the header for its version: below
// it, `can_...()` is false and the function itself an InternalError.

/// 2.27: a communicator without some ranks, made from one that has them.
[[nodiscard]] bool nccl_can_shrink();
[[nodiscard]] ncclResult_t nccl_shrink(ncclComm_t parent, std::vector<int> leaving,
                                       bool after_error, ncclComm_t* result);

/// 2.29: a communicator with more ranks.
[[nodiscard]] bool nccl_can_grow();
/// For the first rank; it passes the id to the new members and gives it to nccl_grow().
[[nodiscard]] ncclResult_t nccl_grow_id(ncclComm_t parent, ncclUniqueId* id);
/// Members that were there before pass their communicator and rank -1; new ones none and their
/// rank. `id` is null for all members that were there but the first.
[[nodiscard]] ncclResult_t nccl_grow(ncclComm_t parent, int size, const ncclUniqueId* id, int rank,
                                     ncclComm_t* result, ncclConfig_t* config);

/// 2.22: NCCL's own estimate of the operations since ncclGroupStart(), in place of running them.
[[nodiscard]] bool nccl_can_simulate();
[[nodiscard]] ncclResult_t nccl_group_simulate_end(float* microseconds);

}  // namespace mimus::kernels
