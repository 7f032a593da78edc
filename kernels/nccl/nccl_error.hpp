// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>
#include <string_view>

#include "kernels/collective.hpp"

namespace mimus::kernels {

/// Throws unless `code` is ncclSuccess or ncclInProgress: PeerLostError for ncclRemoteError and for
/// a closed connection between members, DeviceFullError if NCCL found no device memory for its
/// buffers, else LibraryError. The message has NCCL's text and, if `communicator` is given, the
/// last error it logged.
void check_nccl(ncclResult_t code, std::string_view call, ncclComm_t communicator = nullptr);

/// The same for an error that a running communicator found by itself. A failed system call there is
/// a connection that a peer no longer holds, so it is PeerLostError, too.
void check_nccl_async(ncclResult_t code, std::string_view stage, ncclComm_t communicator);

}  // namespace mimus::kernels
