// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::kernels {

/// How the crossings of a layer's tensor are spread over its kernels: each reads `reads` tensors of
/// `elements` and writes one.
struct CrossingShare {
  int reads = 1;
  std::int64_t elements = 0;
};

/// `kernels` launches that cross a tensor of `elements` `crossings` times in all, reads plus
/// writes. A kernel reads one to three tensors and covers no more than necessary: three copies of a
/// third each for two crossings, an addition for three.
[[nodiscard]] CrossingShare share_crossings(std::int64_t elements, double crossings, int kernels);

}  // namespace mimus::kernels
