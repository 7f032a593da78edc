// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered/host_ordered_step.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

std::vector<HostOrderedCollective*> those_of(HostOrderedCollective* collective) {
  return collective == nullptr ? std::vector<HostOrderedCollective*>{} : std::vector{collective};
}

bool exchanges(const HostOrderedCollective* collective) {
  return collective != nullptr && collective->size() > 1;
}

}  // namespace

HostOrderedStep::HostOrderedStep(HostOrderedDevice& device, HostOrderedCollective* collective,
                                 const FootprintPlan& plan)
    : device_(device),
      collective_(exchanges(collective) ? collective : nullptr),
      plan_(plan),
      streams_(device, those_of(collective)) {}

std::optional<StepOutcome> HostOrderedStep::run(WallInstant begin, const Poll& poll) {
  StepOutcome outcome{.begin = begin, .end = begin};
  device_.align(begin);
  device_.copy_input(plan_.input, plan_.input_copy, plan_.reading, begin);
  if (!broadcast_buffers(poll)) return std::nullopt;
  for (int micro = 1; micro <= plan_.shape.accumulation; ++micro) {
    if (!micro_batch(micro == plan_.shape.accumulation, poll)) return std::nullopt;
  }
  const WallInstant computed = device_.last_completion();
  if (!wait(StepStage::all_reduce, poll, [this] { return reduced(); })) return std::nullopt;
  if (collective_ != nullptr) {
    const WallInstant communicated = collective_->last_completion();
    outcome.exposed_communication = std::max(Duration{}, communicated - computed);
    device_.align(communicated);
  }
  device_.align(computed);  // frameworks synchronise here, so the host cannot have run ahead
  device_.launch(plan_.optimiser);
  const std::int64_t target = device_.completed() + 1;
  streams_.nothing_before(target);
  if (!wait(StepStage::optimiser, poll, [&] { return device_.completed() >= target; })) {
    return std::nullopt;
  }
  outcome.end = std::max(device_.last_completion(), device_.input_ready());
  if (!wait(StepStage::input_copy, poll, [&] { return device_.clock().now() >= outcome.end; })) {
    return std::nullopt;
  }
  streams_.leave_stage();
  return outcome;
}

bool HostOrderedStep::micro_batch(bool reduce, const Poll& poll) {
  const std::int64_t first = device_.completed();
  if (plan_.spilled > Bytes{}) device_.copy_spilled(plan_.spilled, plan_.spill_copy);
  for (const Segment& segment : plan_.forward) device_.launch(segment);
  for (const Segment& segment : plan_.backward) device_.launch(segment);
  backward_first_ = first + static_cast<std::int64_t>(plan_.forward.size());
  segments_seen_ = first;
  reducing_ = reduce && collective_ != nullptr;
  const std::int64_t last = backward_first_ + static_cast<std::int64_t>(plan_.backward.size());
  streams_.nothing_before(reducing_ ? next_release() : last);
  const bool finished = wait(StepStage::compute, poll, [&] { return device_.completed() >= last; });
  reducing_ = false;
  return finished;
}

bool HostOrderedStep::broadcast_buffers(const Poll& poll) {
  if (collective_ == nullptr || plan_.buffer_broadcast.value <= 0.0) return true;
  last_transfer_ = collective_->enqueue(CollectiveOp::broadcast, plan_.buffer_broadcast,
                                        device_.last_completion());
  const bool finished = wait(StepStage::broadcast, poll, [this] { return reduced(); });
  if (finished) device_.align(collective_->last_completion());
  return finished;
}

std::optional<WallInstant> HostOrderedStep::share_state(Bytes state, WallInstant ready,
                                                        const Poll& poll) {
  if (collective_ == nullptr) return ready;
  last_transfer_ = collective_->enqueue(CollectiveOp::broadcast, state, ready);
  const bool finished = wait(StepStage::broadcast, poll, [this] { return reduced(); });
  streams_.leave_stage();
  if (!finished) return std::nullopt;
  return collective_->last_completion();
}

void HostOrderedStep::release_buckets() {
  if (!reducing_ || device_.completed() == segments_seen_) return;
  ensure(device_.completed() == segments_seen_ + 1, "a device completes one segment at a time");
  const std::int64_t index = segments_seen_++ - backward_first_;
  if (index < 0) return;
  const int bucket = plan_.backward[static_cast<std::size_t>(index)].releases_bucket;
  if (bucket < 0) return;
  last_transfer_ = collective_->enqueue(CollectiveOp::all_reduce,
                                        plan_.buckets[static_cast<std::size_t>(bucket)],
                                        device_.last_completion());
  streams_.nothing_before(next_release());
}

/// The next segment of the backward pass that completes a bucket, or the last one.
std::int64_t HostOrderedStep::next_release() const {
  const auto size = static_cast<std::int64_t>(plan_.backward.size());
  std::int64_t index = std::clamp<std::int64_t>(segments_seen_ - backward_first_, 0, size - 1);
  while (index + 1 < size && plan_.backward[static_cast<std::size_t>(index)].releases_bucket < 0) {
    ++index;
  }
  return backward_first_ + index + 1;
}

bool HostOrderedStep::reduced() const {
  return collective_ == nullptr || collective_->completed() >= last_transfer_;
}

bool HostOrderedStep::wait(StepStage stage, const Poll& poll, const std::function<bool()>& done) {
  return streams_.wait(stage, poll, done, [this] { release_buckets(); });
}

}  // namespace mimus::kernels
