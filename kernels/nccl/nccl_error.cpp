// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_error.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include "kernels/cuda/runtime/cuda_error.hpp"

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
      "{}: {}; a member of the gang or its network is gone; NCCL_DEBUG=WARN shows which", where,
      text));
}

bool says_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* one) { return text.find(one) != std::string::npos; });
}

/// When a CUDA call fails, NCCL returns only that it failed, but logs which one (alloc.h,
/// checks.h): `Cuda failure 2 'out of memory'`, `Failed to CUDA calloc 6291456 bytes`.
bool is_device_full(ncclResult_t code, const std::string& text) {
  return code == ncclUnhandledCudaError &&
         says_one_of(text, {"'out of memory'", "Failed to CUDA malloc", "Failed to CUDA calloc"});
}

/// Members of a host connect through threads in each other's process (proxy.cc). A member that has
/// exited or found no memory closes its sockets. NCCL then returns an error in the others.
bool is_closed_connection(ncclResult_t code, const std::string& text) {
  return code == ncclInternalError &&
         says_one_of(text, {"Socket recv failed while polling", "Connection closed by remote peer",
                            "Proxy Call to rank"});
}

}  // namespace

void check_nccl(ncclResult_t code, std::string_view call, ncclComm_t communicator) {
  if (!is_error(code)) return;
  const std::string text = text_of(code, communicator);
  if (code == ncclRemoteError) throw_peer_lost(call, text);
  if (is_closed_connection(code, text)) {
    const std::string use = cuda::device_memory_use();
    throw_peer_lost(call, use.empty() ? text : fmt::format("{}; {}", text, use));
  }
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
