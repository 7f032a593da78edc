// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/allocation_log.hpp"

#include <numeric>
#include <utility>

#include "scheduler/placement/nodes/node_view.hpp"

namespace mimus::emulator {
namespace {

constexpr double kPopularity = 0.95;  ///< as in FGD's evaluation
constexpr double kStep = 0.01;        ///< of the cluster, between two rows
constexpr double kMilli = 1000.0;

}  // namespace

AllocationLog::AllocationLog(const scheduler::Cluster& cluster,
                             std::vector<scheduler::RequestCount> mix, results::Recorder& recorder)
    : cluster_(cluster),
      fragmentation_(std::move(mix), kPopularity, cluster.shape()),
      recorder_(recorder),
      nodes_(static_cast<std::size_t>(cluster.shape().nodes)) {
  row_.gpus = cluster.shape().gpus();
  cluster.keep_node_changes();
}

void AllocationLog::arrived(const workloads::Job& job) {
  ++row_.arrived;
  row_.requested += job.gang * job.gpu_share;
}

void AllocationLog::decided(Instant at) {
  const scheduler::NodeChanges& changes = cluster_.node_changes();
  if (!changes.remembers(seen_)) {
    for (Node& node : nodes_) node.is_stale = true;
    seen_ = changes.count();
  }
  for (; seen_ < changes.count(); ++seen_) nodes_[changes.at(seen_).index()].is_stale = true;
  if (row_.requested < next_) return;
  record(at);
  while (next_ <= row_.requested) next_ += kStep * static_cast<double>(row_.gpus);
}

void AllocationLog::see(NodeId id) {
  const scheduler::NodeView view = scheduler::view_of(cluster_, id);
  nodes_[id.index()] = {view.all_left,
                        fragmentation_.of(view.type, view.host.milli_cores, view.left), false};
}

void AllocationLog::record(Instant at) {
  std::int64_t left = 0;
  double fragmented = 0.0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].is_stale) see(NodeId{static_cast<std::int64_t>(n)});
    left += nodes_[n].left;
    fragmented += nodes_[n].fragmented;
  }
  row_.time = to_seconds(at);
  row_.allocated = static_cast<double>(row_.gpus) - static_cast<double>(left) / kMilli;
  row_.fragmented = fragmented / kMilli;
  recorder_.add(row_);
}

void AllocationLog::write(Instant at) {
  decided(at);
  record(at);
}

}  // namespace mimus::emulator
