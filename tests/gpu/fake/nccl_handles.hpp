// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nccl.h>
#include <string>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/nccl_state.hpp"

namespace mimus::fake_cuda {

/// Says why on stderr and returns the code.
ncclResult_t refuse(const Call& call, ncclResult_t code, const std::string& why);
/// Whether calls of a communicator with this configuration block.
[[nodiscard]] bool blocks(const ncclConfig_t* config, bool otherwise);
/// Its limit of thread blocks, 0 for none; a null configuration takes the parent's.
[[nodiscard]] int most_ctas(const ncclConfig_t* config, int parents = 0);

ncclComm_t add(Handles& handles, std::shared_ptr<NcclState> state);
void remove(Handles& handles, ncclComm_t communicator);
/// Makes the new communicator once its members are there, and writes the handle last.
void defer_child(NcclState& parent, const std::shared_ptr<NcclState>& child, ncclComm_t* result);

}  // namespace mimus::fake_cuda
