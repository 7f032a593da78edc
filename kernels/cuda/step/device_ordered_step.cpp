// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/device_ordered_step.hpp"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "kernels/launch/launch_commands.hpp"

namespace mimus::kernels::cuda {
namespace {
constexpr Duration kNap = std::chrono::microseconds{20};
constexpr Duration kCheckInterval = std::chrono::milliseconds{1};
}  // namespace

DeviceOrderedStep::DeviceOrderedStep(CudaReplica& replica,
                                     std::vector<StreamCollective*> collectives,
                                     const LaunchPlan& plan)
    : replica_(replica),
      plan_(plan),
      collectives_(std::move(collectives)),
      window_(replica.options.launch_gap),
      ready_(plan.buckets.size()) {}

std::optional<StepOutcome> DeviceOrderedStep::run(WallInstant begin, const Poll& poll) {
  ensure(replica_.memory.has_value(), "a step runs on a device whose memory is not reserved");
  stage_ = StepStage::compute;
  if (!await_cap(poll)) return std::nullopt;
  replica_.become_tenant();
  replica_.trace.before_run();
  const auto steps = static_cast<std::size_t>(std::max(1, replica_.stretch.steps));
  if (marks_.size() < steps) marks_.resize(steps);
  begin_run(steps);
  for (enqueued_ = 0; enqueued_ < steps; ++enqueued_) {
    if (!await_input(steps, poll) || !await_room(poll)) return std::nullopt;
    if (!enqueue_step(marks_[enqueued_], poll)) return std::nullopt;
  }
  stage_ = StepStage::compute;
  if (!wait_for(marks_[steps - 1].end, poll)) return std::nullopt;
  stage_ = StepStage::input_copy;
  if (!wait_for(input_copied_, poll)) return std::nullopt;
  stage_ = StepStage::idle;
  replica_.trace.after_run(static_cast<int>(steps), replica_.report);
  report_collectives(operations_per_timing());
  return outcome(begin, steps);
}

bool DeviceOrderedStep::await_cap(const Poll& poll) {
  return !replica_.cap.bounds() || sleep_until(replica_.cap.earliest(), poll);
}

bool DeviceOrderedStep::await_input(std::size_t steps, const Poll& poll) {
  if (*replica_.reading == Duration{}) return true;
  stage_ = StepStage::input_copy;
  if (!sleep_until(reader_.ready(), poll)) return false;
  const double factor = replica_.stretch.wall_per_emulated / static_cast<double>(steps);
  reader_.take(wall_now(), scale(*replica_.reading, factor));
  stage_ = StepStage::compute;
  return true;
}

bool DeviceOrderedStep::sleep_until(WallInstant instant, const Poll& poll) {
  for (WallInstant now = wall_now(); now < instant; now = wall_now()) {
    if (abandoned(now, poll)) return false;
    std::this_thread::sleep_for(std::min(kCheckInterval, instant - now));
  }
  return true;
}

/// Waits for the step's input, which was copied during the previous step, and begins to copy the
/// next.
bool DeviceOrderedStep::enqueue_step(const Marks& marks, const Poll& poll) {
  const cudaStream_t compute = replica_.compute.get();
  replica_.compute.wait(input_copied_.get());
  marks.begin.record(compute);
  replica_.copy.wait(marks.begin.get());
  replica_.memory->copy_input(replica_.copy.get());
  input_copied_.record(replica_.copy.get());
  if (!enqueue_body(poll)) return false;
  marks.end.record(compute);
  return true;
}

bool DeviceOrderedStep::enqueue(const Launch& launch, const Poll& poll) {
  const LaunchWindow::Size size{LaunchExecutor::most_commands(launch), kernels_of(launch)};
  if (!capturing_ && !admit(size, poll)) return false;
  replica_.executor.enqueue(launch, replica_.memory->regions(), replica_.compute.get());
  return true;
}

bool DeviceOrderedStep::copy_spilled(std::size_t micro_batch, const Poll& poll) {
  if (!replica_.spilled.any()) return true;
  constexpr std::int64_t kMarks = 2;
  if (!capturing_ && !admit({.commands = replica_.spilled.copies() + kMarks}, poll)) return false;
  while (spills_.size() <= micro_batch) spills_.emplace_back();
  mark(spills_[micro_batch].begin);
  replica_.spilled.copy(replica_.compute.get());
  mark(spills_[micro_batch].end);
  return true;
}

Duration DeviceOrderedStep::spill_time(std::size_t steps) const {
  Duration of_step{};
  for (const Marks& marks : spills_) {
    of_step += elapsed(marks.begin, marks.end).value_or(Duration{});
  }
  return scale(of_step, static_cast<double>(steps));
}

void DeviceOrderedStep::mark(const Event& event) {
  if (capturing_) {
    event.record_in_capture(replica_.compute.get());
  } else {
    event.record(replica_.compute.get());
  }
}

bool DeviceOrderedStep::admit(const LaunchWindow::Size& launch, const Poll& poll) {
  return window_.admit(replica_.compute.get(), launch,
                       [&](WallInstant now) { return abandoned(now, poll); });
}

bool DeviceOrderedStep::enqueue_bucket(StreamCollective& collective, CollectiveOp op,
                                       std::size_t bucket, const Poll& poll) {
  const TensorSpan& span = plan_.buckets[bucket];
  if (!enqueue(BucketCopy{.back = false, .gradients = span, .replicas = plan_.shape.replicas},
               poll)) {
    return false;
  }
  auto* data = bucket_buffers() + span.first;
  const Event& ready = ready_[bucket];
  ready.record(replica_.compute.get());
  collective.enqueue(op, data, data, span.elements * kFloat, Arithmetic::fp32, ready.get());
  return true;
}

bool DeviceOrderedStep::copy_buckets_back(const Poll& poll) {
  return std::all_of(plan_.buckets.begin(), plan_.buckets.end(), [&](const TensorSpan& span) {
    return enqueue(BucketCopy{.back = true, .gradients = span, .replicas = plan_.shape.replicas},
                   poll);
  });
}

float* DeviceOrderedStep::bucket_buffers() const {
  return replica_.memory->regions().at<float>({Region::buckets, 0});
}

bool DeviceOrderedStep::wait_for(const Event& event, const Poll& poll) {
  while (!event.passed()) {
    if (abandoned(wall_now(), poll)) return false;
    std::this_thread::sleep_for(kNap);
  }
  return true;
}

bool DeviceOrderedStep::abandoned(WallInstant now, const Poll& poll) {
  if (now - last_check_ < kCheckInterval) return false;
  last_check_ = now;
  for (StreamCollective* collective : collectives_) collective->check(now);
  watch(now);
  return poll(now);
}

void DeviceOrderedStep::report_collectives(std::int64_t operations_per_timing) {
  for (StreamCollective* collective : collectives_) {
    for (const TimedOperation& timed : collective->take_timings()) {
      replica_.report.add(timed.op, timed.bytes, collective->size(), timed.measured,
                          timed.estimated, operations_per_timing);
    }
  }
}

StepOutcome DeviceOrderedStep::outcome(WallInstant begin, std::size_t steps) {
  StepOutcome outcome{.begin = begin, .end = wall_now()};
  outcome.exposed_communication = exposed_communication(steps);
  Duration resident = -outcome.exposed_communication - waited_besides(steps) - spill_time(steps);
  for (std::size_t step = 0; step < steps; ++step) {
    resident += elapsed(marks_[step].begin, marks_[step].end).value_or(Duration{});
  }
  resident = std::max(Duration{}, resident);
  replica_.busy += resident;
  replica_.cap.use(outcome.end - resident, resident, DeviceCap::kSavedUp);
  return outcome;
}

}  // namespace mimus::kernels::cuda
