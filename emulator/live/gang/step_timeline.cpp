// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/step_timeline.hpp"

#include <algorithm>
#include <cmath>

#include "emulator/live/lane/worker_context.hpp"

namespace mimus::emulator {

int StepTimeline::wanted() const {
  constexpr double kMost = 256;  // commands wait for the end of a stretched step
  if (!paced_ && step_wall_ == Duration{}) return 1;
  const double wall = to_seconds(paced_ ? cell_.wall(modelled_) : step_wall_);
  const double least = to_seconds(cell_.engine.min_step_wall);
  const double wanted = std::ceil(least / std::max(wall, 1e-9));
  return static_cast<int>(std::min(wanted, paced_ ? 1e9 : kMost));
}

void StepTimeline::agree_on(std::int64_t most, Duration shortest) {
  shortest_step_ = shortest;
  most_ = static_cast<int>(std::max<std::int64_t>(1, most));
}

int StepTimeline::choose(std::int64_t left) const {
  const std::int64_t most = paced_ ? wanted() : most_;
  return static_cast<int>(std::clamp<std::int64_t>(most, 1, std::max<std::int64_t>(left, 1)));
}

Duration StepTimeline::shortest(int steps) const {
  return steps * (paced_ ? std::min(shortest_step_, cell_.wall(modelled_)) : shortest_step_);
}

Duration StepTimeline::longest(int steps) const {
  const Duration paced = cell_.cluster.shape.lanes_per_gpu * cell_.wall(modelled_);
  return steps * std::max(paced, step_wall_);
}

void StepTimeline::executed(ExecutedStep& step, WallInstant begin, const kernels::StepOutcome& made,
                            WallInstant now) {
  step.begin = measured_until_ == WallInstant{} ? begin : measured_until_;
  step.end = measured_until_ = now;
  own_step_ = step_wall_ = (made.end - made.begin) / step.steps;
  scheduled_end_ = made.end;
}

WallInstant StepTimeline::next_begin(ExecutedStep& step, bool clock_waits) {
  const Duration slack = clock_waits ? WorkerContext::kMadeGood : std::chrono::milliseconds{5};
  const Duration behind = std::max(Duration{}, step.end - scheduled_end_);
  const bool keeps_up = behind <= slack + (scheduled_end_ - step.begin) / 2;
  const Duration kept = keeps_up ? Duration{} : behind;
  step.late += kept;
  // If the step is made up for, the time at which the host looked does not matter.
  if (clock_waits) step.end = measured_until_ = scheduled_end_ + kept;
  return scheduled_end_ + kept;
}

}  // namespace mimus::emulator
