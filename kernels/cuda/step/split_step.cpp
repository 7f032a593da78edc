// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/split_step.hpp"

#include <algorithm>
#include <variant>

#include "base/error.hpp"
#include "kernels/cuda/step/split_check.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Of the compute stream: marks on both sides of a wait for another stream.
constexpr std::int64_t kCommandsOfOperation = 3;

/// The type of the matrices between layers. All products of a model have the same arithmetic.
Arithmetic activation_type(const LaunchPlan& plan) {
  for (const Launch& launch : plan.forward) {
    const auto* product = std::get_if<Product>(&launch);
    if (product == nullptr) continue;
    return element_bytes(product->arithmetic) == 2 ? plan.halves : Arithmetic::fp32;
  }
  return Arithmetic::fp32;
}

}  // namespace

SplitStep::SplitStep(CudaReplica& replica, const StreamCollectives& gang, const LaunchPlan& plan,
                     const RankCommunication& split)
    : DeviceOrderedStep(replica, gang.all(), plan),
      gang_(gang),
      split_(split),
      activations_(activation_type(plan)) {
  check_split(gang, plan, split);
}

bool SplitStep::enqueue_body(const Poll& poll) {
  for (const PipelineAction& action : split_.schedule) {
    if (!enqueue_action(action, poll)) return false;
    report_collectives(1);  // a step has more of them than a collective keeps timings
  }
  if (!finish_reductions(poll) || !enqueue_optimiser(poll) || !gather_weights(poll)) return false;
  join_transfers();
  return true;
}

bool SplitStep::enqueue_action(const PipelineAction& action, const Poll& poll) {
  stage_ = StepStage::compute;
  const auto transfer = [&] { return exchange(CollectiveOp::transfer, split_.boundary); };
  const bool last = action.micro_batch + 1 == split_.shape.micro_batches;
  std::span<const ScheduledCollective> reduce;
  switch (action.kind) {
    case PipelineAction::Kind::receive_activations:
      return start_and_wait(*gang_.activations_in, transfer(), stage_waits_, poll);
    case PipelineAction::Kind::forward:
      return enqueue_pass(plan_.forward, split_.forward, reduce, poll);
    case PipelineAction::Kind::send_activations:
      return start(*gang_.activations_out, transfer(), poll);
    case PipelineAction::Kind::receive_gradients:
      return start_and_wait(*gang_.gradients_in, transfer(), stage_waits_, poll);
    case PipelineAction::Kind::backward:
      if (last) reduce = split_.reduce;
      return enqueue_pass(plan_.backward, split_.backward, reduce, poll);
    case PipelineAction::Kind::send_gradients:
      return start(*gang_.gradients_out, transfer(), poll);
  }
  throw InternalError("unknown action of a pipeline");
}

/// The data-parallel reductions come first in `reduce`, one per released bucket. The reduction of
/// the tied table follows when they are all done.
bool SplitStep::enqueue_pass(const std::vector<Launch>& launches,
                             const std::vector<ScheduledCollective>& tensor,
                             std::span<const ScheduledCollective> reduce, const Poll& poll) {
  auto next = tensor.begin();
  std::size_t bucket = 0;
  for (std::size_t i = 0; i <= launches.size(); ++i) {
    for (; next != tensor.end() && next->after == i; ++next) {
      if (!enqueue_tensor(*next, poll)) return false;
    }
    for (; bucket < reduce.size() && reduce[bucket].after == i; ++bucket) {
      if (reduce[bucket].group != ParallelGroup::data) break;
      if (!enqueue_bucket(*gang_.data, reduce[bucket].op, plan_.releases[bucket].bucket, poll)) {
        return false;
      }
    }
    if (i < launches.size() && !enqueue(launches[i], poll)) return false;
  }
  join_tensor();
  return true;
}

bool SplitStep::enqueue_tensor(const ScheduledCollective& one, const Poll& poll) {
  const Operation operation = exchange(one.op, one.size);
  beside_ = one.overlapped;  // its last collective stands for all before it
  return one.overlapped ? start(*gang_.tensor, operation, poll)
                        : start_and_wait(*gang_.tensor, operation, waits_, poll);
}

