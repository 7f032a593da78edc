// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Linked into the CUDA module in place of NCCL if NCCL was not found.
#include "kernels/nccl/nccl_backend.hpp"

namespace mimus::kernels {
namespace {

[[noreturn]] void refuse() {
  throw NotCompiledError("the nccl collective", "MIMUS_WITH_NCCL");
}

}  // namespace

NcclId make_nccl_id() {
  refuse();
}

std::unique_ptr<Collective> make_nccl_collective(const NcclOptions&) {
  refuse();
}

NcclId nccl_resize_id(Collective&, const GangResize&) {
  refuse();
}

void resize_nccl_collective(Collective&, const GangResize&) {
  refuse();
}

std::string nccl_header_version() {
  return {};
}

std::string nccl_version() {
  return {};
}

int nccl_number() {
  return 0;
}

}  // namespace mimus::kernels
