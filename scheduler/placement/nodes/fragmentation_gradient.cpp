// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/fragmentation_gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mimus::scheduler {

void FragmentationGradient::look_at(NodeView& node) const {
  node.fragmented = fragmentation_.of(node.type, node.host.milli_cores, node.left);
}

int FragmentationGradient::score_on(const NodeQuestion& question, GpuMask gpus) const {
  const NodeView& node = question.node;
  std::array<int, 64> after{};
  std::copy(node.left.begin(), node.left.end(), after.begin());
  const auto share = static_cast<int>(question.request.share.value);
  each_gpu(gpus, [&](std::size_t gpu) { after[gpu] -= share; });
  const double fragmented =
      fragmentation_.of(node.type, node.host.milli_cores - question.request.host.milli_cores,
                        std::span(after).first(node.left.size()));
  return static_cast<int>(100.0 / (1.0 + std::exp((fragmented - node.fragmented) / 1000.0)));
}

NodeOffer FragmentationGradient::offer(const NodeQuestion& question) const {
  if (question.request.share == kWholeGpu || question.request.gang != 1) {
    const GpuMask gpus = best_fitting(question);
    return {score_on(question, gpus), gpus};
  }
  NodeOffer best{-1, 0};
  std::array<int, 64> tried{};  // GPUs that have as much left are equal
  std::size_t count = 0;
  each_gpu(question.candidates, [&](std::size_t gpu) {
    const int left = question.node.left[gpu];
    if (std::find(tried.begin(), tried.begin() + count, left) != tried.begin() + count) return;
    tried[count++] = left;
    const GpuMask only = GpuMask{1} << gpu;
    const int score = score_on(question, only);
    if (score > best.score) best = {score, only};
  });
  return best;
}

}  // namespace mimus::scheduler
