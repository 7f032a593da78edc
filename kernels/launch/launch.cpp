// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

const char* name(Region region) {
  constexpr std::array<const char*, kRegions> kNames{
      "weights", "gradients", "moments", "working", "temporary", "indices", "buckets", "exchange"};
  return kNames.at(static_cast<std::size_t>(region));
}

const char* name(Arithmetic arithmetic) {
  constexpr std::array<const char*, 4> kNames{"fp32", "tf32", "fp16", "bf16"};
  return kNames.at(static_cast<std::size_t>(arithmetic));
}

}  // namespace mimus::kernels
