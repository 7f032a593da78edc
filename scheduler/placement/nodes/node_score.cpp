// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/node_score.hpp"

#include <limits>

namespace mimus::scheduler {
namespace {

/// The first of those with the least left.
GpuMask tightest(const NodeView& node, GpuMask candidates) {
  int least = std::numeric_limits<int>::max();
  GpuMask best = 0;
  each_gpu(candidates, [&](std::size_t gpu) {
    if (node.left[gpu] >= least) return;
    least = node.left[gpu];
    best = GpuMask{1} << gpu;
  });
  return best;
}

}  // namespace

GpuMask first_of(GpuMask gpus, int count) {
  GpuMask first = 0;
  for (; count > 0 && gpus != 0; --count) {
    const GpuMask lowest = gpus & (~gpus + 1);
    first |= lowest;
    gpus ^= lowest;
  }
  return first;
}

GpuMask best_fitting(const NodeQuestion& question) {
  if (question.request.share == kWholeGpu) {
    return first_of(question.candidates, question.request.gang);
  }
  GpuMask best = 0;
  for (int count = 0; count < question.request.gang; ++count) {
    best |= tightest(question.node, question.candidates & ~best);
  }
  return best;
}

}  // namespace mimus::scheduler
