// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/stream_step.hpp"

#include <algorithm>
#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Launching a graph blocks in the driver when too many are under way.
constexpr std::size_t kReplaysAhead = 2;

std::vector<StreamCollective*> without_null(StreamCollective* collective) {
  if (collective == nullptr) return {};
  return {collective};
}

}  // namespace

StreamStep::StreamStep(CudaReplica& replica, StreamCollective* collective, const LaunchPlan& plan)
    : DeviceOrderedStep(replica, without_null(collective), plan),
      collective_(collective),
      graph_waits_(make_waits()) {}

bool StreamStep::broadcasts() const {
  return collective_ != nullptr && plan_.buffer_broadcast > 0;
}

StreamStep::Waits StreamStep::make_waits() const {
  Waits waits;
  if (broadcasts()) waits.buffers.emplace();
  return waits;
}

const StreamStep::Waits& StreamStep::waits_of(std::size_t step) const {
  return replaying_ ? graph_waits_ : waits_[step];
}

void StreamStep::begin_run(std::size_t steps) {
  // Libraries load code and members connect during their first operations. These cannot be
  // captured.
  replaying_ = replica_.options.graphs && has_run_;
  has_run_ = true;
  while (waits_.size() < steps) waits_.push_back(make_waits());
  ended_ = 0;
  ended_at_ = wall_now();
}

bool StreamStep::await_room(const Poll& poll) {
  if (!replaying_ || enqueued_ < kReplaysAhead) return true;
  return wait_for(marks_[enqueued_ - kReplaysAhead].end, poll);
}

bool StreamStep::enqueue_body(const Poll& poll) {
  if (!replaying_) return enqueue_launches(waits_[enqueued_], poll);
  if (captured_for_ != replica_.reservations) capture_step();
  if (!admit({}, poll)) return false;
  graph_.launch(replica_.compute.get());
  return true;
}

bool StreamStep::enqueue_launches(const Waits& waits, const Poll& poll) {
  if (broadcasts()) broadcast_buffers(*waits.buffers);
  for (int micro = 1; micro <= plan_.shape.accumulation; ++micro) {
    if (!copy_spilled(static_cast<std::size_t>(micro - 1), poll)) return false;
    if (!enqueue_micro_batch(micro == plan_.shape.accumulation, poll)) return false;
  }
  mark(waits.computed);
  if (collective_ != nullptr) {
    stage_ = StepStage::all_reduce;
    replica_.compute.wait(collective_->done());
    mark(waits.reduced);
    if (!copy_buckets_back(poll)) return false;
  }
  stage_ = StepStage::optimiser;
  return std::all_of(plan_.optimiser.begin(), plan_.optimiser.end(),
                     [&](const Launch& launch) { return enqueue(launch, poll); });
}

bool StreamStep::enqueue_micro_batch(bool reduce, const Poll& poll) {
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
      const std::size_t bucket = plan_.releases[next_release].bucket;
      if (!enqueue_bucket(*collective_, CollectiveOp::all_reduce, bucket, poll)) return false;
    }
  }
  return true;
}

/// Broadcasts the statistics of batch norm from the first replica before the first forward pass of
/// a step. PyTorch's DistributedDataParallel does the same, because later micro-batches are in
/// no_sync or follow one that was. Nothing is computed meanwhile.
void StreamStep::broadcast_buffers(const Marks& marks) {
  stage_ = StepStage::broadcast;
  mark(marks.begin);
  buffers_ready_.record(replica_.compute.get());
  auto* data = bucket_buffers();
  collective_->enqueue(CollectiveOp::broadcast, data, data, plan_.buffer_broadcast,
                       Arithmetic::fp32, buffers_ready_.get());
  replica_.compute.wait(collective_->done());
  mark(marks.end);
}

std::optional<WallInstant> StreamStep::share_state(Bytes, WallInstant ready, const Poll& poll) {
  if (collective_ == nullptr) return ready;
  ensure(replica_.memory.has_value(), "state is shared by a device whose memory is not reserved");
  stage_ = StepStage::broadcast;
  buffers_ready_.record(replica_.compute.get());
  for (const Region region : {Region::weights, Region::moments}) {
    const std::int64_t bytes = plan_.memory.region[static_cast<std::size_t>(region)];
    if (bytes == 0) continue;
    auto* data = replica_.memory->regions().at({region, 0});
    collective_->enqueue(CollectiveOp::broadcast, data, data, bytes, Arithmetic::fp32,
                         buffers_ready_.get());
  }
  replica_.compute.wait(collective_->done());
  state_shared_.record(replica_.compute.get());
  if (!wait_for(state_shared_, poll)) return std::nullopt;
  report_collectives(1);
  stage_ = StepStage::idle;
  return wall_now();
}

/// Records the launches and collectives of a step without running them.
void StreamStep::capture_step() {
  const auto never = [](WallInstant) { return false; };
  capturing_ = true;
  Graph graph =
      Graph::capture(replica_.compute.get(), [&] { (void)enqueue_launches(graph_waits_, never); });
  capturing_ = false;
  graph_ = GraphExec(graph);
  replica_.report.graph_kernels = graph.kernels();
  captured_for_ = replica_.reservations;
}

/// Watches the peers in place of the collective, which cannot query operations of a graph.
void StreamStep::watch(WallInstant now) {
  if (collective_ == nullptr || !replaying_) return;
  for (; ended_ < enqueued_ && marks_[ended_].end.passed(); ++ended_) ended_at_ = now;
  if (ended_ == enqueued_ || now - ended_at_ <= collective_->deadline()) return;
  throw PeerLostError(fmt::format(
      "a replayed step has not ended for {:.1f} s (half of engine.stage_timeout); one of the {} "
      "members does not take part",
      to_seconds(now - ended_at_), collective_->size()));
}

/// All replays of a graph mark the same events, so the last step stands for all of them.
std::int64_t StreamStep::operations_per_timing() const {
  return replaying_ ? static_cast<std::int64_t>(enqueued_) : 1;
}

Duration StreamStep::exposed_communication(std::size_t steps) {
  Duration exposed{};
  if (collective_ == nullptr) return exposed;
  for (std::size_t step = 0; step < steps; ++step) {
    const Waits& waits = waits_of(step);
    exposed += elapsed(waits.computed, waits.reduced).value_or(Duration{});
  }
  return exposed;
}

Duration StreamStep::waited_besides(std::size_t steps) {
  Duration waited{};
  for (std::size_t step = 0; step < steps; ++step) {
    const std::optional<Marks>& marks = waits_of(step).buffers;
    if (marks) waited += elapsed(marks->begin, marks->end).value_or(Duration{});
  }
  return waited;
}

}  // namespace mimus::kernels::cuda
