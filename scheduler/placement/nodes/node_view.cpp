// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/node_view.hpp"

namespace mimus::scheduler {

NodeView view_of(const Cluster& cluster, NodeId node) {
  const ClusterShape& shape = cluster.shape();
  NodeView view;
  view.node = node;
  view.type = shape.type_of(node);
  view.host = cluster.free_host(node);
  view.gpus = std::span(cluster.gpus())
                  .subspan(static_cast<std::size_t>(shape.first_gpu(node)),
                           static_cast<std::size_t>(shape.gpus_on(node)));
  view.left.reserve(view.gpus.size());
  for (const GpuState& gpu : view.gpus) {
    const bool usable = cluster.usable(gpu.id);
    view.is_open = view.is_open || usable;
    view.left.push_back(usable ? static_cast<int>(gpu.free_share().value) : 0);
    view.all_left += view.left.back();
  }
  return view;
}

}  // namespace mimus::scheduler
