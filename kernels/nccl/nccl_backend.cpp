// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_backend.hpp"

#include <fmt/format.h>

#include "kernels/nccl/nccl_collective.hpp"
#include "kernels/nccl/nccl_error.hpp"
#include "kernels/nccl/one_gpu_ranks.hpp"

namespace mimus::kernels {

NcclId make_nccl_id() {
  return make_unique_id();
}

std::unique_ptr<Collective> make_nccl_collective(const NcclOptions& options) {
  using Estimates = NcclCollective::Estimates;
  return std::make_unique<NcclCollective>(options,
                                          options.estimates ? Estimates::on : Estimates::off);
}

NcclId nccl_resize_id(Collective& collective, const GangResize& resize) {
  return dynamic_cast<NcclCollective&>(collective).resize_id(resize);
}

void resize_nccl_collective(Collective& collective, const GangResize& resize) {
  static_cast<void>(dynamic_cast<NcclCollective&>(collective).resize(resize));
}

std::string nccl_header_version() {
  return nccl_version_text(NCCL_VERSION_CODE);
}

std::string nccl_version() {
  return nccl_version_text(nccl_number());
}

int nccl_number() {
  int number = 0;
  check_nccl(ncclGetVersion(&number), "ncclGetVersion");
  return number;
}

}  // namespace mimus::kernels
