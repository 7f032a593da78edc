// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/split_step_time.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "kernels/parallel/stage_replay.hpp"

namespace mimus::kernels {
namespace {

using Kind = PipelineAction::Kind;

/// One direction between two neighbouring stages: when the sender had each micro-batch ready, and
/// when the last transfer ended.
struct Edge {
  std::vector<std::optional<Duration>> sent;
  Duration free{};
};

/// Replays all stages of a pipeline. Each one advances as far as its neighbours allow.
class PipelineReplay {
 public:
  PipelineReplay(const std::vector<FootprintPlan>& plans, const GangLinks& links,
                 const NodeUse& node)
      : plans_(plans), links_(links), next_(plans.size(), 0) {
    const auto batches = static_cast<std::size_t>(plans.front().split->shape.micro_batches);
    ensure(links.size() >= plans.size(), "a stage of a pipeline has no links");
    for (std::size_t i = 0; i < plans.size(); ++i) stages_.emplace_back(plans[i], links[i], node);
    down_.resize(plans.size(), {std::vector<std::optional<Duration>>(batches), {}});
    up_ = down_;
  }

  StepTime run() {
    bool moves = true;
    while (moves) {
      moves = false;
      for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        while (advance(stage)) moves = true;
      }
    }
    sum_tied_table();
    return finish();
  }

 private:
  /// Performs the next action of a stage if it is possible now. Returns whether it was.
  bool advance(std::size_t stage) {
    const auto& schedule = plans_[stage].split->schedule;
    if (next_[stage] == schedule.size()) return false;
    const PipelineAction& action = schedule[next_[stage]];
    const auto batch = static_cast<std::size_t>(action.micro_batch);
    StageReplay& self = stages_[stage];
    switch (action.kind) {
      case Kind::receive_activations:
        if (!receive(self, down_[stage - 1], stage - 1, batch)) return false;
        break;
      case Kind::receive_gradients:
        if (!receive(self, up_[stage + 1], stage, batch)) return false;
        break;
      case Kind::send_activations:
        down_[stage].sent[batch] = self.computed();
        break;
      case Kind::send_gradients:
        up_[stage].sent[batch] = self.computed();
        break;
      case Kind::forward:
        self.forward();
        break;
      case Kind::backward:
        self.backward(batch + 1 == down_[stage].sent.size());
        break;
    }
    ++next_[stage];
    return true;
  }

  /// Over the link from stage `above` to the next one, in either direction.
  bool receive(StageReplay& self, Edge& edge, std::size_t above, std::size_t batch) {
    if (!edge.sent[batch]) return false;
    const Bytes size = self.split().boundary;
    edge.free = std::max({edge.free, *edge.sent[batch], self.computed()}) +
                collective_time(CollectiveOp::transfer, size, 2, links_[above].pipeline);
    self.wait(edge.free);
    return true;
  }

  /// The first and last stage sum its gradients when both are done.
  void sum_tied_table() {
    StageReplay& first = stages_.front();
    StageReplay& last = stages_.back();
    for (const auto& table : first.split().reduce) {
      if (table.group != ParallelGroup::pipeline) continue;
      const Duration ready = std::max(first.computed(), last.computed());
      const Duration end = ready + collective_time(table.op, table.size, 2, links_.back().pipeline);
      for (StageReplay* stage : {&first, &last}) {
        stage->wait(ready);
        stage->expose(end);
      }
    }
  }

  StepTime finish() {
    StepTime time;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      const bool through = next_[stage] == plans_[stage].split->schedule.size();
      ensure(through, "stages of a pipeline wait for each other");
      stages_[stage].finish();
      time.total = std::max({time.total, stages_[stage].computed(), plans_[stage].input_copy});
      time.device += plans_[stage].device_time();
      time.exposed_communication += stages_[stage].exposed();
    }
    time.device /= static_cast<int>(stages_.size());
    time.exposed_communication /= static_cast<int>(stages_.size());
    return time;
  }

  const std::vector<FootprintPlan>& plans_;
  const GangLinks& links_;
  std::vector<StageReplay> stages_;
  std::vector<std::size_t> next_;  ///< index of each stage's next action
  std::vector<Edge> down_;         ///< from each stage to the next one
  std::vector<Edge> up_;           ///< from each stage to the one before it
};

Duration occupied(const ScheduledCollective& collective, int members, const GangLink& link) {
  if (members < 2 || !link.crosses_nodes) return Duration{};
  return link_volume(collective.op, collective.size, members, link) / link.bandwidth;
}

Duration crossing_time(const FootprintPlan& plan, const GangLinks& all_links, std::size_t stage) {
  const RankCommunication& split = *plan.split;
  const ParallelShape& shape = split.shape;
  const StageLinks& links = all_links[stage];
  Duration time{};
  for (const auto& among : split.forward) time += occupied(among, shape.tensor, links.tensor);
  for (const auto& among : split.backward) time += occupied(among, shape.tensor, links.tensor);
  time *= shape.micro_batches;
  for (const auto& bucket : split.reduce) {
    const bool data = bucket.group == ParallelGroup::data;
    time += data ? occupied(bucket, shape.data, links.data)
                 : occupied(bucket, 2, all_links.back().pipeline);
  }
  for (const auto& part : split.gather) time += occupied(part, shape.data, links.data);
  const ScheduledCollective transfer{
      .op = CollectiveOp::transfer, .group = ParallelGroup::pipeline, .size = split.boundary};
  for (const PipelineAction& action : split.schedule) {
    if (action.kind == Kind::send_activations) time += occupied(transfer, 2, links.pipeline);
    if (action.kind == Kind::send_gradients) {
      time += occupied(transfer, 2, all_links[stage - 1].pipeline);
    }
  }
  return time;
}

}  // namespace

StepTime gang_step_time(const std::vector<FootprintPlan>& plans, const GangLinks& links,
                        const NodeUse& node) {
  const FootprintPlan& first = plans.front();
  if (first.split == nullptr) return solo_step_time(first, links.front().data, node);
  return PipelineReplay(plans, links, node).run();
}

Duration crossing_time(const std::vector<FootprintPlan>& plans, const GangLinks& links) {
  Duration time{};
  for (std::size_t i = 0; i < plans.size(); ++i) time += crossing_time(plans[i], links, i);
  return time / static_cast<int>(plans.size());
}

}  // namespace mimus::kernels
