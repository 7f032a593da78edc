// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/stream_step.hpp"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <thread>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr Duration kNap = std::chrono::microseconds{20};
constexpr Duration kCheckInterval = std::chrono::milliseconds{1};
/// Launching a graph blocks in the driver when too many are under way.
constexpr std::size_t kReplaysAhead = 2;

Duration between(const Event& from, const Event& to) {
  return elapsed(from, to).value_or(Duration{});
}

}  // namespace

StreamStep::StreamStep(CudaReplica& replica, StreamCollective* collective, const LaunchPlan& plan)
    : replica_(replica),
      collective_(collective),
      plan_(plan),
      window_(replica.options.launch_gap),
      ready_(plan.buckets.size()) {}

std::optional<StepOutcome> StreamStep::run(WallInstant begin, const Poll& poll) {
  ensure(replica_.memory.has_value(), "a step runs on a device whose memory is not reserved");
  replica_.become_tenant();
  replica_.trace.before_run();
  // Libraries load code and members connect at their first operations, which cannot be captured.
  replaying_ = replica_.options.graphs && has_run_;
  has_run_ = true;
  const auto steps = static_cast<std::size_t>(std::max(1, replica_.stretch.steps));
  if (marks_.size() < steps) marks_.resize(steps);
  enqueued_ = ended_ = 0;
  ended_at_ = wall_now();
  for (; enqueued_ < steps; ++enqueued_) {
    const bool full = replaying_ && enqueued_ >= kReplaysAhead;
    if (full && !wait_for(marks_[enqueued_ - kReplaysAhead].end, poll)) return std::nullopt;
    if (!enqueue_step(marks_[enqueued_], poll)) return std::nullopt;
  }
  stage_ = StepStage::compute;
  if (!wait_for(marks_[steps - 1].end, poll)) return std::nullopt;
  stage_ = StepStage::input_copy;
  if (!wait_for(input_copied_, poll)) return std::nullopt;
  stage_ = StepStage::idle;
  replica_.trace.after_run(static_cast<int>(steps), replica_.report);
  report_collectives();
  return outcome(begin, steps);
}

/// A step waits for its own input, copied during the one before, and begins to copy the next one.
bool StreamStep::enqueue_step(Marks& marks, const Poll& poll) {
  const cudaStream_t compute = replica_.compute.get();
  replica_.compute.wait(input_copied_.get());
  marks.begin.record(compute);
  replica_.copy.wait(marks.begin.get());
  replica_.memory->copy_input(replica_.copy.get());
  input_copied_.record(replica_.copy.get());
  if (replaying_) {
    if (captured_for_ != replica_.reservations) capture_step();
    if (!window_.admit(compute, [&](WallInstant now) { return abandoned(now, poll); }))
      return false;
    graph_.launch(compute);
  } else if (!enqueue_body(marks, poll)) {
    return false;
  }
  marks.end.record(compute);
  return true;
}

bool StreamStep::enqueue_body(Marks& marks, const Poll& poll) {
  for (int micro = 1; micro <= plan_.shape.accumulation; ++micro) {
    if (!enqueue_micro_batch(micro == plan_.shape.accumulation, poll)) return false;
  }
  mark(marks.computed);
  if (collective_ != nullptr) {
    stage_ = StepStage::all_reduce;
    replica_.compute.wait(collective_->done());
    mark(marks.reduced);
    if (!copy_buckets_back(poll)) return false;
  }
  stage_ = StepStage::optimiser;
  return std::all_of(plan_.optimiser.begin(), plan_.optimiser.end(),
                     [&](const Launch& launch) { return enqueue(launch, poll); });
}

bool StreamStep::enqueue_micro_batch(bool reduce, const Poll& poll) {
  if (collective_ != nullptr && plan_.buffer_broadcast > 0) broadcast_buffers();
  stage_ = StepStage::compute;
  for (const Launch& launch : plan_.forward) {
    if (!enqueue(launch, poll)) return false;
  }
  std::size_t next_release = 0;
  for (std::size_t i = 0; i < plan_.backward.size(); ++i) {
    if (!enqueue(plan_.backward[i], poll)) return false;
    if (!reduce || collective_ == nullptr) continue;
    for (; next_release < plan_.releases.size() && plan_.releases[next_release].launch == i;
         ++next_release) {
      if (!enqueue_bucket(plan_.releases[next_release].bucket, poll)) return false;
    }
  }
  return true;
}

bool StreamStep::enqueue(const Launch& launch, const Poll& poll) {
  const cudaStream_t compute = replica_.compute.get();
  const auto give_up = [&](WallInstant now) { return abandoned(now, poll); };
  if (!capturing_ && !window_.admit(compute, give_up)) return false;
  replica_.executor.enqueue(launch, replica_.memory->regions(), compute);
  return true;
}

