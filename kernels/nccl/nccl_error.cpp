// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_error.hpp"

#include <string>

#include <fmt/format.h>

#include "kernels/cuda/cuda_error.hpp"

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

/// Of a call of CUDA that failed NCCL returns no more than that it did, but it logs which (alloc.h,
/// checks.h of NCCL 2.18 to 2.28): `Cuda failure 2 'out of memory'`, `Failed to CUDA calloc 6291456
/// bytes`.
bool is_device_full(ncclResult_t code, const std::string& text) {
  if (code != ncclUnhandledCudaError) return false;
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  return says("'out of memory'") || says("Failed to CUDA malloc") || says("Failed to CUDA calloc");
}

}  // namespace

void check_nccl(ncclResult_t code, std::string_view call, ncclComm_t communicator) {
  if (!is_error(code)) return;
  const std::string text = text_of(code, communicator);
  if (code == ncclRemoteError) throw_peer_lost(call, text);
  if (is_device_full(code, text)) {
    throw cuda::DeviceFullError(fmt::format("no memory for NCCL, {}: {}", call, text));
  }
  throw LibraryError(call, code, text + "; set NCCL_DEBUG=WARN to see where it came from");
}

void check_nccl_async(ncclResult_t code, std::string_view stage, ncclComm_t communicator) {
  if (!is_error(code)) return;
  if (code == ncclSystemError) throw_peer_lost(stage, text_of(code, communicator));
  check_nccl(code, stage, communicator);
}

}  // namespace mimus::kernels
