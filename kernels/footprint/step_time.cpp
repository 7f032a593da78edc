// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels {
namespace {

/// Replays the two streams of a step. All times count from the beginning of the step.
class Replay {
 public:
  Replay(const FootprintPlan& plan, const GangLink& link, const NodeUse& node)
      : plan_(plan), link_(link), node_(node) {}

  StepTime run() {
    broadcast_buffers();
    for (int micro = 1; micro <= plan_.shape.accumulation; ++micro) {
      for (const Segment& segment : plan_.forward) compute(segment);
      for (const Segment& segment : plan_.backward) {
        compute(segment);
        const bool last = micro == plan_.shape.accumulation;
        if (last && segment.releases_bucket >= 0) reduce(segment.releases_bucket);
      }
    }
    const Duration exposed = std::max(Duration{}, communication_ - device_);
    host_ = device_ = std::max(device_, communication_);
    compute(plan_.optimiser);
    return {.total = std::max(device_, plan_.input_copy),
            .device = plan_.device_time(),
            .exposed_communication = exposed};
  }

 private:
  void broadcast_buffers() {
    const Duration time = collective_time(CollectiveOp::broadcast, plan_.buffer_broadcast,
                                          plan_.shape.replicas, link_);
    host_ += time;
    device_ = std::max(device_, host_);
  }

  /// Kernels start when the stream is free and the host has launched them. The host launches at a
  /// steady rate, so the last kernel ends no earlier than the launches do.
  void compute(const Segment& segment) {
    const Duration stream =
        std::max(device_, host_) + scale(segment.device_time, node_.device_stretch);
    host_ += segment.host_time_on(node_);
    device_ = std::max(stream, host_);
  }

  void reduce(int bucket) {
    const Bytes size = plan_.buckets[static_cast<std::size_t>(bucket)];
    communication_ = std::max(communication_, device_) +
                     collective_time(CollectiveOp::all_reduce, size, plan_.shape.replicas, link_);
  }

  const FootprintPlan& plan_;
  const GangLink& link_;
  NodeUse node_;
  Duration host_{};
  Duration device_{};
  Duration communication_{};
};

}  // namespace

StepTime solo_step_time(const FootprintPlan& plan, const GangLink& link, const NodeUse& node) {
  return Replay(plan, link, node).run();
}

}  // namespace mimus::kernels
