// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_error.hpp"

#include <string>

#include <fmt/format.h>

namespace mimus::kernels {
namespace {

bool is_error(ncclResult_t code) {
  return code != ncclSuccess && code != ncclInProgress;
}

std::string text_of(ncclResult_t code, ncclComm_t communicator) {
  std::string text = ncclGetErrorString(code);
  if (communicator == nullptr) return text;
  const char* last = ncclGetLastError(communicator);
  if (last != nullptr && *last != '\0') text += fmt::format(": {}", last);
  return text;
}

[[noreturn]] void throw_peer_lost(std::string_view where, const std::string& text) {
  throw PeerLostError(fmt::format(
      "{}: {}; a member of the gang is gone or its network is, NCCL_DEBUG=WARN names which", where,
      text));
}

}  // namespace

void check_nccl(ncclResult_t code, std::string_view call, ncclComm_t communicator) {
  if (!is_error(code)) return;
  const std::string text = text_of(code, communicator);
  if (code == ncclRemoteError) throw_peer_lost(call, text);
  throw LibraryError(call, code, text + "; set NCCL_DEBUG=WARN to see where it came from");
}

void check_nccl_async(ncclResult_t code, std::string_view stage, ncclComm_t communicator) {
  if (!is_error(code)) return;
  if (code == ncclSystemError) throw_peer_lost(stage, text_of(code, communicator));
  check_nccl(code, stage, communicator);
}

}  // namespace mimus::kernels
