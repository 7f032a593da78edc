// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/by_gpus.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

/// Of a node some of whose GPUs are in use.
int packing_score(const NodeQuestion& question, GpuMask gpus) {
  int idle = 0;
  int left = 0;  // of shared GPUs, in per cent
  each_gpu(gpus, [&](std::size_t gpu) {
    const int here = question.node.left[gpu];
    if (here == kWholeGpu.value) {
      ++idle;
    } else {
      left += here * 100 / 1000;
    }
  });
  return idle > 0 ? std::max(50 - idle, 33) : std::max(100 - left / 10, 50);
}

/// Jobs with parts of GPUs are one class, the others one for each number of GPUs.
int class_of(MilliGpus share, const JobKind& kind) {
  return share < kWholeGpu ? 0 : kind.gang;
}

enum class Hosted { others = 0, none = 25, among_others = 50, only_these = 75 };

Hosted hosted_on(const NodeView& node, int of_class) {
  bool these = false;
  bool others = false;
  for (const GpuState& gpu : node.gpus) {
    for (const Tenant& tenant : gpu.tenants) {
      (class_of(tenant.share, *tenant.kind) == of_class ? these : others) = true;
    }
  }
  if (these) return others ? Hosted::among_others : Hosted::only_these;
  return others ? Hosted::others : Hosted::none;
}

}  // namespace

NodeOffer GpuPacking::offer(const NodeQuestion& question) const {
  if (question.request.gang == 0) return {};
  const GpuMask gpus = best_fitting(question);
  const int of_node = question.node.size();
  if (question.node.all_left == of_node * static_cast<int>(kWholeGpu.value)) {
    return {std::max(33 - of_node, of_node), gpus};
  }
  return {packing_score(question, gpus), gpus};
}

NodeOffer GpuClustering::offer(const NodeQuestion& question) const {
  if (question.request.gang == 0) return {};
  const int of_class = class_of(question.request.share, *question.request.kind);
  const auto in_use = static_cast<int>(25 * (most_gpus_ - question.node.all_left) / most_gpus_);
  const auto hosted = static_cast<int>(hosted_on(question.node, of_class));
  return {in_use + hosted, best_fitting(question)};
}

}  // namespace mimus::scheduler
