// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered/host_ordered_split_step.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

using Kind = PipelineAction::Kind;

HostOrderedCollective* host_ordered(Collective* collective) {
  auto* ordered = dynamic_cast<HostOrderedCollective*>(collective);
  ensure(collective == nullptr || ordered != nullptr,
         "a device that the host orders was given a collective that a device orders");
  return ordered;
}

}  // namespace

HostOrderedGang::HostOrderedGang(const GangCollectives& gang)
    : data(host_ordered(gang.data)),
      tensor(host_ordered(gang.tensor)),
      tied(host_ordered(gang.tied)),
      activations_in(host_ordered(gang.activations_in)),
      activations_out(host_ordered(gang.activations_out)),
      gradients_in(host_ordered(gang.gradients_in)),
      gradients_out(host_ordered(gang.gradients_out)) {}

HostOrderedCollective& HostOrderedGang::of(ParallelGroup group) const {
  HostOrderedCollective* found = tensor;
  if (group == ParallelGroup::data) found = data;
  if (group == ParallelGroup::pipeline) found = tied;
  ensure(found != nullptr, "a rank of a split model lacks the communication of a group");
  return *found;
}

std::vector<HostOrderedCollective*> HostOrderedGang::all() const {
  std::vector<HostOrderedCollective*> all{
      data, tensor, tied, activations_in, activations_out, gradients_in, gradients_out};
  std::erase(all, nullptr);
  return all;
}

HostOrderedSplitStep::HostOrderedSplitStep(HostOrderedDevice& device, const HostOrderedGang& gang,
                                           const FootprintPlan& plan)
    : device_(device),
      gang_(gang),
      plan_(plan),
      split_(*plan.split),
      streams_(device, gang.all()) {}

std::optional<StepOutcome> HostOrderedSplitStep::run(WallInstant begin, const Poll& poll) {
  poll_ = &poll;
  exposed_ = Duration{};
  aligned_ = WallInstant{};
  align(begin);
  device_.copy_input(plan_.input, plan_.input_copy, plan_.reading, begin);
  const bool passed = std::all_of(split_.schedule.begin(), split_.schedule.end(),
                                  [this](const PipelineAction& action) { return take(action); });
  if (!passed || !sum_gradients() || !update_weights() || !end_transfers()) return std::nullopt;
  StepOutcome outcome;
  outcome.begin = begin;
  outcome.end = std::max(ready(), device_.input_ready());
  outcome.exposed_communication = exposed_;
  if (!wait(StepStage::input_copy, [&] { return device_.clock().now() >= outcome.end; })) {
    return std::nullopt;
  }
  streams_.leave_stage();
  return outcome;
}

bool HostOrderedSplitStep::take(const PipelineAction& action) {
  switch (action.kind) {
    case Kind::receive_activations:
      return receive(gang_.activations_in);
    case Kind::receive_gradients:
      return receive(gang_.gradients_in);
    case Kind::send_activations:
      return send(gang_.activations_out);
    case Kind::send_gradients:
      return send(gang_.gradients_out);
    case Kind::forward:
      return pass(plan_.forward, split_.forward, {});
    case Kind::backward:
      if (action.micro_batch + 1 < split_.shape.micro_batches) {
        return pass(plan_.backward, split_.backward, {});
      }
      return pass(plan_.backward, split_.backward, split_.reduce);
  }
  throw InternalError("unknown action of a pipeline");
}

/// Waiting for another stage is not exposed communication, because that stage computes meanwhile.
bool HostOrderedSplitStep::receive(HostOrderedCollective* from) {
  ensure(from != nullptr, "a stage receives from a neighbour that it does not have");
  enqueue(*from, CollectiveOp::transfer, split_.boundary);
  if (!wait_for(*from, StepStage::pipeline_transfer)) return false;
  align(from->last_completion());
  return true;
}

