// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/parallel/rank_communication.hpp"
#include "kernels/parallel/split_step_time.hpp"

namespace mimus::kernels {

/// The streams of one rank of a split model during the replay of its step. Times count from the
/// step's beginning.
class StageReplay {
 public:
  /// Both must outlive this object. `node` as in solo_step_time().
  StageReplay(const FootprintPlan& plan, const StageLinks& links, const NodeUse& node)
      : plan_(plan), split_(*plan.split), links_(links), node_(node) {}

  void forward();
  /// `last`: gradients are complete, and reduced as the pass releases them.
  void backward(bool last);
  /// The compute stream waits for another stage.
  void wait(Duration until);
  /// The compute stream waits for communication.
  void expose(Duration until);
  /// Waits for the reductions, updates the weights and gathers them.
  void finish();

  [[nodiscard]] const RankCommunication& split() const { return split_; }
  /// When the compute stream has finished its work.
  [[nodiscard]] Duration computed() const { return device_; }
  [[nodiscard]] Duration exposed() const { return exposed_; }

 private:
  void pass(const std::vector<Segment>& segments, const std::vector<ScheduledCollective>& among,
            const std::vector<ScheduledCollective>& reduce);
  void compute(const Segment& segment);
  void exchange(const ScheduledCollective& among);
  void reduce(const ScheduledCollective& bucket);

  const FootprintPlan& plan_;
  const RankCommunication& split_;
  const StageLinks& links_;
  NodeUse node_;
  Duration host_{};
  Duration device_{};
  Duration tensor_{};  ///< when the last exchange among those that share layers ends
  Duration data_{};    ///< when the last reduction ends
  Duration exposed_{};
};

}  // namespace mimus::kernels
