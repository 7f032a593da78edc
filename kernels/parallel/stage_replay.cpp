// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/stage_replay.hpp"

#include <algorithm>

namespace mimus::kernels {

void StageReplay::forward() {
  pass(plan_.forward, split_.forward, {});
}

void StageReplay::backward(bool last) {
  pass(plan_.backward, split_.backward, last ? split_.reduce : std::vector<ScheduledCollective>{});
}

void StageReplay::pass(const std::vector<Segment>& segments,
                       const std::vector<ScheduledCollective>& among,
                       const std::vector<ScheduledCollective>& reductions) {
  auto next_exchange = among.begin();
  auto next_reduction = reductions.begin();
  for (std::size_t done = 0; done <= segments.size(); ++done) {
    for (; next_exchange != among.end() && next_exchange->after == done; ++next_exchange) {
      exchange(*next_exchange);
    }
    for (; next_reduction != reductions.end() && next_reduction->after == done; ++next_reduction) {
      reduce(*next_reduction);
    }
    if (done < segments.size()) compute(segments[done]);
  }
  expose(tensor_);
}

/// As in the replay of a step that is not split (step_time.cpp).
void StageReplay::compute(const Segment& segment) {
  const Duration stream =
      std::max(device_, host_) + scale(segment.device_time, node_.device_stretch);
  host_ += segment.host_time_on(node_);
  device_ = std::max(stream, host_);
}

void StageReplay::exchange(const ScheduledCollective& among) {
  tensor_ = std::max(tensor_, device_) +
            collective_time(among.op, among.size, split_.shape.tensor, links_.tensor);
  if (!among.overlapped) expose(tensor_);
}

/// The gradients of the tied table, which two stages sum, are left to the caller, which replays
/// both.
void StageReplay::reduce(const ScheduledCollective& bucket) {
  if (bucket.group != ParallelGroup::data) return;
  data_ = std::max(data_, device_) +
          collective_time(bucket.op, bucket.size, split_.shape.data, links_.data);
}

void StageReplay::wait(Duration until) {
  host_ = std::max(host_, until);
  device_ = std::max(device_, until);
}

void StageReplay::expose(Duration until) {
  exposed_ += std::max(Duration{}, until - device_);
  wait(until);
}

void StageReplay::finish() {
  expose(data_);
  wait(device_);  // frameworks synchronise here, so the host cannot have run ahead
  compute(plan_.optimiser);
  for (const auto& part : split_.gather) {
    expose(device_ + collective_time(part.op, part.size, split_.shape.data, links_.data));
  }
}

}  // namespace mimus::kernels
