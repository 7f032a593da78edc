// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/by_resources.hpp"

#include <algorithm>

namespace mimus::scheduler {

LargestNode::LargestNode(const ClusterShape& shape) {
  for (int n = 0; n < shape.nodes; ++n) {
    const NodeId node{n};
    milli_gpus = std::max(milli_gpus, 1000.0 * shape.gpus_on(node));
    milli_cores = std::max(milli_cores, static_cast<double>(shape.host_of(node).milli_cores));
  }
}

NodeOffer BestFitNode::offer(const NodeQuestion& question) const {
  const HostNeed& asked = question.request.host;
  const auto cores = static_cast<double>(question.node.host.milli_cores - asked.milli_cores);
  const auto gpus = static_cast<double>(question.node.all_left - milli_asked(question.request));
  const double left = 0.5 * (cores / largest_.milli_cores) + 0.5 * (gpus / largest_.milli_gpus);
  return {static_cast<int>(100.0 * (1.0 - left)), best_fitting(question)};
}

NodeOffer DotProduct::offer(const NodeQuestion& question) const {
  const auto asked_cores = static_cast<double>(question.request.host.milli_cores);
  const auto asked_gpus = static_cast<double>(milli_asked(question.request));
  const double cores = static_cast<double>(question.node.host.milli_cores) / largest_.milli_cores;
  const double gpus = question.node.all_left / largest_.milli_gpus;
  const double product = 0.5 * (cores * (asked_cores / largest_.milli_cores) +
                                gpus * (asked_gpus / largest_.milli_gpus));
  return {static_cast<int>(100.0 * (1.0 - product)), best_fitting(question)};
}

}  // namespace mimus::scheduler