bool SplitStep::finish_reductions(const Poll& poll) {
  stage_ = StepStage::all_reduce;
  const bool buckets = !split_.reduce.empty() && split_.reduce[0].group == ParallelGroup::data;
  if (buckets) {
    join(*gang_.data, waits_);
    if (!copy_buckets_back(poll)) return false;
  }
  return std::all_of(split_.reduce.begin(), split_.reduce.end(), [&](const auto& one) {
    return one.group != ParallelGroup::pipeline || reduce_tied_table(one, poll);
  });
}

/// The sum is not copied back to the gradients, or it would grow from step to step.
bool SplitStep::reduce_tied_table(const ScheduledCollective& one, const Poll& poll) {
  const RegionAddresses& regions = replica_.memory->regions();
  const Operation operation{.op = one.op,
                            .send = regions.at({Region::gradients, 0}),
                            .receive = regions.at(tied_table_room(plan_)),
                            .bytes = whole_bytes(one.size),
                            .arithmetic = Arithmetic::fp32};
  return start_and_wait(*gang_.tied, operation, waits_, poll);
}

bool SplitStep::enqueue_optimiser(const Poll& poll) {
  stage_ = StepStage::optimiser;
  return std::all_of(plan_.optimiser.begin(), plan_.optimiser.end(),
                     [&](const Launch& launch) { return enqueue(launch, poll); });
}

/// Takes each rank's part from where it is received, the bucket. Buckets are free by then.
bool SplitStep::gather_weights(const Poll& poll) {
  for (std::size_t i = 0; i < split_.gather.size(); ++i) {
    const ScheduledCollective& one = split_.gather[i];
    float* const data = bucket_buffers() + plan_.buckets[plan_.releases[i].bucket].first;
    const Operation operation{.op = one.op,
                              .send = data,
                              .receive = data,
                              .bytes = whole_bytes(one.size),
                              .arithmetic = activations_};
    if (!start_and_wait(*gang_.data, operation, waits_, poll)) return false;
  }
  return true;
}

bool SplitStep::start(StreamCollective& collective, const Operation& operation, const Poll& poll) {
  if (!admit_operation(poll)) return false;
  ready_.record(replica_.compute.get());
  collective.enqueue(operation.op, operation.send, operation.receive, operation.bytes,
                     operation.arithmetic, ready_.get());
  return true;
}

bool SplitStep::start_and_wait(StreamCollective& collective, const Operation& operation,
                               WaitTimer& timer, const Poll& poll) {
  if (!admit_operation(poll)) return false;
  const cudaEvent_t ready = timer.begin(replica_.compute);
  collective.enqueue(operation.op, operation.send, operation.receive, operation.bytes,
                     operation.arithmetic, ready);
  replica_.compute.wait(collective.done());
  timer.end(replica_.compute);
  return true;
}

void SplitStep::join(StreamCollective& collective, WaitTimer& timer) {
  static_cast<void>(timer.begin(replica_.compute));
  replica_.compute.wait(collective.done());
  timer.end(replica_.compute);
}

void SplitStep::join_tensor() {
  if (beside_) join(*gang_.tensor, waits_);
  beside_ = false;
}

void SplitStep::join_transfers() {
  for (StreamCollective* sent : {gang_.activations_out, gang_.gradients_out}) {
    if (sent != nullptr) join(*sent, stage_waits_);
  }
}

/// Asks peers and poll, too, because the operation may keep the host for microseconds.
bool SplitStep::admit_operation(const Poll& poll) {
  return !abandoned(wall_now(), poll) && admit({.commands = kCommandsOfOperation}, poll);
}

SplitStep::Operation SplitStep::exchange(CollectiveOp op, Bytes size) const {
  const RegionAddresses& regions = replica_.memory->regions();
  return {.op = op,
          .send = regions.at({Region::exchange, 0}),
          .receive = regions.at({Region::exchange, exchange_half(plan_)}),
          .bytes = whole_bytes(size),
          .arithmetic = activations_};
}

Duration SplitStep::exposed_communication(std::size_t /*steps*/) {
  return waits_.take();
}

}  // namespace mimus::kernels::cuda