/// Gradients into the bucket's buffer, then their sum over the gang on the collective's stream.
bool StreamStep::enqueue_bucket(std::size_t bucket, const Poll& poll) {
  const TensorSpan& span = plan_.buckets[bucket];
  if (!enqueue(BucketCopy{.back = false, .gradients = span, .replicas = plan_.shape.replicas},
               poll)) {
    return false;
  }
  auto* data = bucket_buffers() + span.first;
  const Event& ready = ready_[bucket];
  ready.record(replica_.compute.get());
  collective_->enqueue(CollectiveOp::all_reduce, data, data,
                       span.elements * static_cast<std::int64_t>(sizeof(float)), Arithmetic::fp32,
                       ready.get());
  return true;
}

float* StreamStep::bucket_buffers() const {
  return replica_.memory->regions().at<float>({Region::buckets, 0});
}

bool StreamStep::copy_buckets_back(const Poll& poll) {
  return std::all_of(plan_.buckets.begin(), plan_.buckets.end(), [&](const TensorSpan& span) {
    return enqueue(BucketCopy{.back = true, .gradients = span, .replicas = plan_.shape.replicas},
                   poll);
  });
}

/// Statistics of batch norm from the first replica to all, before each forward pass, as PyTorch's
/// DistributedDataParallel does; nothing is computed meanwhile.
void StreamStep::broadcast_buffers() {
  stage_ = StepStage::broadcast;
  buffers_ready_.record(replica_.compute.get());
  auto* data = bucket_buffers();
  collective_->enqueue(CollectiveOp::broadcast, data, data, plan_.buffer_broadcast,
                       Arithmetic::fp32, buffers_ready_.get());
  replica_.compute.wait(collective_->done());
}

/// Records the step's launches, its collectives among them, without running them.
void StreamStep::capture_step() {
  const auto never = [](WallInstant) { return false; };
  capturing_ = true;
  Graph graph =
      Graph::capture(replica_.compute.get(), [&] { (void)enqueue_body(graph_marks_, never); });
  capturing_ = false;
  graph_ = GraphExec(graph);
  captured_for_ = replica_.reservations;
}

/// Marks a time. A graph marks it anew whenever it runs; events that order streams are recorded
/// plainly, because streams join a capture through those only.
void StreamStep::mark(const Event& event) {
  if (capturing_) {
    event.record_in_capture(replica_.compute.get());
  } else {
    event.record(replica_.compute.get());
  }
}

bool StreamStep::wait_for(const Event& event, const Poll& poll) {
  while (!event.passed()) {
    if (abandoned(wall_now(), poll)) return false;
    std::this_thread::sleep_for(kNap);
  }
  return true;
}

bool StreamStep::abandoned(WallInstant now, const Poll& poll) {
  if (now - last_check_ < kCheckInterval) return false;
  last_check_ = now;
  if (collective_ != nullptr) collective_->check(now);
  if (collective_ != nullptr && replaying_) watch_replays(now);
  return poll(now);
}

/// In place of the collective, which cannot query what a graph does.
void StreamStep::watch_replays(WallInstant now) {
  for (; ended_ < enqueued_ && marks_[ended_].end.passed(); ++ended_) ended_at_ = now;
  if (ended_ == enqueued_ || now - ended_at_ <= collective_->deadline()) return;
  throw PeerLostError(fmt::format(
      "a replayed step has not ended for {:.1f} s (half of engine.stage_timeout); one of the {} "
      "members does not take part",
      to_seconds(now - ended_at_), collective_->size()));
}

void StreamStep::report_collectives() {
  if (collective_ == nullptr) return;
  for (const TimedOperation& timed : collective_->take_timings()) {
    replica_.report.add(timed.op, timed.bytes, collective_->size(), timed.measured,
                        timed.estimated);
  }
}

/// Replays of a graph mark the same events, so the last step stands for all of them.
StepOutcome StreamStep::outcome(WallInstant begin, std::size_t steps) {
  StepOutcome outcome{.begin = begin, .end = wall_now()};
  Duration resident{};
  for (std::size_t step = 0; step < steps; ++step) {
    const Marks& inner = replaying_ ? graph_marks_ : marks_[step];
    const Duration exposed =
        collective_ == nullptr ? Duration{} : between(inner.computed, inner.reduced);
    outcome.exposed_communication += exposed;
    resident += between(marks_[step].begin, marks_[step].end) - exposed;
  }
  replica_.busy += std::max(Duration{}, resident);
  return outcome;
}

}  // namespace mimus::kernels::cuda