bool HostOrderedSplitStep::send(HostOrderedCollective* to) {
  ensure(to != nullptr, "a stage sends to a neighbour that it does not have");
  enqueue(*to, CollectiveOp::transfer, split_.boundary);
  return true;
}

bool HostOrderedSplitStep::pass(const std::vector<Segment>& segments,
                                std::span<const ScheduledCollective> among,
                                std::span<const ScheduledCollective> reductions) {
  auto exchange = among.begin();
  auto reduction = reductions.begin();
  std::size_t done = 0;
  while (true) {
    for (; exchange != among.end() && exchange->after == done; ++exchange) {
      enqueue(gang_.of(exchange->group), exchange->op, exchange->size);
      if (!exchange->overlapped && !await(exchange->group, StepStage::tensor_exchange))
        return false;
    }
    for (; reduction != reductions.end() && reduction->after == done; ++reduction) {
      // Stages that sum a tied table wait for each other. This must follow the sending of
      // gradients.
      if (reduction->group == ParallelGroup::pipeline) continue;
      enqueue(gang_.of(reduction->group), reduction->op, reduction->size);
    }
    if (done == segments.size()) break;
    std::size_t next = segments.size();
    if (exchange != among.end()) next = std::min(next, exchange->after);
    if (reduction != reductions.end()) next = std::min(next, reduction->after);
    if (!compute(std::span(segments).subspan(done, next - done))) return false;
    done = next;
  }
  return among.empty() || await(ParallelGroup::tensor, StepStage::tensor_exchange);
}

bool HostOrderedSplitStep::compute(std::span<const Segment> segments) {
  const std::int64_t target = device_.completed() + static_cast<std::int64_t>(segments.size());
  for (const Segment& segment : segments) device_.launch(segment);
  return wait(StepStage::compute, [&] { return device_.completed() >= target; });
}

bool HostOrderedSplitStep::sum_gradients() {
  for (const ScheduledCollective& table : split_.reduce) {
    if (table.group != ParallelGroup::pipeline) continue;
    enqueue(gang_.of(table.group), table.op, table.size);
    if (!await(table.group, StepStage::all_reduce)) return false;
  }
  return gang_.data == nullptr || await(ParallelGroup::data, StepStage::all_reduce);
}

bool HostOrderedSplitStep::update_weights() {
  align(ready());  // frameworks synchronise here, so the host cannot have run ahead
  if (!compute({&plan_.optimiser, 1})) return false;
  return std::all_of(split_.gather.begin(), split_.gather.end(), [this](const auto& part) {
    enqueue(gang_.of(part.group), part.op, part.size);
    return await(part.group, StepStage::all_reduce);
  });
}

/// Ends sends within the step, or the next step would overwrite their buffers.
bool HostOrderedSplitStep::end_transfers() {
  for (HostOrderedCollective* out : {gang_.activations_out, gang_.gradients_out}) {
    if (out != nullptr && !wait_for(*out, StepStage::pipeline_transfer)) return false;
  }
  return true;
}

bool HostOrderedSplitStep::await(ParallelGroup group, StepStage stage) {
  HostOrderedCollective& communication = gang_.of(group);
  if (!wait_for(communication, stage)) return false;
  const WallInstant end = communication.last_completion();
  exposed_ += std::max(Duration{}, end - ready());
  align(end);
  return true;
}

bool HostOrderedSplitStep::wait_for(const HostOrderedCollective& communication, StepStage stage) {
  const std::int64_t target = last_[&communication];
  return wait(stage, [&] { return communication.completed() >= target; });
}

void HostOrderedSplitStep::enqueue(HostOrderedCollective& on, CollectiveOp op, Bytes size) {
  last_[&on] = on.enqueue(op, size, ready());
}

WallInstant HostOrderedSplitStep::ready() const {
  return std::max(device_.last_completion(), aligned_);
}

void HostOrderedSplitStep::align(WallInstant at) {
  aligned_ = std::max(aligned_, at);
  device_.align(at);
}

}  // namespace mimus::kernels
